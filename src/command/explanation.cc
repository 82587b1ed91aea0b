#include "command/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

#include "command/metric_docs.h"
#include "document/format.h"
#include "document/shown.h"
#include "model/judge.h"
#include "model/ratio.h"
#include "report/advice.h"
#include "report/formula_symbols.h"
#include "report/light.h"
#include "report/reasons.h"
#include "report/table.h"

namespace poprt {
namespace {

// One list, whose parts are apart from each other.
class Explanation {
 public:
  Explanation(const std::string& label, const std::string& name,
              const MetricDocs& docs, const JobReport* report = nullptr)
      : title_(fmt::format("{}  ({})", label, name)) {
    begin("Meaning", docs.definition);
    if (report != nullptr && is_red(*report)) {
      begin("Light", red_sentence(*report));
    } else if (!docs.low.empty()) {
      begin("If low", docs.low);
    }
    if (!docs.other_names.empty()) {
      begin("Also named", fmt::format("{}", fmt::join(docs.other_names, ", ")));
    }
  }

  void begin(const char* label, std::string text) {
    Fact& fact = list_.facts.emplace_back(Fact{label, std::move(text)});
    fact.is_apart = true;
  }
  void add(std::string text, const char* lead = "") {
    list_.facts.push_back({"", std::move(text), Grade::kNone, lead});
  }
  Document document() && {
    Document document = {title_};
    document.blocks.emplace_back(std::move(list_));
    return document;
  }

 private:
  std::string title_;
  FactList list_;
};

std::string rows_below_of(const Metric& metric) {
  std::string keys;
  for (const Metric& each : rows_below(metric)) {
    keys += std::string(keys.empty() ? "" : ", ") + each.key;
  }
  return keys;
}

// The formula with the numbers of this region.
void add_numbers(const Metric& metric, const std::string& formula,
                 const RegionReport& region, const std::string& file,
                 bool is_judged, Explanation* explanation) {
  const double value = metric.value(region.metrics);
  const double loss = is_judged ? metric.value(region.losses) : kUndefined;
  explanation->begin("Here",
                     fmt::format("{}, region {}", file, region.totals.name));
  if (std::isnan(value)) {
    explanation->add("is undefined: " + undefined_reason(region, metric));
    return;
  }
  if (!formula.empty()) {
    explanation->add(formula);
    explanation->add(
        filled_in(formula, formula_symbols_of(region, metric.model), with_unit),
        "= ");
  }
  const ShownCell cell = shown({cell_unit(metric), value});
  std::string result =
      cell.number + (cell_unit(metric) == CellUnit::kPercent ? " %" : "");
  if (std::isfinite(loss)) {
    result += fmt::format(
        ", {} % of the {} lost", percent(loss),
        metric.model == Model::kTalp ? "threads' time" : "region's core time");
  }
  explanation->add(std::move(result), "= ");
}

}  // namespace

Document explanation_of(const Metric& metric, const JobReport* report,
                        const std::vector<const RegionReport*>& regions,
                        const std::string& file) {
  const MetricDocs docs = report != nullptr && report->totals.has_devices
                              ? docs_with_accelerators(metric)
                              : docs_of(metric);
  Explanation explanation(
      metric.label, fmt::format("{}.{}", key_of(metric.model), metric.key),
      docs, report);
  if (std::string below = rows_below_of(metric); !below.empty()) {
    explanation.begin("Rows below", std::move(below));
  }
  const bool is_judged = report != nullptr && !is_red(*report);
  for (const RegionReport* region : regions) {
    add_numbers(metric, docs.formula, *region, file, is_judged, &explanation);
    if (!is_judged) continue;
    std::string more = advice(*report, *region, metric);
    if (!more.empty()) explanation.begin("This run", std::move(more));
  }
  return std::move(explanation).document();
}

Document explanation_of(const ScalingMetric& metric) {
  Explanation explanation(metric.label, metric.key, docs_of(metric));
  explanation.begin("Here",
                    "of several runs: poprt scale FILE|DIR... computes it.");
  return std::move(explanation).document();
}

Document explanation_of(const JobNumber& number, const JobReport* report,
                        const std::string& file) {
  Explanation explanation(number.label,
                          fmt::format("{}.{}", kHostsModel, number.key),
                          docs_of(number), report);
  if (report == nullptr) return std::move(explanation).document();
  const double value = number.value(*report);
  const CellUnit unit = cell_unit(number.unit);
  explanation.begin("Here", file);
  explanation.add(std::isnan(value)
                      ? std::string("is undefined: ") + number.unknown
                      : "= " + shown({unit, value}).number +
                            (unit == CellUnit::kPercent ? " %" : ""));
  return std::move(explanation).document();
}

}  // namespace poprt
