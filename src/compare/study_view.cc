#include "compare/study_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "document/format.h"
#include "document/shell_word.h"
#include "model/ratio.h"
#include "report/advice.h"
#include "report/findings.h"
#include "report/reasons.h"

namespace poprt {
namespace {

constexpr size_t kListedRegions = 10;

// Why the share of a region in the run time is not known.
std::string why_no_share(const Configuration& configuration,
                         const std::string& region) {
  const std::vector<RegionRun> runs = runs_with(configuration, region);
  if (runs.empty()) return no_region(configuration, region);
  const RegionRun& first = runs.front();
  const RegionReport* const global = global_region(*first.run);
  if (global == nullptr) return no_region(configuration, kGlobalRegion);
  return unknown_run_time(std::isnan(run_time_ns(*first.run, *first.region))
                              ? *first.region
                              : *global);
}

}  // namespace

StudyView::StudyView(const ScalingStudy& study, const ScalingOptions& options)
    : study_(study),
      options_(options),
      model_(options.models.front()),
      reference_(study.configurations[study.reference]),
      last_(largest_like(study.configurations, study.reference)),
      largest_(study.configurations[last_]),
      report_(largest_.runs.front().report),
      rows_(scaling_table(study, kGlobalRegion, model_)) {}

Table StudyView::shares_of_regions() const {
  Table table = {Table::Kind::kRuns};
  table.title = "Run time of regions, % of the program's";
  for (const Configuration& each : study_.configurations) {
    table.columns.push_back({each.name});
  }
  const std::vector<std::string> names = region_names(study_.configurations);
  for (const std::string& name : names) {
    if (name == kGlobalRegion) continue;
    if (table.rows.size() == kListedRegions) {
      table.more = fmt::format(
          "and {}",
          counted(static_cast<int64_t>(names.size() - 1 - table.rows.size()),
                  "more region"));
      break;
    }
    TableRow row = {name};
    for (const Configuration& each : study_.configurations) {
      const Statistics share =
          statistics_over(runs_with(each, name), [](const RegionRun& run) {
            const RegionReport* const global = global_region(*run.run);
            return global == nullptr ? kUndefined
                                     : ratio(run_time_ns(*run.run, *run.region),
                                             run_time_ns(*run.run, *global));
          });
      row.cells.push_back(
          {CellUnit::kPercent, share.count > 0 ? share.median : kUndefined});
      if (share.count == 0) row.cells.back().reason = why_no_share(each, name);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string StudyView::first_below() const {
  bool is_known = true;
  for (size_t i = 0; i < study_.configurations.size(); ++i) {
    const double efficiency = value("speedup_efficiency", i);
    is_known &= !std::isnan(efficiency);
    if (i == study_.reference || !(efficiency < options_.thresholds.good)) {
      continue;
    }
    return fmt::format("It is below {} % of the ideal from {} on ({} %).",
                       percent(options_.thresholds.good),
                       study_.configurations[i].name, percent(efficiency));
  }
  return fmt::format("It is at least {} % of the ideal in all runs{}.",
                     percent(options_.thresholds.good),
                     is_known ? "" : " of which it is known");
}

std::string StudyView::gain_of(const RegionReport& region) const {
  const bool is_global = &region == global_region(report_);
  const auto cause = main_cause(report_, region);
  if (!cause) return "";
  const double lost = cause->value(region.losses);
  const double whole = static_cast<double>(region.totals.threads) *
                       run_time_ns(report_, region) /
                       static_cast<double>(job_core_ns(report_));
  const double share = is_global ? lost : lost * whole;
  std::string text = fmt::format(
      "{}{} of {}: {} % of the job's core time.",
      is_global ? "" : "Region " + printable(region.totals.name) + ", ",
      cause->label, largest_.name, percent(share));
  text += fmt::format(" It means that {}.", cause->meaning);
  if (const std::string more = advice(report_, region, *cause); !more.empty()) {
    text += " " + more;
  }
  return text + fmt::format(" What helps: poprt explain {}.{} {}.",
                            key_of(cause->model), cause->key,
                            shell_word(largest_.runs.front().path));
}

std::string StudyView::lowest(
    const std::function<bool(std::string_view)>& is_row) const {
  const Table table = scaling_values(study_, kGlobalRegion, model_, {});
  std::vector<const ScalingRow*> rows;
  for (const TableRow& row : table.rows) {
    if (!is_row(row.key)) continue;
    const ScalingRow* const values = row_of(rows_, row.key);
    if (values == nullptr || std::isnan(values->cells[last_].values.median)) {
      continue;
    }
    // Above its parts, of which it is the product and so the lowest.
    while (!rows.empty() && rows.back()->metric.depth < values->metric.depth) {
      rows.pop_back();
    }
    rows.push_back(values);
  }
  // Those of both layers are products of those of the layers.
  const bool has_layers = std::ranges::any_of(rows, [](const ScalingRow* row) {
    return is_of_program(row->metric.layer);
  });
  if (has_layers) {
    std::erase_if(rows, [](const ScalingRow* row) {
      return !is_of_program(row->metric.layer);
    });
  }
  if (rows.empty()) return "";
  const ScalingRow* const found = *std::ranges::min_element(
      rows, {},
      [&](const ScalingRow* row) { return row->cells[last_].values.median; });
  const double now = found->cells[last_].values.median;
  std::string text =
      rows.size() > 1
          ? fmt::format("The lowest of them in {} is {}: {} %", largest_.name,
                        found->metric.label, percent(now))
          : fmt::format("{} of {} is {} %", found->metric.label, largest_.name,
                        percent(now));
  if (is_red(largest_)) return text + ".";
  const Grade grade = grade_of(now, options_.thresholds);
  text += grade == Grade::kPoor        ? ", which is poor"
          : grade == Grade::kAttention ? ", which wants attention"
                                       : ", which is good";
  const double before = value(found->metric.key, study_.reference);
  if (study_.reference != last_ && std::isfinite(before)) {
    text += fmt::format(" ({}: {} %)", reference_.name, percent(before));
  }
  return text + ".";
}

Table StudyView::table_with(
    const char* title,
    const std::function<bool(std::string_view)>& is_row) const {
  Table table = scaling_values(study_, kGlobalRegion, model_, options_);
  std::erase_if(table.rows,
                [&](const TableRow& row) { return !is_row(row.key); });
  int least = 1000;
  for (const TableRow& row : table.rows) least = std::min(least, row.depth);
  for (TableRow& row : table.rows) row.depth -= least;
  table.title = std::string(title) + ", " + table.title;
  table.notes.clear();
  return table;
}

double StudyView::value(std::string_view key, size_t column) const {
  const ScalingRow* const row = row_of(rows_, key);
  if (row == nullptr || row->cells[column].values.count == 0) {
    return kUndefined;
  }
  return row->cells[column].values.median;
}

double StudyView::cores_of(size_t column) const {
  return static_cast<double>(
      study_.configurations[column].runs.front().report.totals.threads);
}

std::string StudyView::time_of(size_t column) const {
  const double ns = value("run_time_ns", column);
  return std::isfinite(ns) ? duration(std::llround(ns)) : "-";
}

}  // namespace poprt
