// Region: the state, time, COM and COMP of one region of a process.
//
// Invariants:
//  1. Any thread may read what is atomic at any time: time, COM and COMP run on
//     while the region is open, else they rest.
//  2. A region of the program's is open from the first start to the stop at
//     which depth() is 0 again; depth() is never below.
//  3. What is not atomic is read and written by who holds the process's mutex.
#ifndef POPRT_MEASURE_REGION_H_
#define POPRT_MEASURE_REGION_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
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

  // For any thread.
  Elapsed elapsed() const {
    return Elapsed::of(elapsed_.load(std::memory_order_acquire));
  }
  Elapsed com() const { return com_.value(); }
  // Not valid before comp_becomes_com().
  Elapsed comp() const { return comp_.value(); }
  // 0: the region was only measured before MPI_Init, and is not shown.
  uint64_t key() const { return key_.load(std::memory_order_relaxed); }
  // When it was last opened or closed.
  int64_t changed_ns() const {
    return changed_ns_.load(std::memory_order_relaxed);
  }
  // As LineClock::raise() and is_later().
  bool raise_com(int64_t com_ns, int64_t own_ns) {
    return com_.raise(com_ns, own_ns);
  }
  void raise_comp(int64_t comp_ns, int64_t own_ns) {
    comp_.raise(comp_ns, own_ns);
  }
  bool is_com_later(int64_t com_ns, int64_t own_ns) const {
    return com_.is_later(com_ns, own_ns);
  }

  // Empty if only the key is known.
  const std::string& name() const { return name_; }
  int64_t visits() const { return visits_; }
  int depth() const { return depth_; }
  const Thread* opener() const { return opener_; }
  // `all_ns`: the process's common idle time so far.
  CommonIdle common_idle(int64_t all_ns) const {
    return {common_idle_ns_ + (elapsed().open ? all_ns : 0)};
  }

  void set_name(std::string_view name) { name_ = name; }
  void forget_key() { key_.store(0, std::memory_order_relaxed); }
  // Count a start or a stop.  Return whether it opens or closes the region.
  bool start() { return depth_++ == 0; }
  bool stop() { return --depth_ == 0; }
  void begin_visit(const Thread& opener) {
    opener_ = &opener;
    ++visits_;
  }
  // The starts of `other` without a stop are this region's from now on.
  void take_starts(Region& other) { depth_ = std::exchange(other.depth_, 0); }
  void comp_becomes_com() { comp_.become(com_); }
  // REQUIRES: the region is not in this state already.
  void set_open(bool open, int64_t now_ns, const OutsideMpi& outside,
                bool has_comp, int64_t all_idle_ns) {
    const int64_t sign = open ? -1 : 1;
    common_idle_ns_ += sign * all_idle_ns;
    com_.set_open(open, outside.com_ns);
    if (has_comp) comp_.set_open(open, outside.comp_ns);
    elapsed_.store(Elapsed{open, elapsed().ns + sign * now_ns}.word(),
                   std::memory_order_release);
    changed_ns_.store(now_ns, std::memory_order_relaxed);
  }
  void lose_common_idle(int64_t ns) { common_idle_ns_ -= ns; }
  // Sets the region's time to 0.  REQUIRES: the region is closed.
  void clear() {
    elapsed_.store(0, std::memory_order_release);
    common_idle_ns_ = 0;
  }

 private:
  std::string name_;
  int64_t visits_ = 0;
  int depth_ = 0;
  const Thread* opener_ = nullptr;
  // In an open region, the difference to the process's common idle time.
  int64_t common_idle_ns_ = 0;

  std::atomic<uint64_t> key_;
  std::atomic<int64_t> changed_ns_{0};
  std::atomic<int64_t> elapsed_{0};
  LineClock com_;
  LineClock comp_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGION_H_
