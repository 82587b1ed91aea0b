#include "model/window_bounds.h"

#include <algorithm>
#include <limits>

#include "model/totals.h"
#include "model/windows.h"

namespace poprt {
namespace {

struct NamedClock {
  const char* name;
  int64_t RegionTotals::*value;
};
constexpr NamedClock kMarked[kMarkedClocks] = {
    {"cue_ns", &RegionTotals::cue_ns},
    {"com_ns", &RegionTotals::com_ns},
    {"comp_ns", &RegionTotals::comp_ns},
    {"coo_ns", &RegionTotals::coo_ns},
    {"all_ns", &RegionTotals::all_ns}};
constexpr NamedClock kOthers[] = {{"pl_cue_ns", &RegionTotals::pl_cue_ns},
                                  {"coow_ns", &RegionTotals::coow_ns}};

struct Bounds {
  int64_t least_ns = 0;
  int64_t most_ns = 0;
};

// No path of a is longer than all of b.
void order(Bounds* a, Bounds* b) {
  b->least_ns = std::max(b->least_ns, a->least_ns);
  a->most_ns = std::min(a->most_ns, b->most_ns);
}

// What B tells of all windows but one: see the head of the header.
struct Neighbours {
  int64_t ended_ns[kMarkedClocks] = {};  // e
  int64_t begun_ns[kMarkedClocks] = {};  // k
};

std::vector<Neighbours> neighbours_of(const std::vector<WindowMarks>& marks) {
  std::vector<Neighbours> list(marks.size());
  for (int clock = 0; clock < kMarkedClocks; ++clock) {
    int64_t ended_ns = 0;
    for (size_t i = 0; i < marks.size(); ++i) {
      list[i].ended_ns[clock] = ended_ns;
      ended_ns = std::max(ended_ns, marks[i].clocks[clock].end_ns);
    }
    int64_t begun_ns = std::numeric_limits<int64_t>::max();
    for (size_t i = marks.size(); i-- > 0;) {
      list[i].begun_ns[clock] = begun_ns;
      begun_ns = std::min(begun_ns, marks[i].clocks[clock].begin_ns);
    }
  }
  return list;
}

std::vector<ClockBounds> bounds_of(const RegionTotals& window,
                                   const WindowMarks& marks,
                                   const Neighbours& others, bool complete,
                                   bool has_foreign) {
  const bool one_caller = window.mpi_callers <= window.processes;
  Bounds of[kMarkedClocks];
  for (int clock = 0; clock < kMarkedClocks; ++clock) {
    const ClockMarks& m = marks.clocks[clock];
    Bounds& bounds = of[clock];
    bounds.least_ns = m.least_ns;
    // At any time a path is in one process.
    bounds.most_ns = window.elapsed_weighted_ns;
    if (!complete) continue;
    const bool is_com = clock == kMarkedCom || clock == kMarkedComp;
    // A thread sends no more of the process's COM than its own ALL.
    const int64_t begin_ns =
        is_com ? std::min(m.begin_ns, marks.clocks[kMarkedAll].begin_ns)
               : m.begin_ns;
    bounds.most_ns = std::min(bounds.most_ns, m.end_ns - begin_ns);
    if (has_foreign || (is_com && !one_caller)) continue;
    const int64_t least_ns =
        std::min(m.end_ns, others.begun_ns[clock]) - others.ended_ns[clock];
    bounds.least_ns = std::max(bounds.least_ns, least_ns);
  }
  Bounds pl_cue = {std::max(marks.pl_cue_least_ns, window.useful_max_ns),
                   marks.pl_cue_most_ns};
  Bounds& all = of[kMarkedAll];
  all.least_ns = std::max(all.least_ns, window.elapsed_max_ns);
  Bounds& comp = of[kMarkedComp];
  comp.least_ns = std::max(comp.least_ns, window.outside_mpi_max_ns);
  // Each with the longer one, upwards for what is least and downwards for what
  // is most.
  Bounds* const chain[][2] = {
      {&pl_cue, &of[kMarkedCue]}, {&of[kMarkedCue], &of[kMarkedCoo]},
      {&of[kMarkedCoo], &all},    {&of[kMarkedCue], &of[kMarkedCom]},
      {&of[kMarkedCom], &comp},   {&comp, &all}};
  for (const auto& [a, b] : chain) order(a, b);
  for (size_t i = std::size(chain); i-- > 0;) order(chain[i][0], chain[i][1]);

  std::vector<ClockBounds> list;
  const auto add = [&](const NamedClock& clock, const Bounds& bounds) {
    list.push_back({clock.name, bounds.least_ns,
                    std::max(bounds.least_ns, bounds.most_ns)});
  };
  add(kOthers[0], pl_cue);
  for (int clock = 0; clock < kMarkedClocks; ++clock) {
    add(kMarked[clock], of[clock]);
  }
  // A wait that goes on when a window ends is taken back later, so COOW is not
  // followed; it is between these.
  if (keeps_coow(window)) {
    add(kOthers[1], {of[kMarkedCue].least_ns, all.most_ns});
  }
  return list;
}

}  // namespace

bool before(const WindowMarks& a, const WindowMarks& b) {
  return a.key < b.key;
}

void add(WindowMarks* a, const WindowMarks& b) {
  for (int i = 0; i < kMarkedClocks; ++i) {
    ClockMarks& to = a->clocks[i];
    const ClockMarks& from = b.clocks[i];
    to.least_ns = std::max(to.least_ns, from.least_ns);
    to.begin_ns = std::min(to.begin_ns, from.begin_ns);
    to.end_ns = std::max(to.end_ns, from.end_ns);
  }
  a->pl_cue_least_ns = std::max(a->pl_cue_least_ns, b.pl_cue_least_ns);
  a->pl_cue_most_ns = std::max(a->pl_cue_most_ns, b.pl_cue_most_ns);
}

void add_next(WindowMarks* a, const WindowMarks& b) {
  const int64_t most_ns = a->pl_cue_most_ns + b.pl_cue_most_ns;
  add(a, b);
  a->pl_cue_most_ns = most_ns;
}

std::vector<WindowBounds> window_bounds(const JobTotals& job, bool complete) {
  std::vector<WindowBounds> list;
  const std::vector<WindowMarks>& marks = job.window_marks;
  const std::vector<Neighbours> others = neighbours_of(marks);
  for (size_t i = 0; i < marks.size(); ++i) {
    const uint64_t key = marks[i].key;
    if (!is_merged_window(level_of_window(key), index_of_window(key))) continue;
    const auto window = std::ranges::find(job.windows, key, &RegionTotals::key);
    if (window == job.windows.end()) continue;
    // Where B may be that of a thread that has no part in the region.
    const bool has_foreign = job.quality.foreign_threads > 0;
    list.push_back(
        {key, bounds_of(*window, marks[i], others[i], complete, has_foreign)});
  }
  return list;
}

int64_t RegionTotals::*clock_named(const std::string& name) {
  for (const NamedClock& clock : kMarked) {
    if (name == clock.name) return clock.value;
  }
  for (const NamedClock& clock : kOthers) {
    if (name == clock.name) return clock.value;
  }
  return nullptr;
}

void keep_bounds(JobTotals* job) {
  constexpr int64_t kMost = int64_t{1} << 58;
  for (WindowBounds& bounds : job->window_bounds) {
    const auto window =
        std::ranges::find(job->windows, bounds.key, &RegionTotals::key);
    // Each clock once.
    std::ranges::sort(bounds.clocks, {}, &ClockBounds::clock);
    const auto same = [](const ClockBounds& a, const ClockBounds& b) {
      return a.clock == b.clock;
    };
    // Not std::ranges::unique, nor a view: clang 14 has neither with libstdc++.
    bounds.clocks.erase(
        std::unique(bounds.clocks.begin(), bounds.clocks.end(), same),
        bounds.clocks.end());
    std::erase_if(bounds.clocks, [&](const ClockBounds& each) {
      return clock_named(each.clock) == nullptr || window == job->windows.end();
    });
    for (ClockBounds& each : bounds.clocks) {
      each.least_ns = std::clamp<int64_t>(each.least_ns, 0, kMost);
      each.most_ns = std::clamp(each.most_ns, each.least_ns, kMost);
      int64_t& clock = (*window).*clock_named(each.clock);
      clock = std::clamp(clock, each.least_ns, each.most_ns);
    }
  }
}

}  // namespace poprt
