// Windows against regions that are marked at the same times: the same numbers,
// to the nanosecond.
#include "measure/windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "measure/call_cost.h"
#include "measure/openmp_losses.h"
#include "measure/process.h"
#include "model/members.h"
#include "model/quantities.h"
#include "model/window_bounds.h"
#include "model/windows.h"

namespace poprt {
namespace {

constexpr char kStep[] = "step";

std::string window_name(int64_t index) { return "w" + std::to_string(index); }

// A process with the threads that the test moves.
struct Rank {
  explicit Rank(const WindowSpec& spec, int count)
      : process(RegionSelection(), PathChoice(), spec) {
    for (int i = 0; i < count; ++i) {
      threads.push_back(&process.add_thread(
          i == 0 ? ThreadKind::kProgram : ThreadKind::kWorker, 0));
      threads.back()->set_member();
      threads.back()->joins_team();
    }
    // They do what they like, so the process is no line.
    if (count > 1) primary().keep_com();
  }
  Thread& primary() { return *threads[0]; }
  void open(const std::string& name, int64_t now) {
    primary().book(now);
    process.region_start(primary(), name);
  }
  void close(const std::string& name, int64_t now) {
    primary().book(now);
    process.region_stop(primary(), name);
  }

  Process process;
  std::vector<Thread*> threads;
};

WindowSpec visits(int64_t count) { return {kStep, count, 0}; }
WindowSpec length(int64_t ns) { return {"", 0, ns}; }

constexpr Quantity kSomething = {"something_sum_ns", "", std::nullopt, 0};
constexpr Quantity kTimed = {"timed_sum_ns", "", std::nullopt, 0};

constexpr size_t kMostRanks = 4;

// The same program twice: with windows, and with a region for each window of
// the given level.
class Twice {
 public:
  Twice(const WindowSpec& spec, int ranks, int threads, int level)
      : spec_(spec), level_(level), step_(static_cast<size_t>(ranks), -1) {
    for (int i = 0; i < ranks; ++i) {
      with_.push_back(std::make_unique<Rank>(spec, threads));
      marked_.push_back(std::make_unique<Rank>(WindowSpec(), threads));
      both(i, [](Rank& rank) { rank.open("Global", 0); });
      if (spec.length_ns > 0) marked_.back()->open(window_name(0), 0);
    }
  }

  int64_t now() const { return now_; }
  void pass(int64_t ns) { now_ += ns; }

  template <class Do>
  void both(int rank, Do action) {
    action(*with_[rank]);
    action(*marked_[rank]);
  }
  void event(int rank, int thread, State state) {
    mark_boundaries();
    both(rank, [&](Rank& r) { r.threads[thread]->switch_to(state, now_); });
  }
  // Begins and ends a visit.
  void begin(int rank) {
    ++step_[rank];
    with_[rank]->open(kStep, now_);
    marked_[rank]->open(name_of(step_[rank] / spec_.visits), now_);
  }
  void end(int rank) {
    with_[rank]->close(kStep, now_);
    marked_[rank]->close(name_of(step_[rank] / spec_.visits), now_);
  }
  int64_t visit(int rank) const { return step_[rank]; }
  void message(int from, int from_thread, int to, int to_thread,
               int64_t under_way_ns) {
    ClockMessage with;
    ClockMessage marked;
    mark_boundaries();
    const auto send = [&](Rank& rank, ClockMessage* message) {
      rank.threads[from_thread]->book(now_);
      rank.threads[from_thread]->store_to(*message);
    };
    send(*with_[from], &with);
    send(*marked_[from], &marked);
    pass(under_way_ns);
    mark_boundaries();
    const auto receive = [&](Rank& rank, const ClockMessage& message) {
      rank.threads[to_thread]->book(now_);
      rank.threads[to_thread]->merge(message);
    };
    receive(*with_[to], with);
    receive(*marked_[to], marked);
    // Global, the region, and the windows that somebody may still be in, each
    // with an entry of COMP.
    EXPECT_LE(with.count, 2 * (2 + kLiveWindows));
  }
  void synchronise(int rank, int from, int to) {
    mark_boundaries();
    both(rank, [&](Rank& r) {
      SyncClock sync;
      r.threads[from]->book(now_);
      r.threads[from]->store_to(sync);
      r.threads[to]->book(now_);
      r.threads[to]->merge(sync);
    });
  }
  // All threads of all processes wait for each other.
  void barrier() {
    mark_boundaries();
    for (auto* const ranks : {&with_, &marked_}) {
      ClockMessage all;
      SyncClock own[kMostRanks];
      for (size_t i = 0; i < ranks->size(); ++i) {
        Rank& rank = *(*ranks)[i];
        for (Thread* thread : rank.threads) {
          thread->book(now_);
          thread->raise_to(own[i]);
        }
        rank.primary().merge(own[i]);
        ClockMessage message;
        rank.primary().store_to(message);
        merge(all, message, ClockMessage::kCapacity);
      }
      for (size_t i = 0; i < ranks->size(); ++i) {
        for (Thread* thread : (*ranks)[i]->threads) {
          thread->merge(own[i]);
          thread->merge(all);
        }
      }
    }
  }
  void count(int rank, int thread, int64_t amount) {
    mark_boundaries();
    both(rank, [&](Rank& r) {
      r.threads[thread]->book(now_);
      r.threads[thread]->add_amount(kSomething, amount);
    });
  }
  void start_timing(int rank, int thread) {
    both(rank, [&](Rank& r) {
      r.threads[thread]->start_timing(State::kMpi,
                                      r.process.account_of(kTimed));
    });
  }

