#include "openmp/interval.h"

#include <bitset>
#include <new>
#include <utility>

#include "measure/process.h"
#include "openmp/tasking_objects.h"

namespace poprt {

Amounts Slot::amounts(int64_t begin_ns) const {
  Amounts amounts;
  int64_t rest_ns = worked_until_ns.get() - begin_ns;
#pragma GCC unroll 5
  for (int i = 0; i < kDoingAccelerator; ++i) {
    amounts.ns[i] = ns[i].get();
    rest_ns -= amounts.ns[i];
  }
  amounts.ns[kDoingAccelerator] = accelerator_ns.get();
  rest_ns -= amounts.ns[kDoingAccelerator];
  // Less than none only where members do not agree on the begin, because one
  // of them has left a barrier that was cancelled.
  amounts.ns[kDoingRuntime] = std::max<int64_t>(0, rest_ns);
  return amounts;
}

void Slot::store(const Amounts& did) {
#pragma GCC unroll 5
  for (int i = 0; i < kDoingAccelerator; ++i) ns[i].set(did.ns[i]);
  store_accelerator(did.ns[kDoingAccelerator]);
}

void Slot::store(const UsualAmounts& did) {
  ns[kDoingUseful].set(did.useful_ns);
  ns[kDoingSingle].set(0);
  ns[kDoingMpi].set(0);
  ns[kDoingSerialised].set(0);
  ns[kDoingNotStarted].set(did.not_started_ns);
  store_accelerator(0);
}

Arrivals::~Arrivals() {
  delete[] slots_;
  delete groups_;
}

void Arrivals::begin(uint32_t members) {
  const uint32_t wanted = std::clamp<uint32_t>(members, kSmall, kMost);
  if (wanted > capacity_) [[unlikely]] {
    delete[] slots_;
    slots_ = new (std::nothrow) Slot[2 * size_t{wanted}];
    capacity_ = slots_ == nullptr ? 0 : wanted;
    if (wanted > kSmall && groups_ == nullptr) {
      groups_ = new (std::nothrow) Groups;
    }
  }
  if (members <= kSmall || groups_ == nullptr) return;
  for (auto& groups : groups_->of) {
    for (Group& group : groups) {
      group.last.store(0, std::memory_order_relaxed);
      group.sum.store(0, std::memory_order_relaxed);
    }
  }
}

template <class Did>
void Arrivals::come(int parity, uint32_t instance, int64_t team_begin_ns,
                    uint32_t index, const Thread& thread,
                    int64_t worked_until_ns, const Did& did) {
  if (index >= capacity_) [[unlikely]]
    return;
  Slot& slot = slots_[2 * index + static_cast<uint32_t>(parity)];
  const bool again = slot.instance.load(std::memory_order_relaxed) == instance;
  const int64_t before_ns = again ? slot.worked_until_ns.get() : team_begin_ns;
  slot.worked_until_ns.set(worked_until_ns);
  slot.store(did);
  slot.thread.store(&thread, std::memory_order_relaxed);
  slot.instance.store(instance, std::memory_order_release);
  if (size() <= kSmall || groups_ == nullptr) return;
  Group& group = groups_->of[parity][index % kSmall];
  raise_shared(group.last,
               (worked_until_ns - team_begin_ns) << kMemberBits | index);
  group.sum.fetch_add(worked_until_ns - before_ns, std::memory_order_relaxed);
}

const Slot* Arrivals::last(int parity, uint32_t instance, int64_t team_begin_ns,
                           int64_t begin_ns, int64_t* busy_sum_ns) const {
  const Slot* last = nullptr;
  *busy_sum_ns = 0;
  if (size() > kSmall) {
    if (groups_ == nullptr) return nullptr;
    int64_t word = 0;
    for (const Group& group : groups_->of[parity]) {
      word = std::max(word, group.last.load(std::memory_order_acquire));
      *busy_sum_ns += group.sum.load(std::memory_order_relaxed);
    }
    *busy_sum_ns -= size() * (begin_ns - team_begin_ns);
    const auto index =
        static_cast<uint32_t>(word & ((int64_t{1} << kMemberBits) - 1));
    return find(parity, instance, index);
  }
  int64_t most_ns = 0;
  for_each(parity, instance, [&](uint32_t, const Slot& slot) {
    const int64_t until_ns = slot.worked_until_ns.get();
    *busy_sum_ns += std::max<int64_t>(0, until_ns - begin_ns);
    // Only who comes at the same time is compared in full.
    if (last != nullptr &&
        (until_ns < most_ns ||
         (until_ns == most_ns &&
          !came_later(slot.amounts(begin_ns), last->amounts(begin_ns))))) {
      return;
    }
    last = &slot;
    most_ns = until_ns;
  });
  return last;
}

namespace {

// The thread's running sums, at its last event.
Amounts sums_of(const Thread& thread, const OmpThread& omp) {
  Amounts sums = omp.did;
  const int64_t useful_ns = thread.useful_ns();
  if (omp.in_single) {
    sums.ns[kDoingSingle] += useful_ns - omp.single_base_ns;
  }
  // `did` has only what an inner team adds to these.
  sums.ns[kDoingUseful] += useful_ns - sums.ns[kDoingSingle];
  sums.ns[kDoingMpi] += thread.mpi_ns();
  sums.ns[kDoingAccelerator] += thread.accelerator_ns();
  return sums;
}

// Whether the thread has done nothing rare in the interval; and what it has
// done then.
bool is_usual(const Thread& thread, const OmpThread& omp,
              const Interval& interval) {
  return !omp.in_single &&
         omp.did.rare_ns() + thread.mpi_ns() + thread.accelerator_ns() ==
             interval.rare_base_ns &&
         omp.idle_ns == interval.idle_base_ns;
}
UsualAmounts usual_since(const Thread& thread, const OmpThread& omp,
                         const Interval& interval, int64_t until_ns) {
  return {until_ns,
          omp.did.ns[kDoingUseful] + thread.useful_ns() -
              omp.did.ns[kDoingSingle] - interval.base.ns[kDoingUseful],
          omp.did.ns[kDoingNotStarted] - interval.base.ns[kDoingNotStarted]};
}

Amounts since(const Interval& interval, const Amounts& sums) {
  Amounts did;
#pragma GCC unroll 7
  for (int i = 0; i < kDoings; ++i) {
    did.ns[i] = sums.ns[i] - interval.base.ns[i];
  }
  return did;
}

int64_t idle_in(const Interval& interval, const OmpThread& omp) {
  return omp.idle_ns - interval.idle_base_ns;
}

// Of whom the losses count: the process is seen as its primary thread's line.
bool counts(const Team& team) { return team.root->on_line && !team.of_helpers; }

void book(Thread& thread, const OmpThread& omp, const LossParts& parts) {
#pragma GCC unroll 5
  for (int i = 0; i < kLossSources; ++i) {
    if (parts.ns[i] != 0) thread.count(omp.losses[i], parts.ns[i]);
  }
}

[[gnu::always_inline]] inline void book(Thread& thread, const OmpThread& omp,
                                        const UsualParts& parts) {
  if (parts.scheduling_ns != 0) {
    thread.count(omp.losses[kSourceScheduling], parts.scheduling_ns);
  }
  if (parts.not_started_ns != 0) {
    thread.count(omp.losses[kSourceNotStarted], parts.not_started_ns);
  }
}

// Calls visit(slot, thread) for each other member that has come to the barrier
// of this parity; -1: there is none.
template <class Visit>
void for_each_other(const Team& team, int parity, const Interval& interval,
                    Visit visit) {
  if (parity < 0) return;
  team.arrivals.for_each(
      parity, team.instance, [&](uint32_t member, const Slot& slot) {
        if (member == interval.member) return;
        visit(slot, *slot.thread.load(std::memory_order_relaxed));
      });
}

// So much more than was known is the runtime's.  Less than none only where the
// clocks of two cores differ by a few ticks.
void book_runtime(Thread& thread, OmpThread& omp, const Team& team,
                  int64_t runtime_ns) {
  if (runtime_ns <= 0) return;
  omp.did.ns[kDoingRuntime] += runtime_ns;
  if (counts(team)) {
    thread.count(omp.losses[kSourceScheduling], runtime_ns);
  }
}

// An interval that ends.
struct Whole {
  int64_t length_ns = 0;
  Amounts last;  // of the member that came last
  // Of the time in which even that one waits: when for certain nobody did
  // anything.
  int64_t none_ns = 0;

