#include "page/drawing.h"

#include <cmath>
#include <cstddef>

#include "page/document_json.h"
#include "page/script_engine.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

// NaN is null.
Json json_of(const Series& series) {
  Json json;
  json["key"] = series.key;
  json["label"] = printable(series.label.empty() ? series.key : series.label);
  json["values"] = series.values;
  Json& spread = json["spread"] = Json::array();
  for (size_t i = 0; i < series.values.size(); ++i) {
    const double value = series.values[i];
    const bool has_spread = !series.least.empty();
    spread.push_back(std::isnan(value)
                         ? Json(nullptr)
                         : Json({value, has_spread ? series.least[i] : value,
                                 has_spread ? series.most[i] : value}));
  }
  json["texts"] = series.texts;
  return json;
}

Json printable_texts(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(printable(text));
  return list;
}

Json json_of(const Drawing& drawing) {
  const Figure& figure = *drawing.figure;
  Json json;
  json["kind"] = drawing.kind;
  json["title"] = printable(drawing.title);
  json["names"] = printable_texts(figure.names);
  json["labels"] = printable_texts(figure.labels);
  json["colours"] = figure.colours;
  Json& places = json["places"] = Json::array();
  for (const Place& place : figure.places) places.push_back(json_of(place));
  Json& series = json["series"] = Json::array();
  for (const Series& each : figure.series) series.push_back(json_of(each));
  json["table"] =
      drawing.table.empty() ? Json(nullptr) : json_of(drawing.table.front());
  json["thresholds"] = {{"poor", drawing.thresholds.poor},
                        {"good", drawing.thresholds.good}};
  json["width"] = drawing.width_mm;
  return json;
}

}  // namespace

std::string why_no_drawings() {
  if (paper_script().empty()) {
    return "this poprt was built without figures, which need Node.js (cmake "
           "-DPOPRT_HTML=ON)";
  }
  const std::string why = why_no_script_engine();
  return why.empty() ? ""
                     : "figures need Duktape, which is not here (" + why + ")";
}

std::optional<std::string> svg_of(const Drawing& drawing, std::string* reason) {
  return call_script(paper_script(), "drawFigure", text_of(json_of(drawing)),
                     reason);
}

}  // namespace poprt