  JobTotals with_windows() {
    mark_boundaries();
    return combined(with_);
  }
  JobTotals with_regions() { return combined(marked_); }

 private:
  std::string name_of(int64_t step) const {
    return window_name(window_begin(step) >> level_);
  }
  // In the program with regions, windows in time end by themselves.
  void mark_boundaries() {
    if (spec_.length_ns == 0) return;
    for (; (boundary_ + 1) * spec_.length_ns <= now_; ++boundary_) {
      for (const auto& rank : marked_) {
        const int64_t at = (boundary_ + 1) * spec_.length_ns;
        if (name_of(boundary_) == name_of(boundary_ + 1)) continue;
        rank->close(name_of(boundary_), at);
        rank->open(name_of(boundary_ + 1), at);
      }
    }
  }
  JobTotals combined(const std::vector<std::unique_ptr<Rank>>& ranks) const {
    JobTotals job;
    for (const auto& rank : ranks) {
      rank->primary().book(now_);
      job = combine(job, rank->process.totals(now_, "node"));
    }
    return job;
  }

  const WindowSpec spec_;
  const int level_;
  std::vector<std::unique_ptr<Rank>> with_;
  std::vector<std::unique_ptr<Rank>> marked_;
  std::vector<int64_t> step_;
  int64_t boundary_ = 0;
  int64_t now_ = 0;
};

const RegionTotals* find(const std::vector<RegionTotals>& list,
                         const std::string& name) {
  for (const RegionTotals& region : list) {
    if (region.name == name) return &region;
  }
  return nullptr;
}

bool is_clock(int64_t RegionTotals::*member) {
  for (const auto clock :
       {&RegionTotals::pl_cue_ns, &RegionTotals::cue_ns, &RegionTotals::com_ns,
        &RegionTotals::comp_ns, &RegionTotals::coo_ns, &RegionTotals::all_ns}) {
    if (member == clock) return true;
  }
  return false;
}

// Of what parallel regions lose.
constexpr const Quantity* kSources[] = {
    &kMpiInside,        &kOpenMpMpiInside,  &kOpenMpAcceleratorInside,
    &kOpenMpSerialised, &kOpenMpNotStarted, &kOpenMpScheduling};
bool is_source(std::string_view name) {
  return std::ranges::any_of(
      kSources, [&](const Quantity* source) { return name == source->name; });
}

// Whether messages have room for COMP of each region beside COM.
bool has_room_for_comp(const JobTotals& marked) {
  return 2 * marked.regions.size() <= kTravellingRegions;
}

// Whether a path from the begin of one window goes on at the end of the one
// before, whatever the process.
enum class Paths { kOwn, kMeet };

// Compares all members of each window with the region of the same time. Of
// merged windows the clocks are sums, which are those of a path only where
// paths meet between windows.
void expect_equal(const JobTotals& with, const JobTotals& marked, int level,
                  Paths paths = Paths::kOwn) {
  size_t regions = 0;
  for (const RegionTotals& region : marked.regions) {
    regions += region.name[0] == 'w' ? 1 : 0;
  }
  EXPECT_EQ(regions, with.windows.size());
  for (const RegionTotals& window : with.windows) {
    ASSERT_EQ(level, level_of_window(window.key));
    const int64_t index = index_of_window(window.key);
    SCOPED_TRACE(window_name(index));
    const RegionTotals* const region = find(marked.regions, window_name(index));
    ASSERT_NE(nullptr, region);
    const bool merged = is_merged_window(level, index);
    for (const Member<RegionTotals>& member : kRegionMembers) {
      // Parts of a merged window were opened one by one.
      if (member.value == &RegionTotals::visits ||
          member.value == &RegionTotals::visits_max) {
        continue;
      }
      if ((member.value == &RegionTotals::comp_ns ||
           member.value == &RegionTotals::in_full_tables) &&
          !has_room_for_comp(marked)) {
        continue;
      }
      if (!merged || paths == Paths::kMeet || !is_clock(member.value)) {
        EXPECT_EQ(region->*member.value, window.*member.value) << member.name;
      }
    }
    for (const Amount& each : region->amounts) {
      // In which window the runtime's own time was is not known if one cuts an
      // interval: of sources, only the sums over all windows are exact.
      if (is_source(each.name)) continue;
      // Windows keep no maxima of processes.
      if (is_maximum(each.name)) continue;
      EXPECT_EQ(each.value, amount(window.amounts, each.name)) << each.name;
    }
    EXPECT_LE(window.elapsed_max_ns, window.all_ns);
    EXPECT_LE(window.useful_max_ns, window.pl_cue_ns);
    EXPECT_LE(window.pl_cue_ns, window.cue_ns);
    EXPECT_LE(window.cue_ns, window.coo_ns);
    EXPECT_LE(window.coo_ns, window.all_ns);
    EXPECT_LE(window.cue_ns, window.com_ns);
    EXPECT_LE(window.com_ns, window.comp_ns);
    EXPECT_LE(window.comp_ns, window.all_ns);
  }
  EXPECT_EQ(0, with.quality.closure_error_ns);
}

// The clocks of a merged window are between its bounds, which meet where paths
// do.  (COM of several threads that call MPI has a wider one.)
void expect_bounds(const JobTotals& with, const JobTotals& marked,
                   Paths paths = Paths::kOwn) {
  for (const WindowBounds& window : window_bounds(with, true)) {
    const std::string name = window_name(index_of_window(window.key));
    SCOPED_TRACE(name);
    const RegionTotals* const region = find(marked.regions, name);
    ASSERT_NE(nullptr, region);
    EXPECT_EQ(6u, window.clocks.size());
    for (const ClockBounds& bounds : window.clocks) {
      if (bounds.clock == "comp_ns" && !has_room_for_comp(marked)) continue;
      const int64_t exact = region->*clock_named(bounds.clock);
      EXPECT_LE(bounds.least_ns, exact) << bounds.clock;
      EXPECT_GE(bounds.most_ns, exact) << bounds.clock;
      if (paths == Paths::kOwn || bounds.clock.starts_with("com")) continue;
      EXPECT_EQ(bounds.least_ns, bounds.most_ns) << bounds.clock;
    }
  }
}

// Members that are sums of what threads and processes did.
constexpr int64_t RegionTotals::*kSums[] = {
    &RegionTotals::elapsed_weighted_ns, &RegionTotals::useful_sum_ns,
    &RegionTotals::mpi_sum_ns,          &RegionTotals::omp_sum_ns,
    &RegionTotals::serial_sum_ns,       &RegionTotals::serial_weighted_ns,
    &RegionTotals::openmp_weighted_ns,  &RegionTotals::accelerator_sum_ns};

void expect_sum(const std::vector<RegionTotals>& windows,
                const RegionTotals& region, const Quantity& quantity) {
  int64_t sum = 0;
  for (const RegionTotals& window : windows) sum += amount(window, quantity);
  EXPECT_EQ(amount(region, quantity), sum) << quantity.name;
}

void expect_sums(const JobTotals& job, const std::string& whole) {
  const RegionTotals* const region = find(job.regions, whole);
  ASSERT_NE(nullptr, region);
  for (const auto member : kSums) {
    int64_t sum = 0;
    for (const RegionTotals& window : job.windows) sum += window.*member;
    EXPECT_EQ(region->*member, sum);
  }
  for (const Quantity* source : kSources) {
    expect_sum(job.windows, *region, *source);
  }
  expect_sum(job.windows, *region, kSomething);
  expect_sum(job.windows, *region, kTimed);
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % unsigned(n)); }
  State state() { return static_cast<State>(below(kStates)); }

