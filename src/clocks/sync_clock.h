// SyncClock: the clocks of all regions that a synchronisation object carries
// from the threads that reach it to the threads that leave it.
//
// store() is for objects with one writer at a time (a fork, the creation of a
// task, a held lock).  Raising is for objects that several threads reach at
// once (a taskwait, dependences of tasks).  Only regions below size() have
// clocks; the rest is from an earlier use.
//
// Where the longest path is followed (PathNote), a note of it goes with the
// clocks.
//
// The clocks of a few regions lie in the object itself: those that run with the
// thread that has stored them (region_split.h).  The others lie in blocks that
// are added on first use and kept until destruction.  So nothing is ever
// copied, an object that has been used before allocates nothing, and what rests
// is written once.
//
// A thread that keeps COM and COMP stores these too, and when it did: who waits
// for the object weighs its wait by that (came_ns()).  What other threads store
// has neither.
#ifndef POPRT_CLOCKS_SYNC_CLOCK_H_
#define POPRT_CLOCKS_SYNC_CLOCK_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "clocks/clock_set.h"
#include "clocks/region_split.h"

namespace poprt {

struct PathNote;

class SyncClock {
 public:
  // How many regions the object itself has room for.  Two of them, which is
  // enough for Global and one region of the user, are two cache lines together
  // with what a task adds (openmp/tasking.h).
  static constexpr int kInline = RegionList::kMost;

  SyncClock() = default;
  ~SyncClock();
  SyncClock(const SyncClock&) = delete;
  SyncClock& operator=(const SyncClock&) = delete;

  // What the object has: clocks of the first regions, and perhaps a note.  One
  // word, which changes at once and is compared at once: the sign tells whether
  // there is a note, so that what is done without one costs nothing for it.
  class Size {
   public:
    constexpr Size() = default;  // of an empty object
    constexpr explicit Size(int regions) : word_(regions) {}
    static constexpr Size with_note(int regions) { return Size(-1 - regions); }

    constexpr bool is_empty() const { return word_ == 0; }
    constexpr bool has_note() const { return word_ < 0; }
    constexpr int regions() const { return has_note() ? -1 - word_ : word_; }
    friend constexpr bool operator==(Size, Size) = default;

   private:
    int word_ = 0;
  };
  Size size() const { return size_.load(std::memory_order_acquire); }

  // REQUIRES: slot < size().regions().
  ClockSet get(int slot) const;

  // Clocks of which nothing is known but that they are those of the regions
  // below `size`, after the last store().
  void store(int slot, const ClockSet& clocks);
  void publish(int size);
  // With a note; likewise after the last store().
  void publish(int size, const PathNote& note);

  // Whether the same regions run in it, and the clocks that rest have the same
  // number.  Then only those that run are to be stored, by store_running() and
  // publish_running().
  bool is_split(const RegionSplit& split) const {
    return list_.load(std::memory_order_relaxed) == split.running.word() &&
           resting_.load(std::memory_order_relaxed) == split.resting;
  }
  // kCount: how many clocks the run keeps (kUsualClocks).
  template <int kCount>
  void store_running(int place, const ClockSet& clocks) {
    put<kCount>(at(place), clocks);
  }
  void publish_running(int size) { set_size(Size(size)); }
  template <int kCount>
  ClockSet get_running(int place) const {
    return values_in<kCount>(at(place));
  }
  // Stores the clocks of all regions below `size`, where that is not so.
  class Storing {
   public:
    Storing(SyncClock& sync, const RegionSplit& split);
    void store(int slot, const ClockSet& clocks);
    void publish(int size);

   private:
    SyncClock& sync_;
    const RegionSplit split_;
    const RegionList before_;
    const bool has_resting_;  // the clocks that rest are there already
    bool is_complete_ = true;
  };

  RegionList running() const {
    return RegionList::of_word(list_.load(std::memory_order_acquire));
  }
  uint64_t resting() const { return resting_.load(std::memory_order_relaxed); }
  // Whether what was read of a lock's object, which another thread may be
  // writing (openmp/locks.h), are clocks of the regions that they were taken
  // for.
  bool is_still(RegionList running) const {
    std::atomic_thread_fence(std::memory_order_acquire);
    return list_.load(std::memory_order_relaxed) == running.word();
  }
  // REQUIRES: size().has_note().  False: it could not be read now.
  bool read_note(PathNote* note) const;

  // When the last of those came whose clocks these are; kNever: nobody has
  // said.
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
  int64_t came_ns() const {
    return has_com() && !size().is_empty()
               ? came_.load(std::memory_order_relaxed)
               : kNever;
  }
  // COM and COMP are among the clocks that were stored, and this is when.  To
  // be called after publish().
  void publish_com(int64_t came_ns) {
    came_.store(came_ns, std::memory_order_relaxed);
    resting_.store(RegionSplit::kWithCom, std::memory_order_release);
  }

