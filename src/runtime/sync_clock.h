// SyncClock: the clocks that a synchronisation object hands from the threads
// that reach it to the threads that leave it, for every region.
//
// store() is for objects with one writer at a time (a fork, the creation of a
// task, a held lock); raise() for those that several threads reach at once (a
// barrier, a taskwait).  Zero is neutral: clocks are never negative.
//
// The first regions lie in the object, more of them in blocks that are added
// on first use and kept until destruction, so that nothing is ever copied and
// a warmed-up object allocates nothing.
#ifndef POPRT_RUNTIME_SYNC_CLOCK_H_
#define POPRT_RUNTIME_SYNC_CLOCK_H_

#include <atomic>
#include <cstdint>

#include "runtime/cell.h"
#include "runtime/clock_set.h"

namespace poprt {

class SyncClock {
 public:
  SyncClock() = default;
  ~SyncClock();
  SyncClock(const SyncClock&) = delete;
  SyncClock& operator=(const SyncClock&) = delete;

  // Number of regions that anything was stored for.
  int size() const { return size_.load(std::memory_order_acquire); }

  // REQUIRES: slot < size().
  ClockSet get(int slot) const;

  void store(int slot, const ClockSet& clocks);
  void raise(int slot, const ClockSet& clocks);
  // To at least what `other` has, and published.
  void raise(const SyncClock& other);
  // After the last store() or raise() of a publication: the regions below
  // `size` may be read.
  void publish(int size);

  // Back to zero.  REQUIRES: no other thread uses the object.
  void reset();

 private:
  static constexpr int kInline = 4;
  static constexpr int kBlock = 16;
  using Slot = std::atomic<int64_t>[kClocks];
  struct Block {
    Slot slots[kBlock] = {};
    std::atomic<Block*> next{nullptr};
  };

  const std::atomic<int64_t>* find(int slot) const;
  std::atomic<int64_t>* obtain(int slot);

  Slot first_[kInline] = {};
  std::atomic<int> size_{0};
  std::atomic<Block*> more_{nullptr};
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_SYNC_CLOCK_H_
