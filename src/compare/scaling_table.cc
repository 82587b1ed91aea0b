#include "compare/scaling_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "compare/reference.h"

namespace poprt {
namespace {

using Kind = ScalingRow::Kind;

constexpr char kNoCounters[] = "not counted: run with POPRT_COUNTERS=default";
constexpr char kNoFloatCounters[] =
    "not counted, or no such instruction: run with poprt run "
    "--counters=all-sets";
constexpr char kNoEnergy[] =
    "the hosts' energy is not known of this run, or this region: poprt doctor";
constexpr char kNoHosts[] =
    "of whole runs only, and where the run file tells it";
constexpr char kNoReference[] = "no run may be the reference";
constexpr char kNoKind[] =
    "how much work each run had is not known: --scaling strong (all the same) "
    "or weak (each core the same)";
constexpr char kNotEnded[] =
    "the run did not come to its end: how much work it did is not known";
constexpr char kNoThreads[] =
    "the OpenMP threads of this run, and so its cores and work, are not known";
constexpr char kNoClocks[] =
    "undefined: no such time in the region, or its clocks are incomplete";

const char* reason_of(ScalingNeed need) {
  switch (need) {
    case ScalingNeed::kNothing:
      return kNoClocks;
    case ScalingNeed::kCounters:
      return kNoCounters;
    case ScalingNeed::kFloatingPoint:
      return kNoFloatCounters;
    case ScalingNeed::kEnergy:
      return kNoEnergy;
    case ScalingNeed::kHosts:
      return kNoHosts;
  }
  return "";
}

// A region in one run, as input for the formulas.
struct Sample {
  const RegionReport* region;
  Work work;
  ScalingMetrics scaling;
};
using Value = std::function<double(const Sample&)>;

// Makes the rows of one table.
class ScalingRows {
 public:
  ScalingRows(const ScalingStudy& study, const std::string& region, Model model)
      : study_(study), region_(region), model_(model) {
    for (const Configuration& configuration : study.configurations) {
      std::vector<Sample>& samples = samples_.emplace_back();
      for (const RegionRun& each : runs_with(configuration, region)) {
        samples.push_back(
            {each.region, work_of(*each.run, *each.region, study.load), {}});
      }
    }
    std::vector<Work> medians;
    for (const std::vector<Sample>& samples : samples_) {
      std::vector<Work> works;
      for (const Sample& s : samples) works.push_back(s.work);
      medians.push_back(median_of(works));
    }
    const Work reference =
        median_of(reference_name(study).empty()
                      ? std::vector<Work>()
                      : std::vector<Work>{medians[study.reference]});
    for (size_t column = 0; column < samples_.size(); ++column) {
      const Scaling scaling = has_ended(study.configurations[column])
                                  ? study.scaling
                                  : Scaling::kUnknown;
      for (Sample& s : samples_[column]) {
        s.scaling = scaling_of(s.work, reference, scaling, study.reference_ghz);
      }
      scaling_.push_back(
          scaling_of(medians[column], reference, scaling, study.reference_ghz));
    }
  }

  std::vector<ScalingRow> rows() {
    for (const ScalingMetric& each : kScalingMetrics) {
      if (each.value != nullptr) {
        add_scaling(each);
      } else if (each.kind == Kind::kTime) {
        add(each, kNoClocks,
            [](const Sample& s) { return s.work.run_time_ns; });
      } else {
        add_efficiencies(each);
      }
    }
    return std::move(rows_);
  }

 private:
  // Global Efficiency and the rows of the model below it.
  void add_efficiencies(const ScalingMetric& scaling) {
    std::vector<const Configuration*> configurations;
    for (const Configuration& each : study_.configurations) {
      configurations.push_back(&each);
    }
    std::vector<Metric> metrics = compared_metrics(configurations, model_);
    std::erase_if(metrics, std::not_fn(&Metric::is_efficiency));
    const Metric parallel = metrics.front();
    add(scaling, kNoClocks, [=](const Sample& s) {
      return global_efficiency(parallel.value(s.region->metrics),
                               s.scaling.computation_scaling);
    });
    const size_t global = rows_.size() - 1;
    for (Metric metric : metrics) {
      // Rows of devices are no part of Global Efficiency.
      if (metric.layer != Layer::kDeviceTime) ++metric.depth;
      add_row(
          Kind::kEfficiency, metric,
          [&](const Configuration& configuration) {
            return undefined_reason(configuration, region_, metric);
          },
          [=](const Sample& s) { return metric.value(s.region->metrics); },
          [=](const Configuration& configuration) {
            return is_least(configuration, metric);
          });
    }
    // The first metric is Parallel Efficiency.
    for (size_t column = 0; column < scaling_.size(); ++column) {
      take_median(
          global_efficiency(rows_[global + 1].cells[column].values.median,
                            scaling_[column].computation_scaling),
          &rows_[global].cells[column].values);
    }
  }

