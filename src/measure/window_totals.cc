// Makes the totals of a process's windows, and what is known of their clocks.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "base/bounded.h"
#include "measure/openmp_losses.h"
#include "measure/process_totals.h"
#include "measure/process_windows.h"
#include "model/quantities.h"

namespace poprt {
namespace {

constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

// The clocks of threads of which B is kept (model/window_bounds.h).
struct Marked {
  MarkedClock marked;
  int clock;
};
constexpr Marked kMarked[] = {{kMarkedCue, kGlobalCue},
                              {kMarkedCoo, kGlobalCoo},
                              {kMarkedAll, kGlobalAll},
                              {kMarkedCom, kGlobalCom},
                              {kMarkedComp, kGlobalComp}};

// The least and the largest of all threads.
struct Span {
  int64_t least = kNone;
  int64_t most = 0;
  void add(int64_t ns) {
    least = std::min(least, ns);
    most = std::max(most, ns);
  }
};

// B at one moment.
struct Base {
  Span clock[kClocks];
  // Of COM and COMP either the process has a value or its threads have.
  void add(const WindowBegin& process) {
    for (const auto& [which, ns] : {std::pair(kGlobalCom, process.com_ns),
                                    std::pair(kGlobalComp, process.comp_ns)}) {
      clock[which].least = std::max(clock[which].least, ns);
      clock[which].most = std::max(clock[which].most, ns);
    }
  }
};

Base base_at_begin(const WindowsOfProcess& windows,
                   const std::vector<WindowTable>& tables, int i) {
  Base base;
  for (const WindowTable& table : tables) {
    for (int c = 0; c < kClocks; ++c) {
      base.clock[c].add(table.begins[i].clock[c]);
    }
  }
  base.add(windows.begins[i]);
  return base;
}

// `amount_of(i)` of the windows in turn, from the last one on: they are to add
// up to `sum_ns`, with at most `most_ns[i]` in each.  What is too much in one
// is that of the one before.
template <class AmountOf>
void spread(int64_t sum_ns, const int64_t (&most_ns)[kKeptWindows],
            AmountOf amount_of) {
  int64_t left_ns = sum_ns;
  for (int i = 0; i < kKeptWindows; ++i) left_ns -= amount_of(i);
  const auto settle = [&](int i) {
    const int64_t wanted_ns = amount_of(i) + left_ns;
    amount_of(i) = bounded<int64_t>(wanted_ns, 0, most_ns[i]);
    left_ns = wanted_ns - amount_of(i);
  };
  for (int i = kKeptWindows; i-- > 0;) settle(i);
  for (int i = 0; i < kKeptWindows; ++i) settle(i);
}

}  // namespace

// How long a call has waited is known at its end, or later: it counts in the
// window of that moment.  What has no room there is of the windows before, in
// which the call was as well; which of them had the transfer is not known any
// more.  `slot`: of the region whose visits or time are windows.
void ProcessTotals::spread_waits(const Thread& member, int slot,
                                 WindowTable* table) const {
  const int waiting = account_if_any(kMpiWaiting);
  const int unknown = account_if_any(kMpiUnknown);
  if (slot < 0 || waiting == kNoAccount || unknown == kNoAccount) return;
  const ThreadRegion whole = member.region_at(slot, now_ns_);
  MpiParts sums;
  sums.add(whole.mpi_ns(false) + whole.mpi_ns(true),
           member.amount_at(slot, waiting, now_ns_),
           member.amount_at(slot, unknown, now_ns_));
  int64_t most_ns[kKeptWindows];
  const auto amounts_of = [&](int account) {
    return [=](int i) -> int64_t& { return table->kept[i].amount[account]; };
  };
  for (int i = 0; i < kKeptWindows; ++i) {
    most_ns[i] = table->kept[i].time_ns[time_index(false, State::kMpi)] +
                 table->kept[i].time_ns[time_index(true, State::kMpi)];
  }
  spread(sums.waiting_ns, most_ns, amounts_of(waiting));
  for (int i = 0; i < kKeptWindows; ++i) {
    most_ns[i] -= table->kept[i].amount[waiting];
  }
  spread(sums.unknown_ns, most_ns, amounts_of(unknown));
}

void ProcessTotals::add_windows(JobTotals* job) {
  const auto end = std::make_unique<WindowsOfProcess>(*process_.windows());
  if (end->current >= 0) {
    const LiveWindow& live = end->live[end->current];
    end->kept[end->index_of(live.step)].add(process_.windows()->until(now_ns_));
  }
  const int slot = process_.windows()->region_slot();
  std::vector<WindowTable> tables(members_.size());
  for (size_t m = 0; m < members_.size(); ++m) {
    members_[m]->windows_at(*end, now_ns_, &tables[m]);
    spread_waits(*members_[m], slot, &tables[m]);
  }
  for (int i = 0; i < kKeptWindows; ++i) {
    const KeptWindow& kept = end->kept[i];
    if (kept.visits == 0) continue;
    bool lost = kept.lost;
    View view;
    view.key = window_key(end->level, i);
    view.elapsed_ns = kept.elapsed_ns;
    view.com_ns = kept.com_ns;
    view.comp_ns = kept.comp_ns;
    view.visits = kept.visits;
    view.common = {kept.common_idle_ns};
    for (size_t m = 0; m < members_.size(); ++m) {
      const WindowTable::Kept& own = tables[m].kept[i];
      lost |= own.lost;
      View::Member& member = view.members.emplace_back();
      member.thread = members_[m];
      std::copy_n(own.time_ns, kTimes, member.region.time_ns);
      std::copy_n(own.clock, kClocks, member.region.clocks.ns);
      std::copy_n(own.amount, kMaxAccounts, member.amount);
    }
    lost |= std::ranges::any_of(end->live, [&](const LiveWindow& live) {
      return live.slot >= process_.regions().travelling().complete();
    });
    // Such a number is too large for all clocks to be complete.
    view.in_full_tables =
        (process_.regions().travelling().is_full() ? 1 : 0) + (lost ? 1 : 0);
    job->windows.push_back(region_totals(view));
  }
  for (RegionTotals& region : job->regions) {
    if (region.key == process_.windows()->region_key) {
      add_up_losses(&region, &job->windows);
    }
  }
  job->window_marks = marks_of(*end, tables);
}

// From the last window to the first: a window is over when the next one begins.
// `tables` are those of the members.
std::vector<WindowMarks> ProcessTotals::marks_of(
    const WindowsOfProcess& windows,
    const std::vector<WindowTable>& tables) const {
  std::vector<WindowMarks> list;
  const int slot = process_.windows()->region_slot();
  if (slot < 0 || members_.empty()) return list;
  // Paths also begin on threads that are no members.
  std::vector<const Thread*> threads = members_;
  std::vector<WindowTable> all = tables;
  for (const Thread* thread : threads_) {
    if (thread->member()) continue;
    threads.push_back(thread);
    thread->windows_at(windows, now_ns_, &all.emplace_back());
  }
  Base end;
  for (const Thread* thread : threads) {
    const ClockSet clocks = thread->region_at(slot, now_ns_).clocks;
    for (int c = 0; c < kClocks; ++c) end.clock[c].add(clocks.ns[c]);
  }
  end.add(process_.windows()->begin_at(process_.region(slot), now_ns_));
  int64_t next_pl_cue_ns = kNone;
  for (int i = kKeptWindows; i-- > 0;) {
    const KeptWindow& kept = windows.kept[i];
    if (kept.visits == 0) continue;
    const Base begin = base_at_begin(windows, all, i);
    const auto least_of = [&](int clock) {
      int64_t least_ns = 0;
      for (const WindowTable& table : tables) {
        least_ns = std::max(least_ns, table.kept[i].least[clock]);
      }
      return least_ns;
    };
    WindowMarks& marks = list.emplace_back();
    marks.key = window_key(windows.level, i);
    for (const auto& [marked, clock] : kMarked) {
      ClockMarks& of = marks.clocks[marked];
      of.least_ns = least_of(clock);
      of.begin_ns = begin.clock[clock].least;
      of.end_ns = end.clock[clock].most;
    }
    for (const auto& [marked, least_ns] :
         {std::pair(kMarkedCom, kept.com_least_ns),
          std::pair(kMarkedComp, kept.comp_least_ns)}) {
      ClockMarks& of = marks.clocks[marked];
      of.least_ns = std::max(of.least_ns, least_ns);
    }
    const Span& pl_cue = begin.clock[kProcessCue];
    const int64_t pl_end_ns = end.clock[kProcessCue].most;
    marks.pl_cue_most_ns = pl_end_ns - pl_cue.least;
    marks.pl_cue_least_ns = least_of(kProcessCue);
    if (threads.size() == members_.size()) {
      marks.pl_cue_least_ns =
          std::max(marks.pl_cue_least_ns, std::min(pl_end_ns, next_pl_cue_ns) -
                                              (i > 0 ? pl_cue.most : 0));
    }
    next_pl_cue_ns = pl_cue.least;
    end = begin;
  }
  std::ranges::reverse(list);
  return list;
}

}  // namespace poprt
