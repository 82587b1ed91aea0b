#include "page/page_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/figure.h"
#include "compare/loss_steps.h"
#include "compare/scaling_kind.h"
#include "model/judge.h"
#include "model/present_rows.h"
#include "page/document_json.h"
#include "report/advice.h"
#include "report/core_time.h"
#include "report/details.h"
#include "report/file_io.h"
#include "report/formula_symbols.h"
#include "report/heading.h"
#include "report/light.h"
#include "report/partitions.h"
#include "report/rankings.h"
#include "report/repeated_rows.h"
#include "report/table.h"
#include "report/table_options.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

// Of what the overhead is a share, as the light says it.
std::string whole_of_overhead(const JobReport& report) {
  const auto words = std::ranges::find(
      cause_words(), std::string_view("overhead"), &CauseWords::key);
  return first_said(words->endings, report).substr(1);  // without the blank
}

constexpr size_t kAll = std::numeric_limits<size_t>::max();

Json text_of(const MetricText& docs) {
  Json json;
  json["definition"] = docs.definition;
  json["formula"] = docs.formula;
  json["low"] = docs.low;
  json["names"] = docs.other_names;
  return json;
}

std::string full_key(const Metric& metric) {
  return std::string(key_of(metric.model)) + "." + metric.key;
}

Json metrics_of(const MetricTexts& texts) {
  Json json;
  for (const Metric& metric : all_metrics()) {
    Json entry = text_of(texts.of_metric(metric));
    entry["label"] = metric.label;
    entry["depth"] = metric.depth;
    if (metric.is_efficiency()) entry["is_efficiency"] = true;
    if (metric.less_is_better) entry["less_is_better"] = true;
    json[full_key(metric)] = std::move(entry);
  }
  for (const ScalingMetric& metric : kScalingMetrics) {
    Json entry = text_of(texts.of_scaling(metric));
    entry["label"] = metric.label;
    entry["depth"] = metric.depth;
    json[metric.key] = std::move(entry);
  }
  return json;
}

// The regions of a run that the page shows, in the run's order.
using Regions = std::vector<const RegionReport*>;

Regions shown_regions(const JobReport& report, const Page& page) {
  Regions regions;
  const std::set<std::string_view> wanted(page.regions.begin(),
                                          page.regions.end());
  for (const RegionReport& region : report.regions) {
    if (wanted.empty() || wanted.count(region.totals.name) != 0) {
      regions.push_back(&region);
    }
  }
  return regions;
}

// For each region, the rows of the table that are steps from all core time down
// to its Parallel Efficiency.
Json steps_of(const JobReport& report, const Regions& regions, Model model,
              const Table& losses) {
  const std::vector<Metric> metrics = shown_metrics(report, model);
  Json all = Json::array();
  for (const RegionReport* const region : regions) {
    Json steps = Json::array();
    for (const Metric& step : loss_steps(metrics, *region)) {
      const auto row = std::ranges::find(losses.rows, step.key, &TableRow::key);
      if (row == losses.rows.end()) continue;
      steps.push_back(
          {{"row", row - losses.rows.begin()}, {"colour", colour_of(step)}});
    }
    all.push_back(std::move(steps));
  }
  return all;
}

// The tables of a model for these regions.
Json model_of(const JobReport& report, const Regions& regions, Model model,
              TableOptions options) {
  Json json;
  json["key"] = key_of(model);
  json["label"] = name_of(model, shown_metrics(report, model));
  Table table = model_table(report, model, options);
  json["table"] = json_of(table);
  const Table both = take_both_layers(&table, is_red(report));
  if (!both.rows.empty()) {
    Json keys = Json::array();
    for (const TableRow& row : both.rows) keys.push_back(row.key);
    json["both_layers"] = {{"title", both.title}, {"rows", std::move(keys)}};
  }
  options.view = View::kLoss;
  const Table losses = model_table(report, model, options);
  if (!losses.rows.empty()) {
    json["losses"] = json_of(losses);
    json["steps"] = steps_of(report, regions, model, losses);
  }
  // The symbols of the model's formulas, and their numbers in each region.
  Json symbols = Json::array();
  Json numbers = Json::array();
  for (const RegionReport* const region : regions) {
    Json texts = Json::array();
    for (const FormulaSymbol& each : formula_symbols_of(*region, model)) {
      if (numbers.empty()) symbols.push_back(each.symbol);
      texts.push_back(with_unit(each));
    }
    numbers.push_back(std::move(texts));
  }
  json["symbols"] = std::move(symbols);
  json["numbers"] = std::move(numbers);
  return json;
}

