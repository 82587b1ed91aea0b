#include "command/explanation.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "command/metric_docs.h"
#include "document/format.h"
#include "document/shown.h"
#include "report/findings.h"
#include "report/formula_symbols.h"
#include "report/table.h"

namespace poprt {
namespace {

// Wide enough for all labels of an explanation.
constexpr size_t kFactWidth = 12;

FactList fact(const char* label, std::string text) {
  return {kFactWidth, {{label, std::move(text)}}};
}

Document explanation(const std::string& label, const std::string& name,
                     const MetricDocs& docs) {
  Document document = {fmt::format("{}  ({})", label, name)};
  document.blocks.emplace_back(fact("Meaning", docs.definition));
  if (!docs.low.empty()) {
    document.blocks.emplace_back(fact("If low", docs.low));
  }
  if (!docs.other_names.empty()) {
    document.blocks.emplace_back(fact(
        "Also named", fmt::format("{}", fmt::join(docs.other_names, ", "))));
  }
  return document;
}

std::string rows_below_of(const Metric& metric) {
  std::string keys;
  for (const Metric& each : rows_below(metric)) {
    keys += std::string(keys.empty() ? "" : ", ") + each.key;
  }
  return keys;
}

// The formula with the numbers of this region.
FactList numbers_of(const Metric& metric, const std::string& formula,
                    const RegionReport& region, const std::string& file) {
  const double value = metric.value(region.metrics);
  const double loss = metric.value(region.losses);
  FactList list =
      fact("Here", fmt::format("{}, region {}", file, region.totals.name));
  if (std::isnan(value)) {
    list.facts.push_back(
        {"", std::string("is undefined: ") + undefined_reason(region, metric)});
    return list;
  }
  const auto add = [&](std::string text) {
    list.facts.push_back({"", std::move(text), Grade::kNone, "= "});
  };
  if (!formula.empty()) {
    list.facts.push_back({"", formula});
    add(filled_in(formula, formula_symbols_of(region, metric.model),
                  with_unit));
  }
  const ShownCell cell = shown({cell_unit(metric), value});
  std::string result =
      cell.number + (cell_unit(metric) == CellUnit::kPercent ? " %" : "");
  if (std::isfinite(loss)) {
    result += fmt::format(
        ", {} % of the {} lost", percent(loss),
        metric.model == Model::kTalp ? "threads' time" : "region's core time");
  }
  add(std::move(result));
  return list;
}

}  // namespace

Document explanation_of(const Metric& metric, const JobReport* report,
                        const std::vector<const RegionReport*>& regions,
                        const std::string& file) {
  const MetricDocs docs = docs_of(metric);
  Document document =
      explanation(metric.label,
                  fmt::format("{}.{}", key_of(metric.model), metric.key), docs);
  std::vector<Block>& blocks = document.blocks;
  if (std::string below = rows_below_of(metric); !below.empty()) {
    blocks.emplace_back(fact("Rows below", std::move(below)));
  }
  for (const RegionReport* region : regions) {
    blocks.emplace_back(numbers_of(metric, docs.formula, *region, file));
    std::string more = advice(*report, *region, metric);
    if (!more.empty()) {
      blocks.emplace_back(fact("This run", std::move(more)));
    }
  }
  return document;
}

Document explanation_of(const ScalingMetric& metric) {
  Document document = explanation(metric.label, metric.key, docs_of(metric));
  document.blocks.emplace_back(
      fact("Here", "of several runs: poprt scale FILE|DIR... computes it."));
  return document;
}

Document explanation_of(const JobNumber& number, const JobReport* report,
                        const std::string& file) {
  Document document =
      explanation(number.label, fmt::format("{}.{}", kHostsModel, number.key),
                  docs_of(number));
  if (report == nullptr) return document;
  const double value = number.value(*report);
  const CellUnit unit = cell_unit(number.unit);
  FactList list = fact("Here", file);
  list.facts.push_back(
      {"", std::isnan(value) ? std::string("is undefined: ") + number.unknown
                             : "= " + shown({unit, value}).number +
                                   (unit == CellUnit::kPercent ? " %" : "")});
  document.blocks.emplace_back(std::move(list));
  return document;
}

}  // namespace poprt
