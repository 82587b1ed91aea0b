#include "model/job.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/plausible.h"
#include "model/ratio.h"
#include "model/site_lists.h"

namespace poprt {

const WindowReport* estimated_window(const JobReport& report,
                                     const RegionReport& region) {
  for (const WindowReport& window : report.windows.list) {
    if (&window == &region && !window.bounds.empty()) return &window;
  }
  return nullptr;
}

int64_t lost_core_ns(const RegionTotals& region) {
  return in_all_states_ns(region) - region.useful_sum_ns;
}

namespace {

// A place, and where its name belongs.
struct Named {
  const std::string& module;
  uint64_t offset;
  std::string* name;
};

void locate_all(const Locate& locate, const std::vector<Named>& all) {
  if (locate == nullptr || all.empty()) return;
  std::vector<ConstructTotals> places;
  for (const Named& each : all) {
    ConstructTotals& place = places.emplace_back();
    place.module = each.module;
    place.offset = each.offset;
  }
  const std::vector<std::string> names = locate(places);
  for (size_t i = 0; i < all.size(); ++i) *all[i].name = names[i];
}

// All places are looked for at once, which takes a program of its own.
void report_constructs(const Locate& locate, JobReport* report) {
  std::vector<ConstructReport> all;
  size_t of_job = 0;
  for (const RegionReport& region : report->regions) {
    const bool is_global = region.totals.name == kGlobalRegion;
    const bool known = is_global || region.clocks_complete;
    std::ranges::move(
        construct_reports(
            constructs_in(report->totals.constructs,
                          is_global ? "" : region.totals.name),
            region.totals,
            known ? region.totals.threads * region.totals.all_ns : 0),
        std::back_inserter(all));
    if (is_global) of_job = all.size();  // the first one
  }
  locate_constructs(locate, &all);
  const auto end_of_job = all.begin() + static_cast<ptrdiff_t>(of_job);
  report->constructs.assign(all.begin(), end_of_job);
  report->region_constructs.assign(end_of_job, all.end());
}

// Gives parts of the path that are constructs the names of their places.
void locate_parts(const Locate& locate, LongestPath* path) {
  std::vector<Named> parts;
  for (PathShare& part : path->parts) {
    if (part.module.empty()) continue;
    parts.push_back({part.module, part.offset, &part.location});
  }
  locate_all(locate, parts);
}

// Says of locks without a name where they were initialised.
void locate_locks(const Locate& locate,
                  std::vector<ConstructSiteReport>* sites) {
  std::vector<Named> locks;
  for (ConstructSiteReport& each : *sites) {
    ConstructSiteTotals& totals = each.totals;
    if (totals.lock_module.empty()) continue;
    locks.push_back({totals.lock_module, totals.lock_offset, &totals.lock});
  }
  locate_all(locate, locks);
  for (const Named& each : locks) {
    if (!each.name->empty()) each.name->insert(0, kInitialisedAt);
  }
}

// Whether the clocks of the region whose visits or time are windows are
// complete.
bool windows_are_followed(const RunContext& context, const JobTotals& totals) {
  const std::string name =
      context.windows.visits > 0 ? context.windows.region : kGlobalRegion;
  const auto region = std::ranges::find(
      totals.regions, text_hash(name.data(), name.size()), &RegionTotals::key);
  return region != totals.regions.end() && clocks_complete(totals, *region);
}

// A region's metrics.
RegionReport measured(const JobReport& report, RegionTotals totals,
                      bool complete) {
  RegionReport entry;
  entry.clocks_complete = complete;
  const Layers layers = layers_of(report, entry);
  entry.metrics = metrics_of(totals, layers);
  entry.losses = losses_of(totals, layers);
  entry.missing = missing_in(totals, layers, entry.metrics, entry.losses);
  entry.totals = std::move(totals);
  return entry;
}

WindowReport window_report(const JobReport& report, RegionTotals totals,
                           bool complete,
                           const std::vector<WindowBounds>& bounds) {
  WindowReport window;
  const uint64_t key = totals.key;
  static_cast<RegionReport&>(window) =
      measured(report, std::move(totals), complete);
  window.index = index_of_window(key);
  const auto own = std::ranges::find(bounds, key, &WindowBounds::key);
  if (own == bounds.end() || !complete) return window;
  window.bounds = own->clocks;
  const Layers layers = layers_of(report, window);
  window.range = metric_range(window.totals, layers, window.bounds, metrics_of);
  window.losses_range =
      metric_range(window.totals, layers, window.bounds, losses_of);
  return window;
}

}  // namespace

JobReport make_report(RunContext context, JobTotals totals,
                      const Locate& locate) {
  keep_shared_cores(&totals);
  merge_window_levels(&totals);
  if (!totals.window_marks.empty()) {
    totals.window_bounds =
        window_bounds(totals, windows_are_followed(context, totals));
  }
  keep_bounds(&totals);
  std::vector<bool> window_is_complete;
  for (RegionTotals& window : totals.windows) {
    window_is_complete.push_back(clocks_complete(totals, window));
    window.in_full_tables = std::min(window.in_full_tables, totals.full_tables);
    window.name = window_name(index_of_window(window.key));
  }
  make_plausible(&totals);
  for (RegionTotals& region : totals.regions) {
    region.devices = devices_in(totals.devices, region.name);
  }
  name_parts(totals.regions, &totals.path);
  if (totals.processes == 1) give_only_rank(&totals.path);
  JobReport report;
  for (const EventLayer layer : kAllLayers) {
    report.totals.*flag_of(layer) = totals.*flag_of(layer);
  }
  report.totals.unknown_states = totals.unknown_states;
  report.totals.has_unseen_openmp = totals.has_unseen_openmp;
  report.totals.has_posix_io = totals.has_posix_io;
  report.totals.unmeasured_processes = totals.unmeasured_processes;
  report.context = std::move(context);
  for (RegionTotals& region : totals.regions) {
    if (region.name.empty() || region.processes == 0) continue;
    const bool complete = clocks_complete(totals, region);
    report.regions.push_back(measured(report, std::move(region), complete));
  }
  for (size_t i = 0; i < totals.windows.size(); ++i) {
    report.windows.level = level_of_window(totals.windows[i].key);
    report.windows.list.push_back(
        window_report(report, std::move(totals.windows[i]),
                      window_is_complete[i], totals.window_bounds));
  }
  const auto rank = [](const RegionReport& region) {
    return std::make_tuple(region.totals.name != kGlobalRegion,
                           -lost_core_ns(region.totals));
  };
  std::sort(report.regions.begin(), report.regions.end(),
            [&](const RegionReport& a, const RegionReport& b) {
              const auto rank_a = rank(a);
              const auto rank_b = rank(b);
              return rank_a != rank_b ? rank_a < rank_b
                                      : a.totals.name < b.totals.name;
            });
  locate_parts(locate, &totals.path);
  report.totals = std::move(totals);
  report.totals.regions.clear();
  report.totals.windows.clear();
  report.totals.window_marks.clear();
  report.totals.window_bounds.clear();
  report_constructs(locate, &report);
  report.totals.constructs.clear();
  std::vector<std::string> names;
  for (const RegionReport& region : report.regions) {
    names.push_back(region.totals.name);
  }
  report.calls =
      site_reports<CallReport>(std::move(report.totals.calls), names, locate);
  report.totals.calls.clear();
  report.construct_sites = site_reports<ConstructSiteReport>(
      std::move(report.totals.construct_sites), names, locate);
  locate_locks(locate, &report.construct_sites);
  report.totals.construct_sites.clear();
  note_out_of_range(&report);
  return report;
}

bool is_imported(const JobReport& report) {
  return !report.context.imported_from.empty();
}

double run_time_ns(const JobReport& report, const RegionReport& region) {
  const bool known = region.clocks_complete || is_imported(report);
  return known ? static_cast<double>(region.totals.all_ns) : kUndefined;
}

const RegionReport* global_region(const JobReport& report) {
  if (report.regions.empty()) return nullptr;
  const RegionReport& first = report.regions.front();
  return first.totals.name == kGlobalRegion ? &first : nullptr;
}

int64_t core_ns(const RegionTotals& region) {
  // The whole is at least the sum of its parts, even if a clock was lost on the
  // way.
  return std::max({region.threads * region.all_ns, region.elapsed_weighted_ns,
                   in_all_states_ns(region)});
}

int64_t job_core_ns(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  return global == nullptr ? 0 : core_ns(global->totals);
}

double share_of_core_time(const JobReport& report, double ns) {
  return ratio(ns, static_cast<double>(job_core_ns(report)));
}

bool openmp_has_ended(const JobReport& report) {
  return is_unseen(report.totals, EventLayer::kOpenMp) &&
         !report.context.openmp_runtime.empty();
}

Layers layers_of(const JobReport& report, const RegionReport& region) {
  Layers layers;
  for (const EventLayer layer : kAllLayers) {
    layers.of_program[static_cast<size_t>(layer)] =
        report.totals.*flag_of(layer);
  }
  for (const State state : kAllStates) {
    const EventLayer layer = entry_of(state).layer;
    if (layer == EventLayer::kProgram || is_known(report.totals, state)) {
      continue;
    }
    layers.unknown.set(static_cast<size_t>(layer));
  }
  layers.clocks = region.clocks_complete;
  layers.posix_io = report.totals.has_posix_io;
  layers.unmeasured = report.totals.unmeasured_processes > 0;
  layers.unseen_openmp = report.totals.has_unseen_openmp;
  layers.openmp_ended = openmp_has_ended(report);
  layers.imported = is_imported(report);
  layers.incomplete = is_incomplete(report.context);
  return layers;
}

}  // namespace poprt