// What this run adds to the advice on its metrics, by place of the region.
Json advice_of(const JobReport& report, const Regions& regions) {
  Json json = Json::object();
  for (size_t i = 0; i < regions.size(); ++i) {
    for (const Metric& metric : all_metrics()) {
      std::string text = advice(report, *regions[i], metric);
      if (text.empty()) continue;
      json[std::to_string(i)][full_key(metric)] = printable(text);
    }
  }
  return json;
}

// The models of efficiencies always are.
bool is_usual(const JobReport& report, Model model) {
  constexpr Model kSometimes[] = {Model::kComputation, Model::kIo,
                                  Model::kMpiTime, Model::kWaiting};
  return std::ranges::find(kSometimes, model) == std::end(kSometimes) ||
         is_shown_unasked(report, model);
}

Json region_of(const JobReport& report, const RegionTotals& region) {
  Json json = {{"name", printable(region.name)}, {"core_ns", core_ns(region)}};
  Json& parts = json["parts"] = Json::array();
  if (core_ns(region) <= 0) return json;
  for (const Bar& bar : core_time_bars(report, region).bars) {
    parts.push_back(
        {{"label", bar.label}, {"key", bar.key}, {"tenths", bar.tenths}});
  }
  return json;
}

// The rows of a table over time, with the values of all windows and between
// which they are.
Json over_time_of(const JobReport& report, const Table& table) {
  Json json = {{"model", table.model}};
  Json& rows = json["rows"] = Json::array();
  for (const TableRow& row : table.rows) {
    const Metric* const metric = metric_of(table, row);
    if (metric == nullptr) continue;
    Json values = Json::array();
    for (const WindowReport& window : report.windows.list) {
      const bool is_exact = window.bounds.empty();
      const double value = metric->value(window.metrics);
      values.push_back(
          std::isnan(value)
              ? Json(nullptr)
              : Json({value,
                      metric->value(is_exact ? window.metrics
                                             : window.range.least),
                      metric->value(is_exact ? window.metrics
                                             : window.range.most)}));
    }
    rows.push_back({{"label", row.label}, {"values", std::move(values)}});
  }
  return json;
}

Json run_of(const PageRun& run, const Page& page) {
  const JobReport& report = *run.report;
  const RegionReport* const global = global_region(report);
  TableOptions options;
  options.thresholds = page.thresholds;
  Json json;
  json["name"] = printable(run.name);
  json["file"] = printable(run.file);
  json["shape"] = shape(report.totals);
  json["first_model"] = key_of(run.first);
  if (global != nullptr) {
    json["overhead"] = overhead_words(report);
    json["overhead_of"] = whole_of_overhead(report);
  }
  json["light"] = key_of(judge(report).light);
  json["cores"] = global == nullptr ? 0 : global->totals.threads;
  json["ranks"] = report.totals.processes;
  json["is_imported"] = is_imported(report);
  json["core_ns"] = job_core_ns(report);
  json["not_useful_core_ns"] =
      global == nullptr ? 0
                        : job_core_ns(report) - global->totals.useful_sum_ns;
  const Regions shown = shown_regions(report, page);
  Json& regions = json["regions"] = Json::array();
  for (const RegionReport* const region : shown) {
    options.regions.push_back(region->totals.name);
    Json entry = region_of(report, region->totals);
    // In the run file.
    entry["place"] = region - report.regions.data();
    regions.push_back(std::move(entry));
  }
  Json& models = json["models"] = Json::array();
  for (const Model model : kModels) {
    // Nothing but the model of TALP is known of an imported run.
    if (is_imported(report) && model != Model::kTalp) continue;
    if (shown.empty() || !is_usual(report, model)) continue;
    models.push_back(model_of(report, shown, model, options));
  }
  json["document"] = json_of(run.document);
  Json& windows = json["windows"] = Json::array();
  for (const WindowReport& each : report.windows.list) {
    windows.push_back(std::to_string(each.index + 1));
  }
  Json& over_time = json["over_time"] = Json::array();
  for (const Block& block : run.document.blocks) {
    const Table* const table = std::get_if<Table>(&block);
    if (table == nullptr || table->key != "over_time") continue;
    over_time.push_back(over_time_of(report, *table));
  }
  json["advice"] = advice_of(report, shown);
  json["region_ranking"] = json_of(region_ranking(report, kAll));
  json["parallel_regions"] = json_of(parallel_region_ranking(report, kAll));
  json["parallel_sources"] = json_of(parallel_region_sources(report, kAll));
  json["tasks"] = json_of(task_ranking(report, kAll));
  const JobTotals& totals = report.totals;
  json["file_systems"] = {
      json_of(file_system_table(totals.mpi_file_systems, "MPI-IO",
                                "mpi_file_systems", kAll)),
      json_of(file_system_table(totals.file_systems, "POSIX I/O",
                                "file_systems", kAll))};
  json["hosts"] = json_of(host_table(report));
  json["quality"] = json_of(quality_facts(report));
  json["provenance"] = json_of(provenance_facts(report, run.file));
  return json;
}