  Whole(int64_t length, const Amounts& last_did, int64_t busy_sum_ns)
      : length_ns(length), last(last_did) {
    const int64_t waits_ns = length - last_did.busy_ns();
    if (waits_ns <= 0) return;
    none_ns = std::clamp<int64_t>(length - busy_sum_ns, 0, waits_ns);
  }

  LossParts of(const Amounts& own) const {
    LossParts parts = parts_of(own, last);
    parts.ns[kSourceScheduling] += none_ns;
    return parts;
  }
};

// For an outer team, what a thread waits for in an inner one counts as its
// source.
void pass_on(const Whole& whole, const Amounts& own, const LossParts& parts,
             OmpThread& omp) {
  int64_t imbalance_ns = whole.length_ns - own.busy_ns();
  for (const int64_t part_ns : parts.ns) imbalance_ns -= part_ns;
  omp.did.ns[kDoingUseful] += imbalance_ns;
  omp.did.ns[kDoingMpi] += parts.ns[kSourceMpi];
  omp.did.ns[kDoingSerialised] += parts.ns[kSourceSerialised];
  omp.did.ns[kDoingNotStarted] += parts.ns[kSourceNotStarted];
  omp.did.ns[kDoingRuntime] += parts.ns[kSourceScheduling];
  omp.did.ns[kDoingAccelerator] += parts.ns[kSourceAccelerator];
}

// The wait of a thread in an interval, `waits_ns` in all, by its sources.
struct Wait {
  int64_t waits_ns = 0;
  LossParts parts;

