// PassedAmounts: what other threads have in their accounts that is one
// thread's, by region; for rows of threads.
//
// An account has one writer (accounts.h), so at the end of a parallel region
// the primary thread books for all of its team in its own accounts.  That makes
// the sums of the process.  Where threads have rows, it says here what it has
// booked for whom, and with the other sign in its own object, so that these
// amounts add up to nothing.
//
// Any thread may write and read.
#ifndef POPRT_MEASURE_PASSED_AMOUNTS_H_
#define POPRT_MEASURE_PASSED_AMOUNTS_H_

#include <atomic>
#include <cstdint>

#include "base/publish.h"
#include "clocks/clock_set.h"
#include "measure/accounts.h"

namespace poprt {

class PassedAmounts {
 public:
  PassedAmounts() = default;
  ~PassedAmounts() {
    for (std::atomic<Region*>& region : regions_) delete region.load();
  }
  PassedAmounts(const PassedAmounts&) = delete;
  PassedAmounts& operator=(const PassedAmounts&) = delete;

  void add(int slot, int account, int64_t amount) {
    if (amount == 0 || account >= kMaxAccounts) return;
    Region* region = regions_[slot].load(std::memory_order_acquire);
    if (region == nullptr) region = &publish(regions_[slot], new Region);
    region->amount[account].fetch_add(amount, std::memory_order_relaxed);
  }
  int64_t at(int slot, int account) const {
    const Region* const region = regions_[slot].load(std::memory_order_acquire);
    return region == nullptr || account < 0
               ? 0
               : region->amount[account].load(std::memory_order_relaxed);
  }

 private:
  struct Region {
    std::atomic<int64_t> amount[kMaxAccounts] = {};
  };
  std::atomic<Region*> regions_[kMaxRegions] = {};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PASSED_AMOUNTS_H_