// The rows that the charts show, as numbers.
Json curves_of(const ScalingStudy& study, const std::string& region,
               Model model) {
  Json curves = Json::object();
  for (const ScalingRow& row : scaling_table(study, region, model)) {
    Json cells = Json::array();
    for (const ScalingCell& cell : row.cells) {
      const Statistics& values = cell.values;
      cells.push_back(values.count == 0
                          ? Json(nullptr)
                          : Json({values.median, values.min, values.max}));
    }
    curves[row.metric.key] = std::move(cells);
  }
  return curves;
}

Json study_of(const Page& page) {
  const PageStudy& of_page = page.study.front();
  const ScalingStudy& study = *of_page.study;
  Json json;
  json["scaling"] = name_of(study.scaling);
  json["reference"] = study.reference;
  json["largest"] = largest_like(study.configurations, study.reference);
  json["document"] = json_of(of_page.document);
  if (!of_page.spreads.empty()) {
    json["spreads"] = json_of(of_page.spreads.front());
  }
  Json& changes = json["changes"] = Json::array();
  for (const Document& each : of_page.changes) changes.push_back(json_of(each));
  Json& list = json["configurations"] = Json::array();
  size_t first = 0;
  for (const Configuration& each : study.configurations) {
    list.push_back(json_of(place_of(each)));
    list.back()["first_run"] = first;
    list.back()["runs"] = each.runs.size();
    first += each.runs.size();
  }
  json["first_model"] = key_of(of_page.first);
  std::vector<const Configuration*> configurations;
  for (const Configuration& each : study.configurations) {
    configurations.push_back(&each);
  }
  Json& models = json["models"] = Json::array();
  for (const Model model : kModels) {
    models.push_back(
        {{"key", key_of(model)},
         {"label", name_of(model, shown_metrics(configurations, model))}});
  }
  Json& regions = json["regions"] = Json::array();
  for (const std::string& name : page.regions.empty()
                                     ? region_names(study.configurations)
                                     : page.regions) {
    regions.push_back({{"name", printable(name)},
                       {"curves", curves_of(study, name, of_page.first)}});
  }
  return json;
}

Json view_of(const PageView& first) {
  Json json;
  json["regions"] = Json::array();
  for (const std::string& name : first.regions) {
    json["regions"].push_back(printable(name));
  }
  json["view"] = first.view == View::kLoss ? "loss" : "efficiency";
  json["spread"] = first.spread;
  json["processes"] = first.processes;
  return json;
}

}  // namespace

std::string page_data(const Page& page) {
  Json json;
  Json& states = json["states"] = Json::array();
  for (const StateEntry& state : kStateTable) {
    states.push_back(
        {{"key", state.key}, {"name", state.name}, {"colour", state.colour}});
  }
  json["version"] = POPRT_VERSION;
  json["thresholds"] = {{"poor", page.thresholds.poor},
                        {"good", page.thresholds.good}};
  json["metrics"] = metrics_of(page.texts);
  json["study"] = page.study.empty() ? Json(nullptr) : study_of(page);
  json["assessment"] = page.assessment.empty()
                           ? Json(nullptr)
                           : json_of(page.assessment.front());
  json["first"] = view_of(page.first);
  std::string text = text_of(json);
  text.pop_back();
  text += ",\"runs\":[";
  for (const PageRun& run : page.runs) {
    if (&run != &page.runs.front()) text += ',';
    text += text_of(run_of(run, page));
  }
  return text + "]}";
}

}  // namespace poprt
