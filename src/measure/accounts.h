// Accounts: what one thread has measured of each quantity, in each region.
//
// As a thread's times and clocks (thread.h), an amount costs nothing while
// regions do not change. For an open region it is kept as the difference to the
// thread's total; the thread converts it when the region opens or closes.
//
// One writer, the thread; any thread may read.
#ifndef POPRT_MEASURE_ACCOUNTS_H_
#define POPRT_MEASURE_ACCOUNTS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "base/cell.h"
#include "clocks/clock_set.h"
#include "states/states.h"

namespace poprt {

class CounterReadings;

// How many quantities a process may have.
inline constexpr int kMaxAccounts = 40;
inline constexpr int kNoAccount = -1;

// Used by few runs.
struct FurtherMeasures {
  FurtherMeasures();
  ~FurtherMeasures();
  FurtherMeasures(const FurtherMeasures&) = delete;
  FurtherMeasures& operator=(const FurtherMeasures&) = delete;

  // Null while the thread has no counters.
  std::unique_ptr<CounterReadings> counters;
  // Whether each event has more to do than to book time.
  bool at_each_event = false;
};

// What a thread has measured since its last event, and is not in the totals
// yet. "inside" is the part in one region.
struct Step {
  int64_t ns = 0;
  int64_t inside_ns = 0;
  // The account that gets the last `timed_ns`.
  int timed = kNoAccount;
  int64_t timed_ns = 0;
  int64_t timed_inside_ns = 0;
  bool counted = false;  // the counters were read, and count in this state
  bool inside_at_end =
      false;  // the part inside is the last part, not the first

  int64_t inside_begin_ns() const { return inside_at_end ? ns - inside_ns : 0; }
};

// An amount for an account.
struct Share {
  int account;
  int64_t amount;
};

class Accounts {
 public:
  Accounts();
  ~Accounts();
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;

  // Adds to the thread's total, and so to all open regions.
  void add(int account, int64_t amount) { total_[account].add(amount); }
  // Adds all amounts of the step.
  void add(const Step& step);

  // Adds to one region only, open or closed.
  void add_in(int slot, int account, int64_t amount);

  // The region was opened or closed, once or several times.  To be called
  // before the step is added.  `count`: how many accounts are in use.
  void convert(int slot, bool was_open, bool is_open, const Step& step,
               int count);

  // The amount in a region, with what the step adds to it.
  int64_t at(int slot, int account, bool open, const Step& step) const;

  int64_t total(int account) const { return total_[account].get(); }

  // Used by the thread only: the account that gets the last `part_ns` of the
  // time since the last event, or kNoAccount.
  int part_account = kNoAccount;
  int64_t part_ns = INT64_MAX;
  int64_t part_of(int64_t step_ns) const { return std::min(part_ns, step_ns); }

  // The account that gets the time while the thread is in the state, or
  // kNoAccount.
  int timed(State state) const {
    return timed_[static_cast<size_t>(state)].load(std::memory_order_relaxed);
  }
  void set_timed(State state, int account) {
    timed_[static_cast<size_t>(state)].store(account,
                                             std::memory_order_relaxed);
  }
  bool is_timing() const {
    return std::ranges::any_of(
        kAllStates, [this](State state) { return timed(state) != kNoAccount; });
  }

  // Sets the amounts in a closed region to 0.
  void clear(int slot);

  // Null in most runs. Used by the thread only.
  FurtherMeasures* further() const { return further_.get(); }
  FurtherMeasures& obtain_further();
  // Null while the thread has no counters.
  CounterReadings* counters() const {
    return further_ == nullptr ? nullptr : further_->counters.get();
  }

 private:
  struct Region {
    Cell amount[kMaxAccounts];
  };
  Region& obtain(int slot);
  int64_t of_step(int account, const Step& step, bool inside) const;

  std::atomic<int> timed_[kStates];
  std::unique_ptr<FurtherMeasures> further_;
  Cell
      total_[kMaxAccounts + 1];  // the last one: of quantities without a number
  std::atomic<Region*> regions_[kMaxRegions] = {};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_ACCOUNTS_H_