  // While it exists, only its thread raises clocks.  One locked instruction is
  // cheaper than one for each clock.
  class Raising {
   public:
    explicit Raising(SyncClock& sync) : sync_(sync) {
      if (sync.raising_.exchange(true, std::memory_order_acquire)) sync.wait();
    }
    // To be called after publish(), as SyncClock::publish_com().
    void publish_com(int64_t came_ns);
    ~Raising() { sync_.raising_.store(false, std::memory_order_release); }
    Raising(const Raising&) = delete;
    Raising& operator=(const Raising&) = delete;

    // No thread has raised it since its reset(): clocks can be stored.
    bool is_empty() const { return sync_.own_size().is_empty(); }
    SyncClock& object() { return sync_; }
    // Where it is_split() alike, only those that run are to be raised.
    template <int kCount>
    void raise_running(int place, const ClockSet& clocks) {
      lift<kCount>(sync_.at(place), clocks);
    }

    // To be called once for each region, from the first one on without a gap.
    void raise(int slot, const ClockSet& clocks);
    // To be called after the last raise(): the regions below `size` have clocks
    // too.
    void publish(int size);
    // The same with a note.
    void publish(int size, const PathNote& note);
    // All of another object.
    void raise(const SyncClock& other);

   private:
    SyncClock& sync_;
    // Behind the first raise(): COM and COMP were there before; else what is
    // there of them is from an earlier use.
    bool had_com_ = false;
  };
  // Raises all clocks to at least those of `other`, and publishes them.
  void raise(const SyncClock& other);

  // Makes it empty.  REQUIRES: no other thread uses the object.
  void reset() { size_.store(Size(), std::memory_order_relaxed); }

 private:
  static constexpr int kBlock = 16;
  using Clock = std::atomic<int64_t>;
  // Where the clocks of one region are: the usual ones, and the others.
  template <class Each>
  struct PlaceOf {
    Each* usual = nullptr;  // null: nowhere
    Each* others = nullptr;
    Each& clock(int i) const {
      return i < kUsualClocks ? usual[i] : others[i - kUsualClocks];
    }
  };
  using Place = PlaceOf<Clock>;
  using ConstPlace = PlaceOf<const Clock>;
  struct Note;
  struct Block {
    Clock clocks[kBlock][kClocks] = {};
    std::atomic<Block*> next{nullptr};
    std::atomic<Note*> note{nullptr};  // in the first block only

    Place at(int slot) { return {clocks[slot], &clocks[slot][kUsualClocks]}; }
    ConstPlace at(int slot) const {
      return {clocks[slot], &clocks[slot][kUsualClocks]};
    }
  };

  template <int kCount>
  static ClockSet values_in(const ConstPlace& place) {
    ClockSet clocks;
    for_each_clock<kCount>([&](int i, int) {
      clocks.ns[i] = place.clock(i).load(std::memory_order_relaxed);
    });
    return clocks;
  }
  template <int kCount>
  static void put(const Place& place, const ClockSet& clocks) {
    for_each_clock<kCount>([&](int i, int) {
      place.clock(i).store(clocks.ns[i], std::memory_order_relaxed);
    });
  }
  template <int kCount>
  static void lift(const Place& place, const ClockSet& clocks) {
    for_each_clock<kCount>([&](int i, int) {
      Clock& clock = place.clock(i);
      if (clocks.ns[i] > clock.load(std::memory_order_relaxed)) {
        clock.store(clocks.ns[i], std::memory_order_relaxed);
      }
    });
  }
  // Of a region that runs.
  Place at(int place) { return {running_[place], others_[place]}; }
  ConstPlace at(int place) const { return {running_[place], others_[place]}; }
  ConstPlace find(int slot, RegionList list) const {
    const int place = list.find(slot);
    return place >= 0 ? at(place) : find_more(slot);
  }
  Place obtain(int slot) {
    const int place = running().find(slot);
    return place >= 0 ? at(place) : obtain_more(slot);
  }
  // For clocks for which there is no memory.
  static Block nowhere;

  ConstPlace find_more(int slot) const;
  Place obtain_more(int slot);
  Note* obtain_note();
  bool has_com() const {
    return resting_.load(std::memory_order_acquire) == RegionSplit::kWithCom;
  }
  // For who has stored what is there, or raises it.
  Size own_size() const { return size_.load(std::memory_order_relaxed); }
  void set_size(Size size) { size_.store(size, std::memory_order_release); }
  void mix() {
    resting_.store(RegionSplit::kUnknown, std::memory_order_relaxed);
  }
  void wait();

  // Whose clocks lie in the object, and the number of those that lie in blocks.
  // Both keep their meaning when the object is reset.
  std::atomic<uint64_t> list_{RegionList::first(kInline).word()};
  std::atomic<uint64_t> resting_{RegionSplit::kUnknown};
  std::atomic<Size> size_{Size()};
  std::atomic<bool> raising_{false};
  Clock running_[kInline][kUsualClocks] = {};
  std::atomic<Block*> more_{nullptr};
  // Those that few runs keep.
  Clock came_{0};
  Clock others_[kInline][kClocks - kUsualClocks] = {};
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_SYNC_CLOCK_H_