 private:
  std::mt19937 engine_;
};

constexpr int kRanks = 3;
constexpr int kThreads = 3;

// What happens between windows, and in them.
void some_event(Twice& run, Random& random) {
  const int rank = random.below(kRanks);
  const int thread = random.below(kThreads);
  run.pass(random.below(20));
  switch (random.below(6)) {
    case 0:
      return run.message(rank, thread, random.below(kRanks),
                         random.below(kThreads), random.below(30));
    case 1:
      return run.synchronise(rank, thread, random.below(kThreads));
    case 2:
      return run.count(rank, thread, random.below(100));
    default:
      return run.event(rank, thread, random.state());
  }
}

void run_visits(int64_t each, int64_t steps, int level, unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  Twice run(visits(each), kRanks, kThreads, level);
  run.start_timing(1, 1);
  std::vector<bool> open(kRanks);
  // No process is more than one visit behind another one.
  for (int64_t visit = 0; visit < steps * each; ++visit) {
    for (int left = kRanks; left > 0;) {
      const int rank = random.below(kRanks);
      for (int i = random.below(4); i > 0; --i) some_event(run, random);
      if (run.visit(rank) == visit && !open[rank]) continue;
      if (open[rank]) {
        run.end(rank);
        --left;
      } else {
        run.begin(rank);
      }
      open[rank] = !open[rank];
    }
  }
  const JobTotals with = run.with_windows();
  expect_equal(with, run.with_regions(), level);
  expect_bounds(with, run.with_regions());
  expect_sums(with, kStep);
}

