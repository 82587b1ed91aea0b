#include "page/document_json.h"

#include <cmath>
#include <string>
#include <variant>

#include "document/format.h"
#include "document/shown.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

const char* name_of(CellUnit unit) {
  switch (unit) {
    case CellUnit::kText:
      return "text";
    case CellUnit::kCount:
      return "count";
    case CellUnit::kNs:
      return "ns";
    case CellUnit::kAmount:
      return "amount";
    case CellUnit::kNumber:
      return "number";
    case CellUnit::kFactor:
      return "factor";
    case CellUnit::kPercent:
      return "percent";
    case CellUnit::kPoints:
      return "points";
    case CellUnit::kChange:
      return "change";
    case CellUnit::kRelative:
      return "relative";
  }
  return "";
}

const char* name_of(Table::Kind kind) {
  switch (kind) {
    case Table::Kind::kRegions:
      return "regions";
    case Table::Kind::kRuns:
      return "runs";
    case Table::Kind::kSides:
      return "sides";
    case Table::Kind::kList:
      return "list";
  }
  return "";
}

void put(Json* object, const char* key, const std::string& text) {
  if (!text.empty()) (*object)[key] = printable(text);
}

void put(Json* object, const char* key, double value) {
  if (std::isfinite(value)) (*object)[key] = value;
}

Json texts(const std::vector<std::string>& all) {
  Json list = Json::array();
  for (const std::string& text : all) list.push_back(printable(text));
  return list;
}

Json json_of(const TableCell& cell) {
  Json json = Json::object();
  const ShownCell as_text = shown(cell);
  json["text"] = printable(as_text.number);
  if (as_text.sign == "%") json["sign"] = "%";
  if (cell.unit != CellUnit::kText) {
    json["unit"] = name_of(cell.unit);
    put(&json, "value", cell.value);
  }
  put(&json, "grade", key_of(cell.grade));
  put(&json, "reason", cell.reason);
  if (cell.is_least) json["bound"] = "at_least";
  if (is_estimate(cell)) {
    json["bound"] = "estimate";
    json["least"] = cell.least;
    json["most"] = cell.most;
  }
  return json;
}

Json json_of(const TableRow& row) {
  Json json;
  json["label"] = printable(row.label);
  put(&json, "key", row.key);
  if (row.depth > 0) json["depth"] = row.depth;
  if (row.is_minor) json["minor"] = true;
  put(&json, "unit", row.unit);
  Json& cells = json["cells"] = Json::array();
  for (const TableCell& cell : row.cells) cells.push_back(json_of(cell));
  return json;
}

Json json_of(const Bars& bars) {
  Json json;
  json["type"] = "bars";
  json["title"] = printable(bars.title);
  Json& list = json["bars"] = Json::array();
  for (const Bar& bar : bars.bars) {
    list.push_back({{"label", printable(bar.label)},
                    {"key", bar.key},
                    {"part", bar.part},
                    {"tenths", bar.tenths}});
  }
  return json;
}

Json json_of(const Findings& findings) {
  Json json;
  json["type"] = "findings";
  Json& list = json["findings"] = Json::array();
  for (const Finding& each : findings.findings) {
    Json finding;
    finding["sentence"] = printable(each.sentence);
    put(&finding, "region", each.region);
    put(&finding, "metric", each.metric);
    put(&finding, "value", each.value);
    put(&finding, "lost", each.lost);
    put(&finding, "advice", each.advice);
    list.push_back(std::move(finding));
  }
  put(&json, "next", findings.next);
  return json;
}

Json json_of(const Section& section) {
  return {{"type", "section"},
          {"key", section.key},
          {"title", printable(section.title)}};
}

Json json_of(const Paragraph& paragraph) {
  Json json = {{"type", "paragraph"}, {"text", printable(paragraph.text)}};
  if (paragraph.is_open) json["is_open"] = true;
  return json;
}

}  // namespace

Json json_of(const Table& table) {
  Json json;
  json["type"] = "table";
  json["kind"] = name_of(table.kind);
  put(&json, "region", table.region);
  put(&json, "model", table.model);
  put(&json, "key", table.key);
  put(&json, "title", table.title);
  Json& columns = json["columns"] = Json::array();
  for (const TableColumn& each : table.columns) {
    Json column = {{"name", printable(each.name)}};
    if (each.is_text) column["is_text"] = true;
    put(&column, "meaning", each.meaning);
    put(&column, "key", each.key);
    columns.push_back(std::move(column));
  }
  if (table.last_is_apart) json["apart"] = printable(table.apart);
  Json& rows = json["rows"] = Json::array();
  for (const TableRow& row : table.rows) rows.push_back(json_of(row));
  put(&json, "more", table.more);
  if (!table.notes.empty()) json["notes"] = texts(table.notes);
  return json;
}

Json json_of(const FactList& list) {
  Json json;
  json["type"] = "facts";
  Json& facts = json["facts"] = Json::array();
  for (const Fact& each : list.facts) {
    Json fact;
    put(&fact, "label", each.label);
    put(&fact, "key", each.key);
    fact["text"] = printable(each.lead + each.text);
    put(&fact, "grade", list.has_marks ? key_of(each.grade) : "");
    facts.push_back(std::move(fact));
  }
  return json;
}

Json json_of(const Document& document) {
  Json json;
  json["title"] = printable(document.title);
  Json& lines = json["lines"] = Json::array();
  for (const auto& line : document.lines) lines.push_back(texts(line));
  json["facts"] = json_of(document.facts);
  Json& blocks = json["blocks"] = Json::array();
  for (const Block& block : document.blocks) {
    blocks.push_back(
        std::visit([](const auto& each) { return json_of(each); }, block));
  }
  return json;
}

Json json_of(const Place& place) {
  Json json = {{"name", printable(place.name)},
               {"letter", place.letter},
               {"cores", nullptr},
               {"ranks", place.ranks},
               {"threads", place.threads}};
  put(&json, "cores", place.cores);
  if (place.is_red) json["isRed"] = true;
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}

}  // namespace poprt
