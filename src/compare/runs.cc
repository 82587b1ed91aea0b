#include "compare/runs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "compare/reference.h"
#include "compare/variants.h"
#include "document/format.h"
#include "model/judge.h"
#include "model/present_rows.h"
#include "model/quantities.h"
#include "model/terms.h"
#include "report/heading.h"
#include "report/incomplete.h"
#include "report/reasons.h"

namespace poprt {
namespace {

auto shape_of(const JobTotals& totals) {
  return std::make_tuple(totals.threads, totals.threads_max, totals.threads_min,
                         totals.processes,
                         is_unseen(totals, EventLayer::kOpenMp));
}

// A metric of counters that no run knows alone: from the medians of each
// counter over the runs that have it.  NaN if they do not know it together
// either.
double of_all_counters(const std::vector<RegionRun>& runs,
                       const Metric& metric) {
  std::map<std::string, std::vector<double>> counts;
  for (const RegionRun& run : runs) {
    for_each_counter(run.region->totals.amounts, [&](std::string_view counter,
                                                     int64_t count) {
      counts[counter_amount(counter)].push_back(static_cast<double>(count));
    });
  }
  RegionTotals all;
  for (auto& [name, values] : counts) {
    set_amount(name, std::llround(statistics_of(std::move(values)).median),
               &all.amounts);
  }
  return metric.formula(Inputs(all, /*clocks_complete=*/false));
}

// Takes the runs that did not come to their end out of repetitions, if others
// did.
std::vector<RunFile> take_out_killed(std::vector<RunFile>* runs) {
  std::vector<RunFile> ended;
  std::vector<RunFile> killed;
  for (RunFile& run : *runs) {
    (is_incomplete(run.report.context) ? killed : ended)
        .push_back(std::move(run));
  }
  if (ended.empty()) std::swap(ended, killed);
  *runs = std::move(ended);
  return killed;
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
  using Key = std::pair<decltype(shape_of({})), Variant>;
  std::map<Key, std::vector<RunFile>> sets;
  for (RunFile& run : runs) {
    const Key key = {shape_of(run.report.totals), variant_of(run.report)};
    sets[key].push_back(std::move(run));
  }
  std::map<Variant, std::string> letters;
  bool lettered = false;  // the shape has several variants
  for (auto it = sets.begin(); it != sets.end(); ++it) {
    letters[it->first.second];
    lettered |=
        it != sets.begin() && std::prev(it)->first.first == it->first.first;
  }
  size_t count = 0;
  for (auto& [variant, letter] : letters) letter = letter_of(count++);
  std::vector<Configuration> result;
  for (auto& [key, same] : sets) {
    std::sort(same.begin(), same.end(), [](const RunFile& a, const RunFile& b) {
      return a.path < b.path;
    });
    const std::string letter = lettered ? letters[key.second] : "";
    const std::string shape = short_shape(same.front().report.totals);
    std::vector<RunFile> left_out = take_out_killed(&same);
    result.push_back(
        {shape + letter, std::move(same), letter, std::move(left_out)});
  }
  return result;
}

const Configuration* counterpart_of(const Configuration& configuration,
                                    const std::vector<Configuration>& others) {
  const auto first_run = [](const Configuration& each) -> const JobReport& {
    return each.runs.front().report;
  };
  const JobReport& own = first_run(configuration);
  std::vector<const Configuration*> alike;
  for (const Configuration& other : others) {
    if (shape_of(first_run(other).totals) == shape_of(own.totals)) {
      alike.push_back(&other);
    }
  }
  // The only one of them for which is_same() holds.
  const auto only = [&](const auto& is_same) -> const Configuration* {
    const Configuration* found = nullptr;
    for (const Configuration* other : alike) {
      if (!is_same(first_run(*other))) continue;
      if (found != nullptr) return nullptr;
      found = other;
    }
    return found;
  };
  const Configuration* const same = only([&](const JobReport& other) {
    return variant_of(other) == variant_of(own);
  });
  if (same != nullptr) return same;
  const Configuration* const started_alike = only([&](const JobReport& other) {
    return other.context.command == own.context.command;
  });
  if (started_alike != nullptr) return started_alike;
  return alike.size() == 1 ? alike.front() : nullptr;
}

bool have_shape_of(const Configuration& configuration,
                   const std::vector<Configuration>& others) {
  const auto shape = shape_of(configuration.runs.front().report.totals);
  return std::any_of(others.begin(), others.end(), [&](const auto& other) {
    return shape_of(other.runs.front().report.totals) == shape;
  });
}

size_t largest_like(const std::vector<Configuration>& configurations,
                    size_t reference) {
  const auto cores = [](const Configuration& each) {
    return each.runs.front().report.totals.threads;
  };
  const Configuration& own = configurations[reference];
  std::optional<size_t> last;
  for (size_t i = configurations.size(); i-- > 0;) {
    const Configuration& each = configurations[i];
    if (!why_no_reference(each).empty()) continue;
    if (each.letter == own.letter && cores(each) > cores(own)) return i;
    if (!last) last = i;
  }
  return last.value_or(configurations.size() - 1);
}

bool has_ended(const Configuration& configuration) {
  return std::ranges::none_of(configuration.runs, [](const RunFile& run) {
    return is_incomplete(run.report.context);
  });
}

bool is_least(const Configuration& configuration, const Metric& metric) {
  return std::ranges::any_of(configuration.runs, [&](const RunFile& run) {
    return is_least(run.report.context, metric);
  });
}

Light worst_light(const std::vector<RunFile>& runs) {
  Light worst = Light::kGreen;
  for (const RunFile& run : runs) {
    worst = std::max(worst, judge(run.report).light);
  }
  return worst;
}

Light light_of(const Configuration& configuration) {
  return worst_light(configuration.runs);
}

const JobReport& typical_run(const Configuration& configuration) {
  std::vector<std::pair<double, const JobReport*>> runs;
  for (const RunFile& each : configuration.runs) {
    const RegionReport* const global = global_region(each.report);
    const double ns =
        global == nullptr ? kUndefined : run_time_ns(each.report, *global);
    runs.emplace_back(std::isnan(ns) ? 0 : ns, &each.report);
  }
  const auto middle = runs.begin() + static_cast<int64_t>(runs.size() - 1) / 2;
  std::ranges::nth_element(runs, middle);
  return *middle->second;
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
  const RunFile* named = nullptr;  // the first run whose program is known
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

Statistics statistics_over(const Configuration& configuration,
                           const JobNumber& number) {
  std::vector<double> values;
  for (const RunFile& run : configuration.runs) {
    values.push_back(number.value(run.report));
  }
  return statistics_of(std::move(values));
}

Statistics statistics_over(const std::vector<RegionRun>& runs,
                           const RegionValue& value) {
  std::vector<double> values;
  for (const RegionRun& run : runs) values.push_back(value(run));
  return statistics_of(std::move(values));
}

Statistics statistics_over(const std::vector<RegionRun>& runs,
                           const Metric& metric) {
  const Statistics values = statistics_over(runs, [&](const RegionRun& run) {
    return metric.value(run.region->metrics);
  });
  return values.count == 0 && is_counted(metric.layer)
             ? statistics_of({of_all_counters(runs, metric)})
             : values;
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
  const auto exists = [&](const Metric& metric) {
    return std::any_of(configurations.begin(), configurations.end(),
                       [&](const Configuration* configuration) {
                         return std::any_of(configuration->runs.begin(),
                                            configuration->runs.end(),
                                            [&](const RunFile& run) {
                                              return row_present(run.report,
                                                                 metric);
                                            });
                       });
  };
  std::ranges::copy_if(metrics_in(model), std::back_inserter(metrics), exists);
  return metrics;
}

std::vector<Metric> compared_metrics(
    const std::vector<const Configuration*>& configurations, Model model) {
  std::vector<Metric> metrics = shown_metrics(configurations, model);
  if (model != Model::kCriticalPath) return metrics;
  std::ranges::copy_if(
      shown_metrics(configurations, Model::kTalp), std::back_inserter(metrics),
      [](const Metric& each) { return each.layer == Layer::kDeviceTime; });
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
  const std::string reason = undefined_reason(*runs.front().region, metric);
  // The reasons of absent layers begin with "ran without".
  const bool ran_without =
      !is_counted(metric.layer) && !layer_present(run, metric.layer);
  return ran_without ? configuration.name + " " + reason : reason;
}

std::string no_region(const Configuration& configuration,
                      const std::string& region) {
  return configuration.name + " has no region " + printable(region);
}

}  // namespace poprt