TEST(Windows, AreTheVisitsOfARegion) {
  for (unsigned seed = 0; seed < 30; ++seed) run_visits(1, 40, 0, seed);
}

TEST(Windows, AreSeveralVisitsOfARegion) {
  for (unsigned seed = 0; seed < 30; ++seed) run_visits(3, 20, 0, seed);
}

TEST(Windows, AreTheLast64Visits) { run_visits(1, 64, 0, 1); }

TEST(Windows, MergeNeighboursWhenTheyAreFull) {
  for (unsigned seed = 0; seed < 10; ++seed) run_visits(1, 65, 1, seed);
  for (unsigned seed = 0; seed < 10; ++seed) run_visits(1, 128, 1, seed);
  for (unsigned seed = 0; seed < 10; ++seed) run_visits(1, 129, 2, seed);
  for (unsigned seed = 0; seed < 5; ++seed) run_visits(2, 1000, 4, seed);
}

void run_time(int64_t length_ns, int steps, int level, unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  Twice run(length(length_ns), kRanks, kThreads, level);
  run.start_timing(2, 0);
  while (run.now() < steps * length_ns) some_event(run, random);
  const JobTotals with = run.with_windows();
  expect_equal(with, run.with_regions(), level);
  expect_bounds(with, run.with_regions());
  expect_sums(with, "Global");
}

// Steps that end in a barrier, as those of most programs: the sums are exact.
TEST(Windows, ThatAreMergedHaveTheClocksOfAPathIfStepsEndInABarrier) {
  for (const int64_t steps : {65, 128, 300}) {
    Random random(1);
    const int level = window_level(steps - 1);
    Twice run(visits(1), kRanks, kThreads, level);
    for (int step = 0; step < steps; ++step) {
      for (int rank = 0; rank < kRanks; ++rank) run.begin(rank);
      for (int i = 0; i < 20; ++i) some_event(run, random);
      run.barrier();
      for (int rank = 0; rank < kRanks; ++rank) run.end(rank);
    }
    const JobTotals with = run.with_windows();
    expect_equal(with, run.with_regions(), level, Paths::kMeet);
    expect_bounds(with, run.with_regions(), Paths::kMeet);
  }
}

// Two processes that visit the region for 30 and for 20 ns, the second behind a
// message of the first: in two windows the longest path has 80 ns, the second
// process's own part of it is 70, and neither was in them for more than 60.
TEST(Windows, HaveBoundsBeyondTheElapsedTime) {
  for (const bool with_messages : {true, false}) {
    Rank ranks[2] = {Rank(visits(1), 1), Rank(visits(1), 1)};
    for (Rank& rank : ranks) rank.open("Global", 0);
    for (int64_t step = 0; step < kKeptWindows + 2; ++step) {
      const int64_t now = 100 * step;
      ranks[0].open(kStep, now);
      ranks[0].close(kStep, now + 30);
      ClockMessage message;
      ranks[0].primary().store_to(message);
      ranks[1].primary().book(now + 30);
      if (with_messages) ranks[1].primary().merge(message);
      ranks[1].open(kStep, now + 30);
      ranks[1].close(kStep, now + 50);
    }
    const JobTotals job = combine(ranks[0].process.totals(9000, "node"),
                                  ranks[1].process.totals(9000, "node"));
    const std::vector<WindowBounds> list = window_bounds(job, true);
    ASSERT_EQ(static_cast<size_t>(kKeptWindows / 2), list.size());
    for (const WindowBounds& window : list) {
      for (const ClockBounds& bounds : window.clocks) {
        const bool is_longer = with_messages && bounds.clock != "pl_cue_ns";
        EXPECT_EQ(is_longer ? 70 : 60, bounds.least_ns) << bounds.clock;
        EXPECT_LE(is_longer ? 80 : 60, bounds.most_ns) << bounds.clock;
        EXPECT_GE(100, bounds.most_ns) << bounds.clock;
      }
    }
  }
}

