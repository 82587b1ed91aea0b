#include "compare/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "compare/loss_steps.h"
#include "compare/runs.h"
#include "document/format.h"
#include "model/present_rows.h"
#include "model/ratio.h"
#include "report/core_time.h"

namespace poprt {
namespace {

double seconds(double ns) { return ns / 1e9; }

double seconds(int64_t ns) { return seconds(static_cast<double>(ns)); }

const Configuration& largest(const ScalingStudy& study) {
  return study
      .configurations[largest_like(study.configurations, study.reference)];
}

Figure of_configurations(const ScalingStudy& study) {
  Figure figure = {"configuration", {}, {}};
  for (const Configuration& each : study.configurations) {
    figure.names.push_back(each.name);
    figure.places.push_back(place_of(each));
  }
  return figure;
}

double cores_of(const Configuration& configuration) {
  return work_of(configuration.runs.front().report).cores;
}

Series cores_series(const ScalingStudy& study) {
  Series series = {"cores", {}};
  for (const Configuration& each : study.configurations) {
    series.values.push_back(cores_of(each));
  }
  return series;
}

double median_of_row(const ScalingRow* row, size_t column) {
  if (row == nullptr || row->cells[column].values.count == 0) return kUndefined;
  return row->cells[column].values.median;
}

std::vector<ScalingRow> rows_of(const ScalingStudy& study,
                                const ScalingOptions& options) {
  return scaling_table(study, options.regions.front(), options.models.front());
}

// Medians, with how far repeated runs are apart.
Series medians(const std::vector<ScalingRow>& rows, std::string_view key,
               size_t columns) {
  const ScalingRow* const row = row_of(rows, key);
  Series series = {std::string(key), {}};
  if (row != nullptr) series.label = row->metric.label;
  for (size_t i = 0; i < columns; ++i) {
    const double median = median_of_row(row, i);
    const bool is_known = !std::isnan(median);
    series.values.push_back(median);
    series.least.push_back(is_known ? row->cells[i].values.min : kUndefined);
    series.most.push_back(is_known ? row->cells[i].values.max : kUndefined);
  }
  return series;
}

// Efficiencies and scalings as rows, configurations as columns.
Figure table_figure(const ScalingStudy& study, const ScalingOptions& options) {
  Figure figure = {"metric", {}, {}};
  for (const Configuration& each : study.configurations) {
    figure.series.push_back({each.name, {}});
    figure.places.push_back(place_of(each));
  }
  for (const ScalingRow& row : rows_of(study, options)) {
    if (row.kind != ScalingKind::kEfficiency &&
        row.kind != ScalingKind::kScaling) {
      continue;
    }
    figure.names.emplace_back(row.metric.key);
    figure.labels.emplace_back(row.metric.label);
    for (size_t i = 0; i < figure.series.size(); ++i) {
      const double value = median_of_row(&row, i);
      const bool is_red = figure.places[i].is_red;
      const Grade grade = is_red || std::isnan(value)
                              ? Grade::kNone
                              : grade_of(row, value, options.thresholds);
      figure.series[i].values.push_back(value);
      figure.series[i].grades.emplace_back(key_of(grade));
    }
  }
  return figure;
}

// Where the core time of each configuration's first run went.
Figure breakdown_figure(const ScalingStudy& study,
                        const ScalingOptions& /*options*/) {
  Figure figure = of_configurations(study);
  for (size_t i = 0; i < study.configurations.size(); ++i) {
    const JobReport& report = study.configurations[i].runs.front().report;
    if (job_core_ns(report) <= 0) continue;
    for (const Bar& bar : core_time_bars(report).bars) {
      auto series = std::ranges::find(figure.series, bar.key, &Series::key);
      if (series == figure.series.end()) {
        // Where a run has no such part, it is 0, if that is known.
        series = figure.series.insert(
            series, {bar.key, std::vector<double>(figure.names.size(), 0.0),
                     bar.label});
        series->texts.assign(figure.names.size(), percent(0));
      }
      series->values[i] = bar.part;
      series->texts[i] = fmt::format("{:.1f}", bar.tenths / 10.0);
    }
  }
  for (Series& series : figure.series) {
    for (size_t i = 0; i < study.configurations.size(); ++i) {
      const JobReport& report = study.configurations[i].runs.front().report;
      if (is_known_part(report.totals, series.key)) continue;
      series.values[i] = kUndefined;
      series.texts[i] = "-";
    }
  }
  return figure;
}

// From all core time down to the useful part, one loss after the other.
Figure waterfall_figure(const ScalingStudy& study,
                        const ScalingOptions& options) {
  Figure figure = {"loss", {}, {{"from", {}}, {"to", {}}}};
  const Configuration& configuration = largest(study);
  figure.places = {place_of(configuration)};
  const RegionReport* const region =
      configuration.runs.front().region(options.regions.front());
  const std::vector<Metric> metrics =
      shown_metrics({&configuration}, options.models.front());
  if (region == nullptr) return figure;
  const std::vector<Metric> losses = loss_steps(metrics, *region);
  if (losses.empty()) return figure;
  double left = 1;
  const auto add = [&](const char* name, const Metric& metric, double from,
                       double to) {
    figure.names.emplace_back(name);
    figure.labels.emplace_back(metric.label);
    figure.colours.emplace_back(colour_of(metric));
    figure.series[0].values.push_back(from);
    figure.series[1].values.push_back(to);
  };
  for (const Metric& loss : losses) {
    const double lost = loss.value(region->losses);
    add(loss.key, loss, left, left - lost);
    left -= lost;
  }
  add("useful", metrics.front(), left, 0);
  return figure;
}

Figure speedup_figure(const ScalingStudy& study,
                      const ScalingOptions& options) {
  Figure figure = of_configurations(study);
  const std::vector<ScalingRow> rows = rows_of(study, options);
  const ScalingRow* const time = row_of(rows, "run_time_ns");
  const ScalingRow* const speedup = row_of(rows, "speedup");
  const size_t count = figure.names.size();
  const auto add = [&](const char* key, const auto& value) {
    Series series = {key, {}};
    for (size_t i = 0; i < count; ++i) series.values.push_back(value(i));
    figure.series.push_back(std::move(series));
  };
  const auto cores = [&](size_t i) {
    return cores_of(study.configurations[i]);
  };
  const auto of_row = [](const ScalingRow* row, double Statistics::*member) {
    return [=](size_t i) {
      const bool is_known = row != nullptr && row->cells[i].values.count > 0;
      return is_known ? row->cells[i].values.*member : kUndefined;
    };
  };
  const auto in_seconds = [&](double Statistics::*member) {
    return [=](size_t i) { return seconds(of_row(time, member)(i)); };
  };
  figure.series.push_back(cores_series(study));
  add("run_time_s", in_seconds(&Statistics::median));
  add("run_time_min_s", in_seconds(&Statistics::min));
  add("run_time_max_s", in_seconds(&Statistics::max));
  figure.series.push_back(medians(rows, "speedup", count));
  add("speedup_min", of_row(speedup, &Statistics::min));
  add("speedup_max", of_row(speedup, &Statistics::max));
  const auto ideal = [&](size_t i) {
    return cores(i) / cores(study.reference);
  };
  add("ideal", ideal);
  add("limit", [&](size_t i) { return options.thresholds.good * ideal(i); });
  for (const char* key :
       {"speedup_efficiency", "global_efficiency", "parallel_efficiency"}) {
    figure.series.push_back(medians(rows, key, count));
  }
  return figure;
}

Figure computation_figure(const ScalingStudy& study,
                          const ScalingOptions& options) {
  Figure figure = of_configurations(study);
  figure.series.push_back(cores_series(study));
  const std::vector<ScalingRow> rows = rows_of(study, options);
  for (const char* key : {"computation_scaling", "instruction_scaling",
                          "ipc_scaling", "frequency_scaling"}) {
    figure.series.push_back(medians(rows, key, figure.names.size()));
  }
  return figure;
}

Figure regions_figure(const ScalingStudy& study,
                      const ScalingOptions& /*options*/) {
  const JobReport& report = largest(study).runs.front().report;
  Figure figure = {
      "region",
      {},
      {{"run_time_s", {}}, {"useful_core_s", {}}, {"lost_core_s", {}}}};
  figure.places = {place_of(largest(study))};
  for (const RegionReport& region : report.regions) {
    if (&region == global_region(report)) continue;
    figure.names.push_back(region.totals.name);
    figure.series[0].values.push_back(seconds(run_time_ns(report, region)));
    figure.series[1].values.push_back(seconds(region.totals.useful_sum_ns));
    figure.series[2].values.push_back(seconds(lost_core_ns(region.totals)));
  }
  return figure;
}

// Sums over each process's threads.
Figure processes_figure(const ScalingStudy& study,
                        const ScalingOptions& options) {
  const RunFile& run = largest(study).runs.front();
  const RegionReport* const region = run.region(options.regions.front());
  Figure figure = {"rank", {}, {{"elapsed_s", {}}}};
  figure.places = {place_of(largest(study))};
  for (const StateEntry& state : kStateTable) {
    figure.series.push_back({std::string(state.colour) + "_s", {}});
    figure.series.back().label = state.name;
  }
  if (region == nullptr) return figure;
  for (const ProcessRow& row : region->totals.rows) {
    figure.names.push_back(std::to_string(row.rank));
    figure.series[0].values.push_back(seconds(row.elapsed_ns));
    for (size_t i = 0; i < kStates; ++i) {
      const State state = kAllStates[i];
      figure.series[i + 1].values.push_back(
          is_known(run.report.totals, state)
              ? seconds(row.*process_time_of(state))
              : kUndefined);
    }
  }
  return figure;
}

// The efficiencies of each window, with their bounds.
Figure windows_figure(const ScalingStudy& study,
                      const ScalingOptions& options) {
  const Configuration& configuration = largest(study);
  const JobReport& report = configuration.runs.front().report;
  Figure figure = {"window", {}, {{"run_time_s", {}}}};
  figure.places = {place_of(configuration)};
  for (const WindowReport& window : report.windows.list) {
    figure.names.push_back(std::to_string(window.index + 1));
    figure.series.front().values.push_back(
        seconds(run_time_ns(report, window)));
  }
  for (const Metric& metric :
       shown_metrics({&configuration}, options.models.front())) {
    if (!metric.is_efficiency()) continue;
    Series series = {metric.key, {}};
    series.label = metric.label;
    for (const WindowReport& window : report.windows.list) {
      const bool is_exact = window.bounds.empty();
      series.values.push_back(metric.value(window.metrics));
      series.least.push_back(
          metric.value(is_exact ? window.metrics : window.range.least));
      series.most.push_back(
          metric.value(is_exact ? window.metrics : window.range.most));
    }
    figure.series.push_back(std::move(series));
  }
  return figure;
}

constexpr FigureKind kKinds[] = {
    {"table", "efficiencies and scalings of each configuration", table_figure,
     ""},
    {"breakdown", "what the core time of each configuration was spent on",
     breakdown_figure, "nothing was measured"},
    {"waterfall", "the losses from all core time to the useful part",
     waterfall_figure, "the largest run has no such region", false, true},
    {"speedup", "run time, speedup and efficiency over cores", speedup_figure,
     "", true},
    {"computation", "Computation Scaling and its factors", computation_figure,
     "", true},
    {"regions", "useful and lost core time of each region", regions_figure,
     "the largest run has no regions but Global"},
    {"processes", "times of each process", processes_figure,
     "the largest run has no rows of processes (poprt run --rows process)"},
    {"windows", "efficiencies over time", windows_figure,
     "the largest run has no windows (poprt run --windows)"},
};

}  // namespace

Place place_of(const Configuration& configuration) {
  const JobReport& report = configuration.runs.front().report;
  const RegionReport* const global = global_region(report);
  const JobTotals& totals = report.totals;
  const bool is_known =
      global != nullptr && !is_unseen(totals, EventLayer::kOpenMp);
  return {configuration.name,
          configuration.letter,
          is_known ? static_cast<double>(global->totals.threads) : kUndefined,
          totals.processes,
          totals.threads_max,
          is_red(configuration)};
}

std::span<const FigureKind> figure_kinds() { return kKinds; }

const char* why_not_drawn(const FigureKind& kind, const Figure& figure) {
  if (kind.names_losses && figure.places.front().is_red) {
    return "the light of that run is red, so no loss is named: poprt report "
           "says why";
  }
  if (!kind.is_curve) return nullptr;
  // The cores stand first.
  std::set<double> sizes;
  for (const double cores : figure.series.front().values) {
    if (!std::isnan(cores)) sizes.insert(cores);
  }
  if (sizes.size() < 2) {
    return "all runs have as many cores, which makes no curve";
  }
  const bool is_known = std::any_of(
      figure.series.begin() + 1, figure.series.end(), [](const Series& series) {
        return !series.label.empty() &&
               !std::ranges::all_of(
                   series.values, [](double each) { return std::isnan(each); });
      });
  return is_known ? nullptr : "nothing of it is known";
}

const FigureKind* figure_kind(std::string_view key) {
  const auto* const found = std::ranges::find_if(
      kKinds, [&](const FigureKind& each) { return each.key == key; });
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace poprt