  void add_scaling(const ScalingMetric& scaling) {
    const auto value = scaling.value;
    const bool is_left_out = value == &ScalingMetrics::load_increase_factor &&
                             study_.scaling != Scaling::kWeak;
    const bool is_unknown = std::ranges::none_of(
        scaling_,
        [&](const ScalingMetrics& m) { return std::isfinite(m.*value); });
    if (is_left_out || (scaling.is_optional && is_unknown)) return;
    add(scaling, reason_of(scaling.need),
        [=](const Sample& s) { return s.scaling.*value; });
    for (size_t column = 0; column < scaling_.size(); ++column) {
      ScalingCell& cell = rows_.back().cells[column];
      // Runs with different counters may know it only together.
      if (cell.values.count == 0 && std::isfinite(scaling_[column].*value)) {
        cell = {statistics_of({scaling_[column].*value}), ""};
      }
      take_median(scaling_[column].*value, &cell.values);
    }
  }

  // The median of ratios is not the ratio of medians, and would not be 1 for
  // the reference.  So such values are computed from medians.
  static void take_median(double value, Statistics* values) {
    if (values->count == 0 || !std::isfinite(value)) return;
    values->median = value;
    values->min = std::min(values->min, value);
    values->max = std::max(values->max, value);
  }

  // Adds a row that is not a metric of the model.
  void add(const ScalingMetric& scaling, const char* reason,
           const Value& value) {
    const bool relative = scaling.kind != Kind::kTime;
    add_row(
        scaling.kind,
        {model_, scaling.key, scaling.label, scaling.depth, Layer::kAny},
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
          if (compares_work(scaling)) {
            if (reference_name(study_).empty()) return kNoReference;
            if (!has_ended(configuration)) return kNotEnded;
            if (study_.scaling == Scaling::kUnknown) return kNoKind;
          }
          const bool is_of_threads = relative &&
                                     scaling.need != ScalingNeed::kEnergy &&
                                     scaling.need != ScalingNeed::kHosts;
          const JobReport& run = configuration.runs.front().report;
          return is_of_threads && is_unseen(run.totals, EventLayer::kOpenMp)
                     ? kNoThreads
                     : reason;
        },
        value,
        [&](const Configuration& configuration) {
          return scaling.only_grows && !has_ended(configuration);
        });
  }

  void add_row(Kind kind, const Metric& metric,
               const std::function<std::string(const Configuration&)>& reason,
               const Value& value,
               const std::function<bool(const Configuration&)>& is_bound) {
    ScalingRow row = {kind, metric, {}};
    for (size_t column = 0; column < samples_.size(); ++column) {
      std::vector<double> values;
      for (const Sample& s : samples_[column]) values.push_back(value(s));
      ScalingCell cell = {statistics_of(std::move(values)), ""};
      if (cell.values.count == 0) {
        cell.reason = reason(study_.configurations[column]);
      } else {
        cell.is_least = is_bound(study_.configurations[column]);
      }
      row.cells.push_back(std::move(cell));
    }
    rows_.push_back(std::move(row));
  }

  const ScalingStudy& study_;
  const std::string& region_;
  const Model model_;
  // One list for each configuration.
  std::vector<std::vector<Sample>> samples_;
  std::vector<ScalingMetrics> scaling_;  // of the medians
  std::vector<ScalingRow> rows_;
};

bool is_part(const ScalingRow& row) {
  return row.metric.depth > 0 && row.metric.layer != Layer::kDeviceTime &&
         (row.kind == Kind::kEfficiency || row.kind == Kind::kScaling);
}

}  // namespace

std::vector<ScalingRow> scaling_table(const ScalingStudy& study,
                                      const std::string& region, Model model) {
  return ScalingRows(study, region, model).rows();
}

std::string reference_name(const ScalingStudy& study) {
  const Configuration& reference = study.configurations[study.reference];
  return why_no_reference(reference).empty() ? reference.name : "";
}

const ScalingRow& first_efficiency(const ScalingStudy& study,
                                   const std::vector<ScalingRow>& rows) {
  const ScalingRow* const global = row_of(rows, "global_efficiency");
  // The rows of the model follow.
  return study.scaling == Scaling::kUnknown ? *(global + 1) : *global;
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
    // Without counters the rows below this one are all unknown.
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