// As a process that is far ahead, or counts other visits.
std::vector<int64_t> amounts_of(const JobTotals& job,
                                const Quantity& quantity) {
  std::vector<int64_t> amounts;
  for (const RegionTotals& window : job.windows) {
    amounts.push_back(amount(window, quantity));
  }
  return amounts;
}

// Without an event in between: the first part is all in its window, the second
// one in the two that it touches.
TEST(Windows, HaveTheirPartsOfWhatIsMeasuredBetweenEvents) {
  Rank rank(length(50), 1);
  Thread& thread = rank.primary();
  rank.open("Global", 0);
  const int64_t outside_ns = g_call_outside_ns;
  for (const auto& [from, to] : {std::pair(10, 40), std::pair(90, 120)}) {
    const int64_t before = thread.begin_part(kPosixIo, from);
    thread.end_part(kPosixIo, from, to + outside_ns, before);
  }
  const JobTotals job = rank.process.totals(300, "node");
  EXPECT_EQ((std::vector<int64_t>{30, 10, 20}), amounts_of(job, kPosixIo));
  EXPECT_EQ(60, amount(job.regions[0], kPosixIo));
}

// Another thread opens a region before the part is over, and the time of the
// thread's last event is later than the part's begin.
TEST(Windows, GiveBackWhatAPartWasBookedAs) {
  Rank rank(length(1000), 2);
  Thread& thread = rank.primary();
  rank.open("Global", 0);
  thread.book(105);
  const int64_t before = thread.begin_part(kPosixIo, 102);
  rank.threads[1]->book(105);
  rank.process.region_start(*rank.threads[1], "opened meanwhile");
  EXPECT_EQ(5, thread.end_part(kPosixIo, 102, 110 + g_call_outside_ns, before));
  for (const RegionTotals& region : rank.process.totals(300, "node").regions) {
    EXPECT_EQ(5, amount(region, kPosixIo)) << region.name;
  }
}

// A call from 20 to 170 that waited for 120 of these, which is told at its end.
TEST(Windows, HaveTheirPartsOfTheWaitingOfACall) {
  Rank rank(length(50), 1);
  Thread& thread = rank.primary();
  rank.open("Global", 0);
  const int waiting = thread.keep_account(kMpiWaiting);
  thread.keep_account(kMpiUnknown);
  thread.switch_to(State::kMpi, 20);
  thread.switch_to(State::kUseful, 170);
  thread.count(waiting, 120);
  const JobTotals job = rank.process.totals(200, "node");
  int64_t sum = 0;
  for (const RegionTotals& window : job.windows) {
    const int64_t waited = amount(window, kMpiWaiting);
    EXPECT_LE(waited, window.mpi_sum_ns);
    EXPECT_EQ(window.mpi_sum_ns, waited + amount(window, kMpiTransfer) +
                                     amount(window, kMpiUnknown));
    sum += waited;
  }
  EXPECT_EQ(120, sum);
  EXPECT_EQ(120, amount(job.regions[0], kMpiWaiting));
}

TEST(Windows, SayWhenTheirClocksWereLost) {
  Rank ahead(visits(1), 1);
  Rank behind(visits(1), 1);
  for (Rank* rank : {&ahead, &behind}) rank->open("Global", 0);
  behind.open(kStep, 10);
  const auto tell = [&](int64_t now) {
    ClockMessage message;
    ahead.primary().book(now);
    ahead.primary().store_to(message);
    behind.primary().book(now);
    behind.primary().merge(message);
  };
  for (int i = 0; i < kLiveWindows; ++i) {
    ahead.open(kStep, 20 + 10 * i);
    tell(25 + 10 * i);
    ahead.close(kStep, 30 + 10 * i);
  }
  EXPECT_EQ(0, behind.process.totals(90, "node").windows[0].in_full_tables);
  ahead.open(kStep, 90);
  tell(95);
  behind.close(kStep, 100);
  const JobTotals job = combine(behind.process.totals(100, "node"),
                                ahead.process.totals(100, "node"));
  ASSERT_EQ(static_cast<size_t>(kLiveWindows + 1), job.windows.size());
  EXPECT_EQ(1, job.windows[0].in_full_tables);
  EXPECT_EQ(90, job.windows[0].elapsed_max_ns);
  EXPECT_EQ(90, job.windows[0].all_ns);
  EXPECT_EQ(0, job.windows[1].in_full_tables);
}

