// What a thread measures besides times and clocks, and how its records of
// regions follow those that the process opens and closes.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/bounded.h"
#include "base/mutex.h"
#include "measure/call_cost.h"
#include "measure/counter_readings.h"
#include "measure/process.h"
#include "measure/thread.h"
#include "measure/thread_windows.h"

namespace poprt {

// The step to an event at `now_ns`, without what counters have counted.
[[gnu::always_inline]] inline Step Thread::step_until(const Accounts* accounts,
                                                      int64_t now_ns) {
  Step step;
  step.ns = now_ns - timeline().since();
  if (accounts != nullptr) {
    step.timed = accounts->part_account != kNoAccount ? accounts->part_account
                                                      : timed_account();
    step.timed_ns = accounts->part_of(step.ns);
  }
  return step;
}

// For an event that is not quiet, before it books the time.  Returns the time
// of the event, which may be later than `now_ns` (not_before_regions()).
int64_t Thread::catch_up(int64_t now_ns) {
  take_end_elsewhere();
  now_ns = std::max(now_ns, timeline().since());
  Accounts* const accounts = accounts_.load(std::memory_order_relaxed);
  if (accounts != nullptr && accounts->further() != nullptr) [[unlikely]]
    return catch_up_further(now_ns);
  const uint32_t epoch = process_.epoch();
  const bool changed = epochs_.has_changed(epoch);
  if (changed) now_ns = not_before_regions(now_ns);
  const Step step = step_until(accounts, now_ns);
  const ComTail tail = end_com(now_ns);
  if (changed) {
    convert_regions(now_ns, step, tail);
    epochs_.follow(epoch);
  }
  clocks_.com().count(timeline(), now_ns, tail);
  if (accounts != nullptr) accounts->add(step);
  choose_quiet_epoch();
  return now_ns;
}

// The same for a thread with counters, windows or POPRT_PATH.
int64_t Thread::catch_up_further(int64_t now_ns) {
  Accounts& accounts = *accounts_.load(std::memory_order_relaxed);
  ThreadWindows* const windows = windows_.get();
  const bool waits = windows != nullptr && windows->waits();
  if (windows != nullptr && !waits && !epochs_.is_earlier()) {
    process_.change_window(now_ns);
    // Still due, because this is a signal handler that has interrupted a
    // change.  With the time of the last event, this event needs no window.
    if (process_.window_is_due(now_ns)) [[unlikely]]
      return timeline().since();
  }
  bool changed = epochs_.has_changed(process_.epoch());
  // A window is also a region.  The mutex keeps both as they are, because the
  // record of a window must not begin before the thread knows the window.
  std::optional<MutexLock> lock;
  if (changed && windows != nullptr && !waits) {
    lock.emplace(process_.mutex());
    // Not held: a signal handler that has interrupted a change.
    changed = lock->held();
  }
  const uint32_t epoch = process_.epoch();
  if (changed && windows == nullptr) now_ns = not_before_regions(now_ns);
  Step step = step_until(&accounts, now_ns);
  if (accounts.counters() != nullptr) {
    step.counted =
        accounts.counters()->read(state() == State::kUseful, step.ns);
  }
  ComTail tail = end_com(now_ns);
  // If the windows cannot be followed yet, no other change is followed either.
  if (changed && windows != nullptr) {
    changed = windows->follow(step, tail, process_.account_count());
  }
  if (changed && windows != nullptr) {
    // After follow(), which makes the records those of the present windows.
    now_ns = not_before_regions(now_ns);
    step.ns = now_ns - timeline().since();
    if (step.timed != kNoAccount) step.timed_ns = accounts.part_of(step.ns);
  }
  if (path_ != nullptr) {
    if (changed) clocks_.records().need(process_.region_count());
    path_->follow(now_ns, changed);
  }
  if (changed) {
    convert_regions(now_ns, step, tail);
    epochs_.follow(epoch);
  }
  clocks_.com().count(timeline(), now_ns, tail);
  accounts.add(step);
  choose_quiet_epoch();
  return now_ns;
}

void Thread::book_in_change(int64_t now_ns) {
  if (!timeline().begin_event()) return;
  const ThreadWindows::Hold hold(windows_.get());
  book_inside<1>(now_ns);
  timeline().end_event();
}

void Thread::may_end_elsewhere(State after) {
  elsewhere_.may_end(timeline().since(), after);
  choose_quiet_epoch();
}

bool Thread::end_elsewhere(int64_t began_ns, int64_t now_ns) {
  return elsewhere_.end(began_ns, now_ns, process_.epoch());
}

// At the begin of an event: if another thread has told the end of the stretch
// (ElsewhereEnd), that end becomes an event of its own before this one.
void Thread::take_end_elsewhere() {
  const std::optional<ElsewhereEnd::End> end = elsewhere_.take();
  if (!end) return;
  epochs_.begin_earlier(end->epoch);
  book_inside<1>(end->ns);
  epochs_.end_earlier();
  timeline().turn_to(end->after);
}

// Returns `now_ns`, or later: the time at which another thread opened a region
// that is open now.  The time stamp of this thread may be older (leave_ns()),
// and its time in that region would become negative.
int64_t Thread::not_before_regions(int64_t now_ns) {
  const int count = process_.region_count();
  clocks_.records().need(count);
  clocks_.records().for_each(count, [&](int slot, const RegionRecord& r) {
    const Elapsed elapsed = process_.region(slot).elapsed();
    const Elapsed known = r.known();
    if (!elapsed.open) return;
    now_ns = std::max(now_ns, known.at(timeline().since()) - elapsed.ns);
  });
  return now_ns;
}

// Converts every record to the present state of its region.  The thread was in
// one state since its last event, and a region's elapsed time tells how long
// the region was open meanwhile.  So the number of changes does not matter.
void Thread::convert_regions(int64_t now_ns, Step step, const ComTail& tail) {
  Accounts* const accounts = accounts_.load(std::memory_order_relaxed);
  const int count = process_.region_count();
  clocks_.records().need(count);
  // At the end of the step.
  OwnClocks own = clocks_.all_own();
#pragma GCC unroll 5
  for (int kind = 0; kind < kClockKinds; ++kind) {
    own.ns[kind] += clocks_.counted_ns(kind, step.ns, tail);
  }
  bool rests_anew = false;
  for (int slot = 0; slot < count; ++slot) {
    RegionRecord& r = clocks_.records().at(slot);
    const Elapsed elapsed = process_.region(slot).elapsed();
    const Elapsed known = r.known();
    if (elapsed.open == known.open && elapsed.ns == known.ns) continue;
    // Opened by another thread after not_before_regions(): for the next event.
    if (elapsed.open && elapsed.at(now_ns) < known.at(timeline().since()))
      continue;

    if (accounts != nullptr) {
      step.inside_ns = elapsed.at(now_ns) - known.at(timeline().since());
      // A region that is open now was open in the last part of the step.  A
      // region that is closed was open in the first part, if at all.  `timed`
      // is the account of the last `timed_ns`.
      step.inside_at_end = elapsed.open;
      const int64_t first_ns = known.open ? step.ns - step.timed_ns : step.ns;
      const int64_t part_inside =
          elapsed.open ? std::min(step.timed_ns, step.inside_ns)
                       : std::max<int64_t>(0, step.inside_ns - first_ns);
      step.timed_inside_ns =
          step.timed_ns == step.ns ? step.inside_ns : part_inside;
      accounts->convert(slot, known.open, elapsed.open, step,
                        process_.account_count());
    }
    clocks_.convert(r, elapsed, now_ns, own, tail);
    if (elapsed.open) continue;
    clocks_.records().note_change(r);
    rests_anew = true;
  }
  clocks_.records().split_anew(rests_anew);
}

// As catch_up(), and the account gets the last `*part_ns`, which become less if
// the stretch has ended elsewhere.
int64_t Thread::catch_up(int64_t now_ns, int account, int64_t* part_ns) {
  take_end_elsewhere();  // before the account is set, which gets none of this
  *part_ns = bounded<int64_t>(now_ns - timeline().since(), 0, *part_ns);
  Accounts& accounts = this->accounts();
  accounts.part_account = account;
  accounts.part_ns = *part_ns;
  const int64_t now = catch_up(now_ns);
  *part_ns = std::min(*part_ns, now - timeline().since());
  accounts.part_account = kNoAccount;
  accounts.part_ns = INT64_MAX;
  return now;
}

// book_inside() and switch_to() for an event that is not quiet.
void Thread::book_after_change(int64_t now_ns, int events) {
  now_ns = catch_up(now_ns);
  timeline().book(timeline().since(), now_ns, events);
}

int64_t Thread::switch_after_change(State next, int64_t now_ns, int account,
                                    int64_t part_ns) {
  now_ns = catch_up(now_ns, account, &part_ns);
  timeline().book(timeline().since(), now_ns, 1);
  timeline().turn_to(next);
  timeline().end_event();
  return part_ns;
}

int Thread::keep_account(const Quantity& quantity) {
  const int account = process_.account_of(quantity);
  accounts();
  return account == kNoAccount ? kMaxAccounts : account;
}

// Tells `epochs_` whether each event has more to do than to book time.
void Thread::choose_quiet_epoch() {
  const Accounts* const known = accounts_.load(std::memory_order_relaxed);
  const bool has_more =
      known != nullptr &&
      (known->is_timing() ||
       (known->further() != nullptr && known->further()->at_each_event));
  const bool may_end = elsewhere_.is_open();
  epochs_.has_more(has_more || may_end || keeps_com());
}

Accounts& Thread::accounts() {
  Accounts* known = accounts_.load(std::memory_order_relaxed);
  if (known == nullptr) {
    known = new Accounts;
    accounts_.store(known, std::memory_order_release);
  }
  return *known;
}

// The account that gets the time since the last event.
int Thread::timed_account() const {
  const Accounts* const known = accounts_.load(std::memory_order_acquire);
  return known == nullptr ? kNoAccount : known->timed(state());
}

void Thread::start_timing(State state, int account) {
  accounts().set_timed(state, account);
  choose_quiet_epoch();
}

void Thread::stop_timing(State state) {
  Accounts* const known = accounts_.load(std::memory_order_relaxed);
  if (known != nullptr) known->set_timed(state, kNoAccount);
  choose_quiet_epoch();
}

void Thread::add_amount(const Quantity& quantity, int64_t amount) {
  const int account = process_.account_of(quantity);
  if (account != kNoAccount) accounts().add(account, amount);
}

std::bitset<kMaxRegions> Thread::open_regions() const {
  std::bitset<kMaxRegions> open;
  const int count = clocks_.records().count();
  for (int slot = 0; slot < count; ++slot) {
    open[static_cast<size_t>(slot)] = clocks_.records().find(slot)->is_open();
  }
  return open;
}

void Thread::count_in(const std::bitset<kMaxRegions>& regions, int account,
                      int64_t amount) {
  for (size_t slot = 0; slot < regions.size(); ++slot) {
    if (regions[slot]) {
      accounts().add_in(static_cast<int>(slot), account, amount);
    }
  }
}

// Whether an event at `now_ns` would see other regions or another window than
// the last event.
bool Thread::has_left_regions(int64_t now_ns) const {
  return process_.epoch() != known_epoch() || process_.window_is_due(now_ns);
}

int64_t Thread::begin_part(const Quantity& quantity, int64_t now_ns) {
  if (has_left_regions(now_ns)) book(now_ns);
  return accounts().total(keep_account(quantity));
}

int64_t Thread::end_part(const Quantity& quantity, int64_t from_ns,
                         int64_t to_ns, int64_t amount_before) {
  const int account = keep_account(quantity);
  const int64_t inside = accounts().total(account) - amount_before;
  // The next event may have an earlier time stamp by that much (leave_ns()).
  to_ns -= g_call_outside_ns;
  const int64_t part_ns = to_ns - from_ns - inside;
  if (part_ns <= 0) return 0;
  if (has_left_regions(to_ns)) {
    return switch_to(state(), to_ns, account, to_ns - part_ns);
  }
  accounts().add(account, part_ns);
  return part_ns;
}

void Thread::keep_windows() {
  const Windows& windows = *process_.windows();
  windows_ = std::make_unique<ThreadWindows>(windows, clocks_, accounts());
  // A window of a fixed length may end at each event.
  accounts().obtain_further().at_each_event = windows.spec.length_ns > 0;
  choose_quiet_epoch();
}

void Thread::begin_path() {
  path_ = std::make_unique<PathFollower>(process_, clocks_);
  accounts().obtain_further().at_each_event = true;
  choose_quiet_epoch();
}

void Thread::start_counting(const Counting& counting) {
  auto counters = std::make_unique<CounterReadings>(counting);
  if (!counters->runs()) return;
  FurtherMeasures& further = accounts().obtain_further();
  further.counters = std::move(counters);
  further.at_each_event = true;
  choose_quiet_epoch();
}

void Thread::stop_counting() {
  Accounts* const known = accounts_.load(std::memory_order_relaxed);
  if (known != nullptr && known->counters() != nullptr) {
    known->counters()->stop();
  }
}

bool Thread::has_counters() const {
  const Accounts* const known = accounts_.load(std::memory_order_acquire);
  return known != nullptr && known->counters() != nullptr;
}

int64_t Thread::counter_faults() const {
  return has_counters() ? accounts_.load()->counters()->faults() : 0;
}

int64_t Thread::amount(int account) const {
  const Accounts* const known = accounts_.load(std::memory_order_acquire);
  return known == nullptr ? 0 : known->total(account);
}

int64_t Thread::amount_at(int slot, int account, int64_t now_ns) const {
  const Accounts* const known = accounts_.load(std::memory_order_acquire);
  if (known == nullptr) return 0;
  const RegionRecord* const r =
      clocks_.records().find(slot);  // null: not open at any event so far
  const bool open = r != nullptr && r->is_open();
  const Elapsed before{open, r == nullptr ? 0 : r->elapsed.get()};
  const int64_t inside = process_.region(slot).elapsed().at(now_ns) -
                         before.at(timeline().since());
  Step step;
  step.timed = timed_account();
  step.timed_inside_ns = inside;
  return known->at(slot, account, open, step);
}

}  // namespace poprt
