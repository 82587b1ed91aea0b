// SyncClock: the clocks of all regions that a synchronisation object carries
// from the threads that reach it to the threads that leave it.
//
// store() is for objects with one writer at a time (a fork, the creation of a
// task, a held lock).  Raising is for objects that several threads reach at
// once (a taskwait, dependences of tasks).  Only regions below size() have
// clocks; the rest is from an earlier use.
//
// Where the longest path is followed (PathNote), a note of it goes with the
// clocks.  The size is negative then, so that what is done without a note costs
// nothing for it: it looks at the sign in any case.
//
// The first regions lie in the object itself, further ones in blocks that are
// added on first use and kept until destruction.  So nothing is ever copied,
// and an object that has been used before allocates nothing.
#ifndef POPRT_MEASURE_SYNC_CLOCK_H_
#define POPRT_MEASURE_SYNC_CLOCK_H_

#include <atomic>
#include <cstdint>

#include "measure/clock_set.h"

namespace poprt {

struct PathNote;

class SyncClock {
 public:
  // How many regions the object itself has room for.  Two cache lines together
  // with what a barrier adds (barrier_clock.h): enough for Global and one
  // region of the user.
  static constexpr int kInline = 2;

  SyncClock() = default;
  ~SyncClock();
  SyncClock(const SyncClock&) = delete;
  SyncClock& operator=(const SyncClock&) = delete;

  // The number of regions with clocks; -1 minus that, if there is a note.
  int size() const { return size_.load(std::memory_order_acquire); }
  static bool has_note(int size) { return size < 0; }
  static int regions_in(int size) { return size < 0 ? -1 - size : size; }

  // REQUIRES: slot < regions_in(size()).
  template <int kCount = kClocks>
  ClockSet get(int slot) const;

  // kCount: how many clocks the run keeps (kUsualClocks).
  template <int kCount = kClocks>
  void store(int slot, const ClockSet& clocks);
  // To be called after the last store(): exactly the regions below `size` have
  // clocks.
  void publish(int size) { size_.store(size, std::memory_order_release); }
  // With a note; likewise after the last store().
  void publish(int size, const PathNote& note);
  // REQUIRES: has_note(size()).  False: it could not be read now.
  bool read_note(PathNote* note) const;

  // While it exists, only its thread raises clocks.  One locked instruction is
  // cheaper than one for each clock.
  class Raising {
   public:
    explicit Raising(SyncClock& sync) : sync_(sync) {
      if (sync.raising_.exchange(true, std::memory_order_acquire)) sync.wait();
    }
    ~Raising() { sync_.raising_.store(false, std::memory_order_release); }
    Raising(const Raising&) = delete;
    Raising& operator=(const Raising&) = delete;

    // To be called once for each region, from the first one on without a gap.
    template <int kCount = kClocks>
    void raise(int slot, const ClockSet& clocks);
    // To be called after the last raise(): the regions below `size` have clocks
    // too.
    void publish(int size) {
      if (sync_.size_.load(std::memory_order_relaxed) < size) {
        sync_.publish(size);
      }
    }
    // The same with a note, after regions in which clocks were raised by
    // raise_beside().
    void raise_beside(int slot, const ClockSet& clocks);
    void publish(int size, const PathNote& note);
    // All of another object.
    void raise(const SyncClock& other);

   private:
    SyncClock& sync_;
  };
  // Raises all clocks to at least those of `other`, and publishes them.
  void raise(const SyncClock& other);

  // Makes it empty.  REQUIRES: no other thread uses the object.
  void reset() { size_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr int kBlock = 16;
  using Slot = std::atomic<int64_t>[kClocks];
  struct Note;
  struct Block {
    Slot slots[kBlock] = {};
    std::atomic<Block*> next{nullptr};
    std::atomic<Note*> note{nullptr};  // in the first block only
  };

  const std::atomic<int64_t>* find(int slot) const {
    return slot < kInline ? first_[slot] : find_more(slot - kInline);
  }
  std::atomic<int64_t>* obtain(int slot) {
    return slot < kInline ? first_[slot] : obtain_more(slot - kInline);
  }
  const std::atomic<int64_t>* find_more(int slot) const;
  std::atomic<int64_t>* obtain_more(int slot);
  Note* obtain_note();
  void wait();

  std::atomic<int> size_{0};
  std::atomic<bool> raising_{false};
  Slot first_[kInline] = {};
  std::atomic<Block*> more_{nullptr};
};

template <int kCount>
inline ClockSet SyncClock::get(int slot) const {
  ClockSet clocks;
  const std::atomic<int64_t>* const values = find(slot);
  if (values == nullptr) return clocks;
  for_each_clock<kCount>([&](int i, int) {
    clocks.ns[i] = values[i].load(std::memory_order_relaxed);
  });
  return clocks;
}

template <int kCount>
inline void SyncClock::store(int slot, const ClockSet& clocks) {
  std::atomic<int64_t>* const values = obtain(slot);
  for_each_clock<kCount>([&](int i, int) {
    values[i].store(clocks.ns[i], std::memory_order_relaxed);
  });
}

template <int kCount>
inline void SyncClock::Raising::raise(int slot, const ClockSet& clocks) {
  if (slot >= sync_.size_.load(std::memory_order_relaxed)) {
    return sync_.store<kCount>(slot, clocks);
  }
  std::atomic<int64_t>* const values = sync_.obtain(slot);
  for_each_clock<kCount>([&](int i, int) {
    if (clocks.ns[i] > values[i].load(std::memory_order_relaxed)) {
      values[i].store(clocks.ns[i], std::memory_order_relaxed);
    }
  });
}

}  // namespace poprt

#endif  // POPRT_MEASURE_SYNC_CLOCK_H_
