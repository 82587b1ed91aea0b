// Writes a scaling study for programs: docs/command.md has its keys.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "compare/gains.h"
#include "compare/reference.h"
#include "compare/scaling_document.h"
#include "compare/scaling_kind.h"
#include "document/escaped_json.h"

namespace poprt {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

// As in the run file; null without a loss.
Json finding_of(const Configuration& configuration) {
  Json finding, gain;
  for (const FindingValue& each : finding_values(configuration)) {
    Json& value = (each.is_of_gain ? gain : finding)[each.key];
    if (!std::isnan(each.number)) {
      value = each.number;
    } else {
      value = text_or_null(each.text);
    }
  }
  if (!finding.is_null()) finding["gain"] = std::move(gain);
  return finding;
}

Json configuration_of(const Configuration& configuration) {
  const JobTotals& totals = configuration.runs.front().report.totals;
  Json json = {{"name", configuration.name},
               {"variant", configuration.letter},
               {"ranks", totals.processes},
               {"threads", totals.threads},
               {"light", key_of(light_of(configuration))},
               {"finding", finding_of(configuration)},
               {"no_reference", text_or_null(why_no_reference(configuration))}};
  if (is_unseen(totals, EventLayer::kOpenMp)) json["threads"] = nullptr;
  Json& files = json["files"] = Json::array();
  for (const RunFile& run : configuration.runs) files.push_back(run.path);
  return json;
}

Json cell_of(const ScalingCell& cell) {
  const Statistics& values = cell.values;
  if (values.count == 0) {
    Json json = {{"median", nullptr}, {"min", nullptr}, {"max", nullptr}};
    if (!cell.reason.empty()) json["reason"] = cell.reason;
    return json;
  }
  Json json = {
      {"median", values.median}, {"min", values.min}, {"max", values.max}};
  if (cell.is_least) json["bound"] = "at_least";
  return json;
}

Json table_of(const ScalingStudy& study, const std::string& region,
              Model model) {
  Json json = {{"region", region}, {"model", key_of(model)}};
  Json metrics = Json::object();
  for (const ScalingRow& row : scaling_table(study, region, model)) {
    Json& cells = metrics[row.metric.key] = Json::array();
    for (const ScalingCell& cell : row.cells) cells.push_back(cell_of(cell));
  }
  json["metrics"] = std::move(metrics);
  return json;
}

}  // namespace

std::string scaling_json(const ScalingStudy& study, const std::string& how,
                         const ScalingOptions& options) {
  Json json = {{"schema", "poprt.scaling"},
               {"schema_version", "1.0"},
               {"scaling", name_of(study.scaling)},
               {"how", how},
               {"load", nullptr},
               {"reference", text_or_null(reference_name(study))}};
  if (study.scaling == Scaling::kWeak) json["load"] = name_of(study.load);
  Json configurations = Json::array();
  for (const Configuration& each : study.configurations) {
    configurations.push_back(configuration_of(each));
  }
  json["configurations"] = std::move(configurations);
  Json tables = Json::array();
  for (const std::string& region : options.regions) {
    for (const Model model : options.models) {
      if (!is_scaled(model)) continue;
      tables.push_back(table_of(study, region, model));
    }
  }
  json["tables"] = std::move(tables);
  // Names need not be UTF-8.
  return escaped_json(json.dump(1, ' ', /*ensure_ascii=*/false,
                                Json::error_handler_t::replace)) +
         "\n";
}

}  // namespace poprt
