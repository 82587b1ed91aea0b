#include "compare/runs.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "report/format.h"
#include "report/heading.h"
#include "report/table.h"

namespace poprt {
namespace {

auto shape_of(const JobTotals& totals) {
  return std::make_tuple(totals.threads, totals.threads_max, totals.threads_min,
                         totals.processes);
}

}  // namespace

RunFile::RunFile(std::string path_of_file, JobReport run)
    : path(std::move(path_of_file)), report(std::move(run)) {
  for (size_t i = 0; i < report.regions.size(); ++i) {
    places_.emplace(report.regions[i].totals.name, i);
  }
}

const RegionReport* RunFile::region(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &report.regions[found->second];
}

std::vector<Configuration> configurations_of(std::vector<RunFile> runs) {
  std::sort(runs.begin(), runs.end(), [](const RunFile& a, const RunFile& b) {
    const auto shape_a = shape_of(a.report.totals);
    const auto shape_b = shape_of(b.report.totals);
    return shape_a != shape_b ? shape_a < shape_b : a.path < b.path;
  });
  std::vector<Configuration> result;
  for (RunFile& run : runs) {
    const JobTotals& totals = run.report.totals;
    if (result.empty() ||
        shape_of(result.back().runs[0].report.totals) != shape_of(totals)) {
      result.push_back({short_shape(totals), {}});
    }
    result.back().runs.push_back(std::move(run));
  }
  return result;
}

std::string names_of(const std::vector<Configuration>& configurations) {
  std::string names;
  for (const Configuration& configuration : configurations) {
    names += (names.empty() ? "" : ", ") + configuration.name;
  }
  return shortened(names, 200);
}

const Configuration* configuration_named(
    const std::vector<Configuration>& configurations, const std::string& name) {
  for (const Configuration& configuration : configurations) {
    if (configuration.name == name) return &configuration;
  }
  return nullptr;
}

std::string incomparable(const std::vector<Configuration>& configurations,
                         bool any_program) {
  const RunFile* named = nullptr;  // the first whose program is known
  for (const Configuration& configuration : configurations) {
    for (const RunFile& run : configuration.runs) {
      const RegionReport* const global = global_region(run.report);
      if (global == nullptr || global->totals.useful_sum_ns == 0) {
        return printable(run.path) +
               " has no useful time: there is nothing to compare. Leave it "
               "out.";
      }
      if (any_program || is_imported(run.report)) continue;
      if (named == nullptr) named = &run;
      const std::string& first = named->report.context.program;
      const std::string& program = run.report.context.program;
      if (program == first) continue;
      return "runs of different programs: " + printable(first) + " in " +
             printable(named->path) + ", " + printable(program) + " in " +
             printable(run.path) + ". --any-program compares them.";
    }
  }
  return "";
}

std::vector<RegionRun> runs_with(const Configuration& configuration,
                                 const std::string& region) {
  std::vector<RegionRun> runs;
  for (const RunFile& run : configuration.runs) {
    const RegionReport* const found = run.region(region);
    if (found != nullptr) runs.push_back({&run.report, found});
  }
  return runs;
}

Statistics statistics_over(const std::vector<RegionRun>& runs,
                           const RegionValue& value) {
  std::vector<double> values;
  for (const RegionRun& run : runs) values.push_back(value(run));
  return statistics_of(std::move(values));
}

std::vector<std::string> region_names(
    const std::vector<Configuration>& configurations) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (auto it = configurations.rbegin(); it != configurations.rend(); ++it) {
    for (const RunFile& run : it->runs) {
      for (const RegionReport& region : run.report.regions) {
        const std::string& name = region.totals.name;
        if (seen.insert(name).second) names.push_back(name);
      }
    }
  }
  return names;
}

std::vector<Metric> shown_metrics(
    const std::vector<const Configuration*>& configurations, Model model) {
  std::vector<Metric> metrics;
  size_t count;
  const Metric* const table = metric_table(&count);
  const auto exists = [&](const Metric& metric) {
    return std::any_of(configurations.begin(), configurations.end(),
                       [&](const Configuration* configuration) {
                         return std::any_of(configuration->runs.begin(),
                                            configuration->runs.end(),
                                            [&](const RunFile& run) {
                                              return layer_present(
                                                  run.report, metric.layer);
                                            });
                       });
  };
  std::copy_if(table, table + count, std::back_inserter(metrics),
               [&](const Metric& metric) {
                 return metric.model == model && exists(metric);
               });
  return metrics;
}

std::vector<Model> usual_models(
    const std::vector<Configuration>& configurations) {
  const RunFile* usual = &configurations.front().runs.front();
  for (const Configuration& configuration : configurations) {
    for (const RunFile& run : configuration.runs) {
      if (is_imported(run.report)) usual = &run;
    }
  }
  return usual_models(usual->report);
}

std::string undefined_reason(const Configuration& configuration,
                             const std::string& region, const Metric& metric) {
  const std::vector<RegionRun> runs = runs_with(configuration, region);
  if (runs.empty()) return no_region(configuration, region);
  const JobReport& run = *runs.front().run;
  const std::string reason =
      undefined_reason(run, *runs.front().region, metric);
  return layer_present(run, metric.layer) ? reason
                                          : configuration.name + " " + reason;
}

std::string no_region(const Configuration& configuration,
                      const std::string& region) {
  return configuration.name + " has no region " + printable(region);
}

}  // namespace poprt