// Process zero passes clocks on and never is in the region.
TEST(Windows, NeedNoVisitOfAProcessThatPassesClocksOn) {
  Rank ranks[3] = {Rank(visits(1), 1), Rank(visits(1), 1), Rank(visits(1), 1)};
  for (Rank& rank : ranks) rank.open("Global", 0);
  int64_t now = 0;
  const auto pass = [&](int from, int to) {
    ClockMessage message;
    ranks[from].primary().book(now);
    ranks[from].primary().store_to(message);
    ranks[to].primary().book(now);
    ranks[to].primary().merge(message);
  };
  for (int step = 0; step < 20; ++step) {
    ranks[1].open(kStep, now);
    ranks[1].close(kStep, now += 7);
    pass(1, 0);
    pass(0, 2);
    ranks[2].open(kStep, now);
    ranks[2].close(kStep, now += 5);
  }
  JobTotals job;
  for (Rank& rank : ranks) {
    job = combine(job, rank.process.totals(now, "node"));
  }
  ASSERT_EQ(20u, job.windows.size());
  for (const RegionTotals& window : job.windows) {
    EXPECT_EQ(12, window.all_ns);
    EXPECT_EQ(12, window.com_ns);
    EXPECT_EQ(7, window.elapsed_max_ns);
    EXPECT_EQ(2, window.processes);
    EXPECT_EQ(0, window.in_full_tables);
  }
}

TEST(Windows, BeginAnewWithMeasurement) {
  Rank rank(length(10), 2);
  rank.open("Global", 0);
  rank.primary().book(95);
  rank.process.restart_regions(rank.primary());
  rank.primary().switch_to(State::kMpi, 100);
  rank.primary().switch_to(State::kUseful, 112);
  const JobTotals job = rank.process.totals(115, "node");
  ASSERT_EQ(2u, job.windows.size());
  EXPECT_EQ(5, job.windows[0].mpi_sum_ns);
  EXPECT_EQ(7, job.windows[1].mpi_sum_ns);
  EXPECT_EQ(10, job.windows[1].elapsed_max_ns);
}

// A part whose totals a signal handler interrupts: no window can begin then.
struct Interrupted final : TotalsPart {
  void add_to(const std::vector<Thread*>& threads, int64_t now_ns,
              JobTotals*) const override {
    if (!interrupts) return;
    [[maybe_unused]] volatile char signal_frame[4096];
    signal_frame[0] = 0;
    threads[0]->book(now_ns + 50);
    signal_frame[1] = 0;
  }
  void add_while_running(const std::vector<Thread*>& threads, int64_t now,
                         JobTotals* job) const override {
    add_to(threads, now, job);
  }
  int64_t overhead_ps(const Thread&) const override { return 0; }
  void restart(const std::vector<Thread*>&) const override {}
  bool interrupts = true;
};

TEST(Windows, AddUpAfterAnEventInAHandlerThatCannotBeginOne) {
  Rank rank(length(100), 2);
  Interrupted part;
  rank.process.add_part(part);
  rank.open("Global", 0);
  rank.primary().switch_to(State::kMpi, 0);
  rank.primary().switch_to(State::kUseful, 99);
  rank.process.totals(99, "node", Process::Threads::kRunning);
  EXPECT_EQ(99, rank.primary().last_event_ns());
  part.interrupts = false;
  rank.primary().switch_to(State::kMpi, 330);
  rank.primary().switch_to(State::kUseful, 450);
  const JobTotals job = rank.process.totals(480, "node");
  expect_sums(job, "Global");
  ASSERT_EQ(5u, job.windows.size());
  EXPECT_EQ(1, job.windows[0].useful_sum_ns);
  EXPECT_EQ(100, job.windows[1].useful_sum_ns);
  EXPECT_EQ(70, job.windows[3].mpi_sum_ns);
}

// When regions have been read, and windows not yet, the other thread ends an
// event that it had begun.
struct GoesOn final : TotalsPart {
  void add_to(const std::vector<Thread*>&, int64_t, JobTotals*) const override {
    ++readings;
  }
  int64_t overhead_ps(const Thread& thread) const override {
    if (&thread != other) return 0;
    if (++looks == 1) other->switch_to(State::kMpi, 50);
    return 0;
  }
  void restart(const std::vector<Thread*>&) const override {}
  Thread* other = nullptr;
  mutable int looks = 0;
  mutable int readings = 0;
};

