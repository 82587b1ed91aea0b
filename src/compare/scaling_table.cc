#include "compare/scaling_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace poprt {
namespace {

using Kind = ScalingRow::Kind;

constexpr char kNoCounters[] =
    "no counters: run files have no useful instructions and cycles";
constexpr char kNoClocks[] =
    "undefined: no such time in the region, or its clocks are incomplete";

// A region of one run, as the formulas take it.
struct Sample {
  const RegionReport* region;
  Work work;
  ScalingMetrics scaling;
};
using Value = std::function<double(const Sample&)>;

// Makes the rows of one table.
class Table {
 public:
  Table(const ScalingStudy& study, const std::string& region, Model model)
      : study_(study), region_(region), model_(model) {
    for (const Configuration& configuration : study.configurations) {
      std::vector<Sample>& samples = samples_.emplace_back();
      for (const RegionRun& each : runs_with(configuration, region)) {
        samples.push_back({each.region, work_of(*each.run, *each.region), {}});
      }
    }
    std::vector<Work> medians;
    for (const std::vector<Sample>& samples : samples_) {
      std::vector<Work> works;
      for (const Sample& s : samples) works.push_back(s.work);
      medians.push_back(median_of(works));
    }
    const Work& reference = medians[study.reference];
    for (size_t column = 0; column < samples_.size(); ++column) {
      for (Sample& s : samples_[column]) {
        s.scaling = scaling_of(s.work, reference, study.scaling);
      }
      scaling_.push_back(scaling_of(medians[column], reference, study.scaling));
    }
  }

  std::vector<ScalingRow> rows() {
    add(Kind::kTime, "run_time_ns", "run time", 0, kNoClocks,
        [](const Sample& s) { return s.work.run_time_ns; });
    if (study_.scaling == Scaling::kWeak) {
      add_scaling(Kind::kFactor, "load_increase_factor", "load increase factor",
                  0, kNoClocks, &ScalingMetrics::load_increase_factor);
    }
    add_scaling(Kind::kFactor, "speedup", "speedup", 0, kNoClocks,
                &ScalingMetrics::speedup);
    add_scaling(Kind::kScaling, "speedup_efficiency", "speedup / ideal", 0,
                kNoClocks, &ScalingMetrics::speedup_efficiency);
    add_efficiencies();
    for (const ScalingMetric& each : kScalingMetrics) {
      add_scaling(Kind::kScaling, each.key, each.label, each.depth,
                  each.needs_counters ? kNoCounters : kNoClocks, each.value);
    }
    return std::move(rows_);
  }

 private:
  void add_efficiencies() {
    std::vector<const Configuration*> configurations;
    for (const Configuration& each : study_.configurations) {
      configurations.push_back(&each);
    }
    const std::vector<Metric> metrics = shown_metrics(configurations, model_);
    const Metric parallel = metrics.front();
    add(Kind::kScaling, "global_efficiency", "Global Efficiency", 0, kNoClocks,
        [=](const Sample& s) {
          return global_efficiency(parallel.value(s.region->metrics),
                                   s.scaling.computation_scaling);
        });
    const size_t global = rows_.size() - 1;
    for (Metric metric : metrics) {
      ++metric.depth;
      add_row(
          Kind::kEfficiency, metric,
          [&](const Configuration& configuration) {
            return undefined_reason(configuration, region_, metric);
          },
          [=](const Sample& s) { return metric.value(s.region->metrics); });
    }
    // The first of the metrics is Parallel Efficiency.
    for (size_t column = 0; column < scaling_.size(); ++column) {
      take_median(
          global_efficiency(rows_[global + 1].cells[column].values.median,
                            scaling_[column].computation_scaling),
          &rows_[global].cells[column].values);
    }
  }

  void add_scaling(Kind kind, const char* key, const char* label, int depth,
                   const char* reason, double ScalingMetrics::*value) {
    add(kind, key, label, depth, reason,
        [=](const Sample& s) { return s.scaling.*value; });
    for (size_t column = 0; column < scaling_.size(); ++column) {
      take_median(scaling_[column].*value, &rows_.back().cells[column].values);
    }
  }

  // What is made of medians: the median of the runs' ratios is not the ratio of
  // their medians, and the reference would not be 1.
  static void take_median(double value, Statistics* values) {
    if (values->count == 0 || !std::isfinite(value)) return;
    values->median = value;
    values->min = std::min(values->min, value);
    values->max = std::max(values->max, value);
  }

  // A row that is no metric of the model.
  void add(Kind kind, const char* key, const char* label, int depth,
           const char* reason, const Value& value) {
    const bool relative = kind != Kind::kTime;
    add_row(
        kind, {model_, key, label, depth, Layer::kAny, nullptr},
        [&](const Configuration& configuration) -> std::string {
          const Configuration& reference =
              study_.configurations[study_.reference];
          const size_t column = static_cast<size_t>(
              &configuration - study_.configurations.data());
          if (samples_[column].empty()) {
            return no_region(configuration, region_);
          }
          if (relative && samples_[study_.reference].empty()) {
            return "the reference " + no_region(reference, region_);
          }
          return reason;
        },
        value);
  }

  void add_row(Kind kind, const Metric& metric,
               const std::function<std::string(const Configuration&)>& reason,
               const Value& value) {
    ScalingRow row = {kind, metric, {}};
    for (size_t column = 0; column < samples_.size(); ++column) {
      std::vector<double> values;
      for (const Sample& s : samples_[column]) values.push_back(value(s));
      ScalingCell cell = {statistics_of(std::move(values)), ""};
      if (cell.values.count == 0) {
        cell.reason = reason(study_.configurations[column]);
      }
      row.cells.push_back(std::move(cell));
    }
    rows_.push_back(std::move(row));
  }

  const ScalingStudy& study_;
  const std::string& region_;
  const Model model_;
  // One for each configuration.
  std::vector<std::vector<Sample>> samples_;
  std::vector<ScalingMetrics> scaling_;  // of the medians
  std::vector<ScalingRow> rows_;
};

bool is_part(const ScalingRow& row) {
  return row.metric.depth > 0 &&
         (row.kind == Kind::kEfficiency || row.kind == Kind::kScaling);
}

}  // namespace

std::vector<ScalingRow> scaling_table(const ScalingStudy& study,
                                      const std::string& region, Model model) {
  return Table(study, region, model).rows();
}

const ScalingRow* row_of(const std::vector<ScalingRow>& rows,
                         std::string_view key) {
  for (const ScalingRow& row : rows) {
    if (row.metric.key == key) return &row;
  }
  return nullptr;
}

const ScalingRow* largest_fall(const std::vector<ScalingRow>& rows, size_t from,
                               size_t to) {
  const auto fall = [&](const ScalingRow& row) {
    return row.cells[to].values.median / row.cells[from].values.median;
  };
  const ScalingRow* largest = nullptr;
  for (size_t i = 0; i < rows.size(); ++i) {
    // Scaling without counters has rows below it that say nothing.
    const bool has_parts = i + 1 < rows.size() &&
                           rows[i + 1].metric.depth > rows[i].metric.depth &&
                           !std::isnan(fall(rows[i + 1]));
    if (!is_part(rows[i]) || has_parts || !(fall(rows[i]) < 1)) continue;
    if (largest == nullptr || fall(rows[i]) < fall(*largest)) {
      largest = &rows[i];
    }
  }
  return largest;
}

}  // namespace poprt
