// Region: a region of a process, what all its threads read of it.
#ifndef POPRT_MEASURE_REGION_H_
#define POPRT_MEASURE_REGION_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "clocks/own_clocks.h"
#include "measure/elapsed.h"
#include "measure/line_clock.h"

namespace poprt {

class Thread;

// Time of parallel region instances in which all threads of the process are
// idle (TALP's I_sch).
struct CommonIdle {
  int64_t idle_ns = 0;
};

class Region {
 public:
  Region(std::string name, uint64_t key) : name_(std::move(name)), key_(key) {}

  Elapsed elapsed() const {
    return Elapsed::of(elapsed_.load(std::memory_order_acquire));
  }
  Elapsed com() const { return com_.value(); }
  // Not valid while Process::has_comp() is false.
  Elapsed comp() const { return comp_.value(); }
  uint64_t key() const { return key_.load(std::memory_order_relaxed); }
  // When it was last opened or closed.
  int64_t changed_ns() const {
    return changed_ns_.load(std::memory_order_relaxed);
  }

 private:
  friend class Process;
  friend class ProcessTotals;
  // REQUIRES: it is not in this state already.
  void set_open(bool open, int64_t now_ns, const OutsideMpi& outside,
                bool has_comp) {
    com_.set_open(open, outside.com_ns);
    if (has_comp) comp_.set_open(open, outside.comp_ns);
    const int64_t sign = open ? -1 : 1;
    elapsed_.store(Elapsed{open, elapsed().ns + sign * now_ns}.word(),
                   std::memory_order_release);
  }

  // Protected by the process's mutex.
  std::string name_;  // empty if only the key is known
  int64_t visits_ = 0;
  int depth_ = 0;
  const Thread* opener_ = nullptr;
  // Kept like a thread's times: values, or differences to the process's totals.
  CommonIdle common_idle_;

  // Read by all threads.
  std::atomic<uint64_t> key_;  // 0: only measured before MPI_Init, not shown
  std::atomic<int64_t> changed_ns_{0};
  std::atomic<int64_t> elapsed_{0};
  LineClock com_;
  LineClock comp_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGION_H_