TEST(Windows, AreOfTheMomentOfAllOtherTotals) {
  Rank rank(length(100), 2);
  GoesOn part;
  part.other = rank.threads[1];
  rank.process.add_part(part);
  rank.open("Global", 0);
  for (const int thread : {0, 1}) rank.threads[thread]->book(20);
  const JobTotals job = rank.process.totals(60, "node");
  EXPECT_EQ(2, part.looks);
  EXPECT_EQ(1, part.readings);
  expect_sums(job, "Global");
  ASSERT_EQ(1u, job.windows.size());
  EXPECT_EQ(10, job.windows[0].mpi_sum_ns);
}

// As an untied task may end where another thread hears of it: of thread 1 its
// useful time ends at 30, and the next event is in another window.
TEST(Windows, AddUpWhereAStretchHasEndedElsewhere) {
  Rank rank(length(50), 2);
  rank.open("Global", 0);
  rank.open("region", 5);
  Thread& other = *rank.threads[1];
  other.switch_to(State::kUseful, 10);
  other.may_end_elsewhere(State::kOmp);
  EXPECT_TRUE(other.end_elsewhere(10, 30));
  rank.close("region", 60);
  rank.open("region", 80);
  other.switch_to(State::kUseful, 120);
  other.switch_to(State::kOmp, 130);
  rank.close("region", 140);
  const JobTotals job = rank.process.totals(150, "node");
  expect_sums(job, "Global");
  ASSERT_EQ(3u, job.windows.size());
  EXPECT_EQ(50 + 20, job.windows[0].useful_sum_ns);
  EXPECT_EQ(50, job.windows[1].useful_sum_ns);
  EXPECT_EQ(50 + 10, job.windows[2].useful_sum_ns);
  EXPECT_EQ(55 + 60 + 20 + 10, find(job.regions, "region")->useful_sum_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

// Threads whose time stamps are older than what other threads have done since:
// a window may end, and others begin, in the middle of an event.
TEST(Windows, AddUpWhereThreadsHaveEventsAtTheSameTime) {
  constexpr int kRounds = 100;
  constexpr int kEvents = 300;
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Rank rank(length(3), kThreads);
    rank.open("Global", 0);
    std::atomic<int64_t> clock{0};
    std::atomic<int> ready{0};
    const auto run = [&](Thread& thread, unsigned seed) {
      Random random(seed);
      ready.fetch_add(1);
      while (ready.load() < kThreads) std::this_thread::yield();
      for (int i = 0; i < kEvents; ++i) {
        const int64_t now = clock.fetch_add(random.below(3));
        if (random.below(8) == 0) std::this_thread::yield();
        thread.switch_to(random.state(), now);
      }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back(run, std::ref(*rank.threads[i]),
                           static_cast<unsigned>(kThreads * round + i));
    }
    for (std::thread& thread : threads) thread.join();
    int64_t end = clock;
    for (const Thread* thread : rank.threads) {
      end = std::max(end, thread->last_event_ns());
    }
    const JobTotals job = rank.process.totals(end, "node");
    expect_sums(job, "Global");
    EXPECT_EQ(0, job.quality.closure_error_ns);
    for (const RegionTotals& window : job.windows) {
      SCOPED_TRACE("window " + std::to_string(index_of_window(window.key)));
      EXPECT_GE(window.useful_sum_ns, 0);
      EXPECT_GE(window.serial_sum_ns, 0);
      EXPECT_GE(window.omp_sum_ns, 0);
      EXPECT_LE(window.cue_ns, window.com_ns);
      EXPECT_LE(window.coo_ns, window.all_ns);
      EXPECT_LE(window.elapsed_max_ns, window.all_ns);
    }
  }
}

// A window with the time of two threads, all in parallel regions, and what was
// booked.
RegionTotals window_of(int64_t useful_ns, int64_t mpi_ns,
                       int64_t of_other_teams_ns, const OpenMpLosses& losses) {
  RegionTotals window;
  window.openmp_weighted_ns = window.elapsed_weighted_ns = 200;
  window.useful_sum_ns = useful_ns;
  window.mpi_sum_ns = mpi_ns;
  window.omp_sum_ns = 200 - useful_ns - mpi_ns;
  set_amount(kOpenMpOtherTeams.name, of_other_teams_ns, &window.amounts);
  set_losses(losses, &window);
  return window;
}

// Whatever was booked in a window, its sources leave it no less than nothing,
// and those of all windows are those of the region.
TEST(Windows, AddUpInTheSourcesOfWhatIsLost) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    OpenMpLosses all;
    std::vector<RegionTotals> windows;
    RegionTotals region;
    for (int i = 0; i < 5; ++i) {
      const OpenMpLosses losses = {
          random.below(60),      random.below(60) - 20, random.below(60) - 20,
          random.below(90) - 30, random.below(60) - 20, random.below(90) - 30};
      const int useful = random.below(200);
      windows.push_back(window_of(
          useful, random.below(200 - useful),
          random.below(2) == 0 ? 0 : random.below(useful + 1), losses));
      all.mpi_inside_ns += losses.mpi_inside_ns;
      all.waiting_for_mpi_ns += losses.waiting_for_mpi_ns;
      all.waiting_for_accelerator_ns += losses.waiting_for_accelerator_ns;
      all.serialised_ns += losses.serialised_ns;
      all.not_started_ns += losses.not_started_ns;
      all.scheduling_ns += losses.scheduling_ns;
      for (const auto member : kSums) region.*member += windows.back().*member;
      set_amount(kOpenMpOtherTeams.name,
                 amount(region, kOpenMpOtherTeams) +
                     amount(windows.back(), kOpenMpOtherTeams),
                 &region.amounts);
    }
    set_losses(all, &region);
    add_up_losses(&region, &windows);
    for (const Quantity* source : kSources) {
      expect_sum(windows, region, *source);
    }
    windows.push_back(region);
    for (const RegionTotals& window : windows) {
      int64_t of_openmp_ns = 0;
      for (const Quantity* source : kSources) {
        EXPECT_GE(amount(window, *source), 0) << source->name;
        if (source != &kMpiInside) of_openmp_ns += amount(window, *source);
      }
      EXPECT_LE(of_openmp_ns, window.omp_sum_ns);
      EXPECT_LE(amount(window, kMpiInside), window.mpi_sum_ns);
      if (works_off_the_line(window)) continue;
      EXPECT_LE(of_openmp_ns + amount(window, kMpiInside),
                window.openmp_weighted_ns - window.useful_sum_ns);
    }
  }
}