  void shares(const OmpThread& omp, Share (&shares)[kLossSources]) const {
    for (int i = 0; i < kLossSources; ++i)
      shares[i] = {omp.losses[i], parts.ns[i]};
  }
};

// Books the thread's own wait, of which `accounted_ns` are an amount of the
// account `waiting`, by region.
void book_wait(Thread& thread, const OmpThread& omp, const Interval& interval,
               const Wait& wait, int64_t accounted_ns) {
  if (thread.known_epoch() == interval.epoch) {
    if (accounted_ns != 0) thread.count(omp.waiting, -accounted_ns);
    return book(thread, omp, wait.parts);
  }
  // If not all of it is, another thread has opened or closed a region in this
  // moment, and in which it was is not known.
  Share shares[kLossSources];
  wait.shares(omp, shares);
  thread.share_out(omp.waiting, interval.begin_ns, wait.waits_ns, shares,
                   accounted_ns == wait.waits_ns ? kLossSources : 0);
}

// For rows of threads: `lost` is what each thread of the process loses that is
// not in the team, so each one that is loses that much less.  `parity`: of the
// barrier.
void pass_lacking(Thread& thread, const OmpThread& omp, const Team& team,
                  int parity, const Interval& interval, int64_t length_ns,
                  const int64_t (&lost)[kLossSources], bool has_inner) {
  const bool changed = thread.known_epoch() != interval.epoch;
  const auto open = thread.open_regions();
  const auto pass = [&](const Thread& other, double part) {
    Share shares[kLossSources];
    for (int i = 0; i < kLossSources; ++i) {
      const auto ns = static_cast<double>(lost[i]);
      shares[i] = {omp.losses[i], -static_cast<int64_t>(ns * part)};
    }
    if (!changed) return thread.pass(other, open, shares, kLossSources);
    thread.pass(other, *omp.region_times, interval.begin_ns,
                interval.begin_ns + length_ns, shares, kLossSources);
  };
  for_each_other(team, parity, interval,
                 [&](const Slot&, const Thread& other) { pass(other, 1); });
  if (!has_inner) return;
  thread.process().threads().for_each([&](const Thread& other) {
    OmpThread* const its = omp_thread(other);
    if (its == nullptr) return;
    const int64_t all_ns = its->inner_ns.load(std::memory_order_relaxed);
    const int64_t inner_ns = all_ns - std::exchange(its->inner_base_ns, all_ns);
    if (inner_ns == 0 || length_ns == 0) return;
    pass(other, static_cast<double>(inner_ns) / static_cast<double>(length_ns));
  });
}

// The threads of the process that are not in the team did nothing, and after
// the interval nor did they for `tail_ns` of the runtime.  How many they are is
// known only at the end of the run, so their losses are kept as what one thread
// loses, less what those of the team do.  In inner teams thread time was spent,
// too.
void book_lacking(Thread& thread, OmpThread& omp, Team& team, uint32_t members,
                  int parity, const Interval& interval, const Whole& whole,
                  int64_t tail_ns) {
  // As they did nothing, they wait for all that the last one did.
  const int64_t* const last = whole.last.ns;
  const int64_t lost[kLossSources] = {
      last[kDoingMpi], last[kDoingSingle] + last[kDoingSerialised],
      last[kDoingRuntime] + whole.none_ns, last[kDoingNotStarted],
      last[kDoingAccelerator]};
  if (tail_ns != 0) {
    thread.count(omp.lacking[kSourceScheduling], tail_ns);
    thread.count(omp.losses[kSourceScheduling], -(members * tail_ns));
  }
  const int64_t all_inner_ns = team.inner_ns.load(std::memory_order_relaxed);
  const int64_t inner_ns =
      all_inner_ns - std::exchange(team.inner_base_ns, all_inner_ns);
  const bool changed = thread.known_epoch() != interval.epoch;
  if (thread.has_row()) {
    pass_lacking(thread, omp, team, parity, interval, whole.length_ns, lost,
                 inner_ns != 0);
  }
  if (inner_ns == 0 && !changed) {
    for (int i = 0; i < kLossSources; ++i) {
      if (lost[i] == 0) continue;
      thread.count(omp.lacking[i], lost[i]);
      thread.count(omp.losses[i], -(members * lost[i]));
    }
    return;
  }
  const double in_teams =
      whole.length_ns > 0 ? members + static_cast<double>(inner_ns) /
                                          static_cast<double>(whole.length_ns)
                          : members;
  Share shares[2 * kLossSources];
  for (int i = 0; i < kLossSources; ++i) {
    const auto ns = static_cast<double>(lost[i]);
    shares[2 * i] = {omp.lacking[i], lost[i]};
    shares[2 * i + 1] = {omp.losses[i], -static_cast<int64_t>(ns * in_teams)};
  }
  if (changed) {
    return thread.share_out(*omp.region_times, interval.begin_ns,
                            interval.begin_ns + whole.length_ns, shares,
                            2 * kLossSources);
  }
  for (const Share& share : shares) {
    if (share.amount != 0) thread.count(share.account, share.amount);
  }
}

void set_base(const Thread& thread, const OmpThread& omp, Interval& interval) {
  interval.base = sums_of(thread, omp);
  interval.rare_base_ns = interval.base.rare_ns();
}

// Whether the quick ways below are those of the interval, as far as its thread
// knows.
bool is_quick(const Thread& thread, const Team& team,
              const Interval& interval) {
  return team.quick && thread.known_epoch() == interval.epoch;
}
// Likewise, of inner teams; for the primary thread.
bool has_no_inner_team(const Team& team) {
  return team.inner_ns.load(std::memory_order_relaxed) == team.inner_base_ns;
}

// As book_lacking(), less what the team's losses are in `parts`.
[[gnu::always_inline]] inline void lack_usual(Thread& thread,
                                              const OmpThread& omp,
                                              const Team& team,
                                              const UsualAmounts& last,
                                              int64_t begin_ns, int64_t tail_ns,
                                              UsualParts* parts) {
  const int64_t members = team.arrivals.size();
  const int64_t scheduling_ns = last.runtime_ns(begin_ns) + tail_ns;
  thread.count(omp.lacking[kSourceScheduling], scheduling_ns);
  parts->scheduling_ns -= members * scheduling_ns;
  if (last.not_started_ns == 0) return;
  thread.count(omp.lacking[kSourceNotStarted], last.not_started_ns);
  parts->not_started_ns -= members * last.not_started_ns;
}

// The quick way of interval_leave(): all that it does where nothing rare has
// happened.  False: it has done nothing.
bool leave_usual(Thread& thread, OmpThread& omp, Task& task, const Arrival& all,
                 int64_t end_ns) {
  const Team& team = *task.team;
  Interval& interval = interval_of(task);
  if (interval.did.not_started_ns == Arrival::kRare ||
      all.not_started_ns == Arrival::kRare || all.came_ns != end_ns ||
      idle_in(interval, omp) != 0 || !is_quick(thread, team, interval) ||
      (task.primary && !has_no_inner_team(team))) {
    return false;
  }
  const UsualAmounts last = {end_ns, all.useful_ns, all.not_started_ns};
  UsualParts parts = parts_of(interval.did, last, interval.begin_ns);
  if (task.primary) {
    lack_usual(thread, omp, team, last, interval.begin_ns, 0, &parts);
  }
  book(thread, omp, parts);
  interval.base.ns[kDoingUseful] += interval.did.useful_ns;
  interval.base.ns[kDoingNotStarted] += interval.did.not_started_ns;
  interval.base.ns[kDoingRuntime] += interval.did.runtime_ns(interval.begin_ns);
  interval.begin_ns = end_ns;
  return true;
}

// Likewise of interval_join(), behind which `tail_ns` are left.
bool join_usual(Thread& thread, OmpThread& omp, const Team& team,
                const Arrival& all, int64_t end_ns, int64_t tail_ns) {
  const Interval& interval = team.own;
  const UsualAmounts& own = interval.did;
  if (team.join < 0 || own.not_started_ns == Arrival::kRare ||
      all.not_started_ns == Arrival::kRare || all.came_ns != end_ns ||
      !is_quick(thread, team, interval) || !has_no_inner_team(team)) {
    return false;
  }
  const UsualAmounts last = {end_ns, all.useful_ns, all.not_started_ns};
  const int64_t members = team.arrivals.size();
  int64_t usual = 1;
  UsualParts parts = parts_of(own, last, interval.begin_ns);
  team.barrier[team.join].for_each_arrival(
      thread.number(), team.instance, [&](const Arrival& other) {
        if (other.not_started_ns == Arrival::kRare) return;
        ++usual;
        const UsualParts more =
            parts_of({other.came_ns, other.useful_ns, other.not_started_ns},
                     last, interval.begin_ns);
        parts.scheduling_ns += more.scheduling_ns;
        parts.not_started_ns += more.not_started_ns;
      });
  if (usual != members) return false;
  // What the runtime has taken of the primary thread, see book_runtime(), and
  // the tail of the others.
  const int64_t known_ns =
      omp.did.ns[kDoingRuntime] - interval.base.ns[kDoingRuntime];
  const int64_t runtime_ns = std::max<int64_t>(
      0, tail_ns + own.runtime_ns(interval.begin_ns) - known_ns);
  omp.did.ns[kDoingRuntime] += runtime_ns;
  parts.scheduling_ns += runtime_ns + (members - 1) * tail_ns;
  lack_usual(thread, omp, team, last, interval.begin_ns, tail_ns, &parts);
  book(thread, omp, parts);
  return true;
}

// By which sources the thread has waited in an interval in which it did `own`.
void find_sources(Thread& thread, OmpThread& omp, Task& task, int64_t length_ns,
                  const Amounts& own, Wait* wait) {
  if (length_ns <= 0) return;
  Team& team = *task.team;
  const Interval& interval = interval_of(task);
  int64_t busy_sum_ns = 0;
  const Slot* const last =
      team.arrivals.last(task.barriers & 1, team.instance, team.begin_ns,
                         interval.begin_ns, &busy_sum_ns);
  if (last == nullptr) return omp.unassigned_ns.add(wait->waits_ns);
  const Whole whole(length_ns, last->amounts(interval.begin_ns), busy_sum_ns);
  wait->parts = whole.of(own);
  if (team.root != &team) pass_on(whole, own, wait->parts, omp);
  if (!counts(team)) {
    wait->parts = {};
  } else if (task.primary && team.root == &team) {
    book_lacking(thread, omp, team, team.arrivals.size(), task.barriers & 1,
                 interval, whole, 0);
  }
}

// At an event of a member of the team: its work since the last one of these is
// the primary thread's team's, or another's.
[[gnu::noinline]] void tell_other_team(Thread& thread, OmpThread& omp) {
  const int64_t useful_ns = thread.useful_ns();
  thread.count(omp.other_teams, useful_ns - omp.told_useful_ns);
  omp.told_useful_ns = useful_ns;
}
[[gnu::always_inline]] inline void tell_team(Thread& thread, OmpThread& omp,
                                             const Team& team) {
  if (!team.root->on_line && !team.of_helpers) [[unlikely]]
    tell_other_team(thread, omp);
}

// The next interval begins.
void begin(Thread& thread, OmpThread& omp, const Team& team, bool primary,
           Interval& interval, int64_t begin_ns) {
  interval.begin_ns = begin_ns;
  interval.idle_base_ns = omp.idle_ns;
  interval.epoch = thread.known_epoch();
  if (!primary || team.root != &team || !counts(team)) return;
  if (omp.region_times == nullptr) {
    omp.region_times = std::make_unique<RegionTimes>();
  }
  thread.note_regions(omp.region_times.get());
}

}  // namespace

bool interval_is_cut(const Thread& thread, const Interval& interval) {
  const Process& process = thread.process();
  // A window may end at each event.
  return process.epoch() != interval.epoch || process.windows() != nullptr;
}

void interval_first(Thread& thread, OmpThread& omp, Task& task) {
  const Team& team = *task.team;
  Interval& interval = interval_of(task);
  set_base(thread, omp, interval);
  if (!task.primary || team.root == &team) {
    omp.told_useful_ns = thread.useful_ns();
  } else {
    tell_team(thread, omp, team);
  }
  begin(thread, omp, team, task.primary, interval, team.begin_ns);
}

void interval_come(Thread& thread, OmpThread& omp, Task& task,
                   Arrival* arrival) {
  Team& team = *task.team;
  if (team.of_helpers) return;
  tell_team(thread, omp, team);
  if (task.in_single) [[unlikely]] {
    // As GCC's programs do.
    omp.endless_single.store(true, std::memory_order_relaxed);
    task.in_single = false;
    single_over(thread, omp);
  }
  Interval& interval = interval_of(task);
  const int64_t until_ns = thread.last_event_ns() - idle_in(interval, omp);
  const auto come = [&](int64_t busy_ns, const auto& did) {
    book_runtime(thread, omp, team, until_ns - interval.begin_ns - busy_ns);
    team.arrivals.come(task.barriers & 1, team.instance, team.begin_ns,
                       interval.member, thread, until_ns, did);
  };
  if (is_usual(thread, omp, interval)) [[likely]] {
    const UsualAmounts did = usual_since(thread, omp, interval, until_ns);
    come(did.useful_ns + did.not_started_ns + omp.did.ns[kDoingRuntime] -
             interval.base.ns[kDoingRuntime],
         did);
    interval.did = did;
  } else {
    const Amounts did = since(interval, sums_of(thread, omp));
    come(did.busy_ns(), did);
    interval.did.not_started_ns = Arrival::kRare;
  }
  arrival->useful_ns = interval.did.useful_ns;
  arrival->not_started_ns = interval.did.not_started_ns;
}

void interval_leave(Thread& thread, OmpThread& omp, Task& task,
                    const Arrival& all, int64_t end_ns, bool cut) {
  Team& team = *task.team;
  if (team.of_helpers) return;
  if (!cut && leave_usual(thread, omp, task, all, end_ns)) return;
  Interval& interval = interval_of(task);
  const int64_t length_ns = end_ns - interval.begin_ns;
  const Amounts own = since(interval, sums_of(thread, omp));
  Wait wait{length_ns - own.busy_ns(), {}};
  // Who came last waits for nobody, whoever came at the same time.
  if (wait.waits_ns > 0 || task.primary) {
    find_sources(thread, omp, task, length_ns, own, &wait);
  }
  book_wait(thread, omp, interval, wait,
            cut ? wait.waits_ns : idle_in(interval, omp));
  omp.idle_ns = interval.idle_base_ns;
  if (team.root == &team) {
#pragma GCC unroll 7
    for (int i = 0; i < kDoings; ++i) interval.base.ns[i] += own.ns[i];
    interval.rare_base_ns += own.rare_ns();
  } else {
    set_base(thread, omp, interval);
  }
  begin(thread, omp, team, task.primary, interval, end_ns);
}

void interval_came(const Thread& thread, const OmpThread& omp, Team& team,
                   Arrival* arrival) {
  Interval& interval = team.own;
  if (is_usual(thread, omp, interval)) {
    interval.did = usual_since(thread, omp, interval, arrival->came_ns);
  } else {
    interval.did.not_started_ns = Arrival::kRare;
  }
  arrival->useful_ns = interval.did.useful_ns;
  arrival->not_started_ns = interval.did.not_started_ns;
}

// From when the last one came to the join the primary thread is in the runtime,
// and nobody else does anything.
void interval_join(Thread& thread, OmpThread& omp, Team& team,
                   const Arrival& all, int64_t came_ns, int64_t end_ns,
                   bool cut) {
  const Interval& interval = team.own;
  if (team.of_helpers || interval.begin_ns == Interval::kNone) return;
  tell_team(thread, omp, team);
  const int64_t tail_ns = thread.last_event_ns() - end_ns;
  if (!cut && join_usual(thread, omp, team, all, end_ns, tail_ns)) return;
  const int64_t idle_ns = idle_in(interval, omp);
  Amounts own = since(interval, sums_of(thread, omp));
  const int64_t runtime_ns = std::max<int64_t>(
      0, came_ns - idle_ns - interval.begin_ns - own.busy_ns());
  own.ns[kDoingRuntime] += runtime_ns;
  book_runtime(thread, omp, team, runtime_ns + tail_ns);
  omp.idle_ns = interval.idle_base_ns;
  Amounts last = own;
  int64_t busy_sum_ns = own.busy_ns();
  uint32_t others_known = 0;
  const auto visit_others = [&](auto visit) {
    for_each_other(team, team.join, interval, visit);
  };
  visit_others([&](const Slot& slot, const Thread&) {
    const Amounts did = slot.amounts(interval.begin_ns);
    busy_sum_ns += did.busy_ns();
    ++others_known;
    if (came_later(did, last)) last = did;
  });
  const uint32_t members = team.join < 0 ? 1 : team.arrivals.size();
  const int64_t length_ns = end_ns - interval.begin_ns;
  if (others_known + 1 < members) {
    omp.unassigned_ns.add(length_ns * (members - 1 - others_known));
  }
  const Whole whole(length_ns, last, busy_sum_ns);
  Wait wait{length_ns - own.busy_ns(), whole.of(own)};
  if (team.root != &team) pass_on(whole, own, wait.parts, omp);
  if (counts(team)) {
    const bool changed = thread.known_epoch() != interval.epoch;
    LossParts others;
    const auto open =
        thread.has_row() ? thread.open_regions() : std::bitset<kMaxRegions>();
    visit_others([&](const Slot& slot, const Thread& its) {
      const Amounts did = slot.amounts(interval.begin_ns);
      const Wait other{length_ns - did.busy_ns(), whole.of(did)};
      Share shares[kLossSources];
      other.shares(omp, shares);
      if (changed) {
        return thread.share_out_of(its, omp.waiting, interval.begin_ns,
                                   other.waits_ns, tail_ns, shares,
                                   kLossSources);
      }
      others.add(other.parts);
      if (thread.has_row()) thread.pass(its, open, shares, kLossSources);
    });
    if (team.root == &team) {
      // The tail is that of all threads of the process.
      book_lacking(thread, omp, team, members, team.join, interval, whole,
                   tail_ns);
    } else if (thread.has_row()) {
      const Share tail = {omp.losses[kSourceScheduling], tail_ns};
      visit_others([&](const Slot&, const Thread& its) {
        thread.pass(its, open, &tail, 1);
        omp_thread(its)->inner_ns.fetch_add(
            thread.last_event_ns() - team.begin_ns, std::memory_order_relaxed);
      });
    }
    others.ns[kSourceScheduling] += (members - 1) * tail_ns;
    book(thread, omp, others);
  } else {
    wait.parts = {};
  }
  book_wait(thread, omp, interval, wait, cut ? wait.waits_ns : idle_ns);
  if (team.root != &team) {
    team.root->inner_ns.fetch_add(
        (members - 1) * (thread.last_event_ns() - team.begin_ns),
        std::memory_order_relaxed);
  }
}

// Of a worker that has come to its join barrier: what it waited for there is
// the primary thread's to book.
void interval_over(Thread& thread, OmpThread& omp, const Interval& interval) {
  const int64_t idle_ns = idle_in(interval, omp);
  if (idle_ns == 0) return;
  omp.idle_ns = interval.idle_base_ns;
  if (thread.known_epoch() == interval.epoch) {
    return thread.count(omp.waiting, -idle_ns);
  }
  thread.share_out(omp.waiting, interval.begin_ns, idle_ns, nullptr, 0);
}

void idle_over(Thread& thread, OmpThread& omp, State next, int64_t now_ns) {
  omp.idle_ns += thread.switch_to(next, now_ns, omp.waiting);
}

}  // namespace poprt