// Work in other threads' teams is booked when it ends.
TEST(Windows, OfOtherTeamsHaveNoMoreThanIsUseful) {
  std::vector<RegionTotals> windows = {window_of(80, 0, 0, {}),
                                       window_of(90, 0, 60, {}),
                                       window_of(50, 0, 100, {})};
  RegionTotals region = window_of(200, 0, 160, {});
  add_up_losses(&region, &windows);
  EXPECT_EQ(20, amount(windows[0], kOpenMpOtherTeams));
  EXPECT_EQ(90, amount(windows[1], kOpenMpOtherTeams));
  EXPECT_EQ(50, amount(windows[2], kOpenMpOtherTeams));
}

// Which are a fixed number of places, and short messages.
TEST(Windows, TakeNoMoreRoomInALongRun) {
  Rank rank(length(1), 2);
  rank.open("Global", 0);
  for (int64_t now = 0; now < 100'000; now += 17) {
    rank.primary().switch_to(State::kUseful, now);
    EXPECT_LE(rank.primary().travelling_entries(), 2 * (1 + kLiveWindows));
  }
  EXPECT_LE(rank.process.region_count(), 1 + kLiveWindows);
  // A long time without any event.
  rank.primary().book(int64_t{1} << 40);
  const JobTotals job = rank.process.totals(int64_t{1} << 40, "node");
  EXPECT_LE(job.windows.size(), static_cast<size_t>(kKeptWindows));
  EXPECT_GE(job.windows.size(), static_cast<size_t>(kKeptWindows / 2));
  expect_sums(job, "Global");
}

TEST(Windows, AreNumberedTheSameEverywhere) {
  int64_t ordinal = 0;
  for (int64_t step = 0; step < 5000; step = window_end(step), ++ordinal) {
    EXPECT_EQ(step, window_begin(step));
    EXPECT_EQ(ordinal, window_ordinal(step));
    EXPECT_EQ(ordinal, window_ordinal(window_end(step) - 1));
    EXPECT_EQ(step, step_of_ordinal(ordinal));
    const int level = window_level(step);
    EXPECT_LT(step >> level, kKeptWindows);
    EXPECT_FALSE(is_merged_window(level, step >> level));
  }
}

TEST(Windows, AreLengthsOfTime) {
  for (unsigned seed = 0; seed < 30; ++seed) run_time(100, 50, 0, seed);
}

// Most windows have no event at all.
TEST(Windows, OfTimeEndWhereNothingHappens) {
  for (unsigned seed = 0; seed < 30; ++seed) run_time(4, 40, 0, seed);
}

TEST(Windows, OfTimeMergeNeighbours) {
  for (unsigned seed = 0; seed < 10; ++seed) run_time(30, 90, 1, seed);
  for (unsigned seed = 0; seed < 10; ++seed) run_time(5, 800, 4, seed);
}

}  // namespace
}  // namespace poprt
