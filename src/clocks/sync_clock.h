// SyncClock: the clocks of all regions that an object of synchronisation (a
// fork, a task, a lock, a seat of a barrier) carries from the threads that
// reach the object to the threads that leave it.
//
// store() is for objects with one writer at a time (a fork, the creation of a
// task, a held lock).  Raising is for objects that several threads reach at
// once (a taskwait, a task with dependences).  Any thread may read.
//
// The regions with slots below size() have clocks.  With POPRT_PATH the object
// also has a note of the longest path (PathNote).
//
// The clocks of running regions (region_split.h) lie in the object itself, all
// others in blocks that are kept until destruction.  Resting clocks are not
// written again while the object has the same ones.
//
// A thread that keeps COM and COMP itself (com_start.h) stores these clocks as
// well, and when it reached the object (came_ns()).
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
  // How many regions have room in the object itself.  The clocks of two regions
  // and what a task adds (openmp/tasking.h) take two cache lines.
  static constexpr int kInline = RegionList::kMost;

  SyncClock() = default;
  ~SyncClock();
  SyncClock(const SyncClock&) = delete;
  SyncClock& operator=(const SyncClock&) = delete;

  // How many regions have clocks, and whether there is a note: in one word, so
  // that one comparison checks both.
  class Size {
   public:
    constexpr Size() = default;  // an empty object
    constexpr explicit Size(int regions) : word_(regions) {}
    static constexpr Size with_note(int regions) { return Size(-1 - regions); }

    constexpr bool is_empty() const { return word_ == 0; }
    constexpr bool has_note() const { return word_ < 0; }
    constexpr int regions() const { return has_note() ? -1 - word_ : word_; }
    friend constexpr bool operator==(Size, Size) = default;

   private:
    int word_ = 0;  // with a note: -1 - regions
  };
  Size size() const { return size_.load(std::memory_order_acquire); }

  // All 0 if there was no memory, or if another thread changes the list of
  // running regions meanwhile.  REQUIRES: slot < size().regions().
  ClockSet get(int slot) const;

  // Call store() for each region below `size`, then publish().  Afterwards
  // is_split() is false.
  void store(int slot, const ClockSet& clocks);
  void publish(int size);
  void publish(int size, const PathNote& note);

  // Whether the object has the same running regions, and its resting clocks the
  // same number.  Then only clocks of running regions are stored or merged, by
  // their places in the list; kCount: how many clocks the run keeps.
  bool is_split(const RegionSplit& split) const {
    return list_.load(std::memory_order_relaxed) == split.running.word() &&
           resting_.load(std::memory_order_relaxed) == split.resting;
  }
  template <int kCount>
  void store_running(int place, const ClockSet& clocks) {
    put<kCount>(at(place), clocks);
  }
  void publish_running(int size) { set_size(Size(size)); }
  template <int kCount>
  ClockSet get_running(int place) const {
    return values_in<kCount>(at(place));
  }
  // For a thread with another split: call store() for each region below `size`,
  // then publish().  Afterwards is_split(split), unless memory was missing.
  class Storing {
   public:
    Storing(SyncClock& sync, const RegionSplit& split);
    void store(int slot, const ClockSet& clocks);
    void publish(int size);

   private:
    SyncClock& sync_;
    const RegionSplit split_;
    const RegionList before_;
    const bool has_resting_;   // the object has the same resting clocks already
    bool is_complete_ = true;  // no memory was missing
  };

  RegionList running() const {
    return RegionList::of_word(list_.load(std::memory_order_acquire));
  }
  uint64_t resting() const { return resting_.load(std::memory_order_relaxed); }
  // Whether the clocks that were read since running() returned `running` are of
  // these regions.  Another thread may write a lock's object meanwhile.
  bool is_still(RegionList running) const {
    std::atomic_thread_fence(std::memory_order_acquire);
    return list_.load(std::memory_order_relaxed) == running.word();
  }
  // False: there was no memory, or another thread keeps using the note.
  // REQUIRES: size().has_note().
  bool read_note(PathNote* note) const;

  // When a thread reached the object last, in ns since the start of
  // measurement, as publish_com() has told.  kNever: it was not told.
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
  int64_t came_ns() const {
    return has_com() && !size().is_empty()
               ? came_.load(std::memory_order_relaxed)
               : kNever;
  }
  // The stored clocks include COM and COMP, and the thread reached the object
  // at `came_ns`.  To be called after publish().
  void publish_com(int64_t came_ns) {
    came_.store(came_ns, std::memory_order_relaxed);
    resting_.store(RegionSplit::kWithCom, std::memory_order_release);
  }

  // Excludes all other Raisings of the object, whose threads wait.  So one
  // locked instruction is enough for all clocks.
  class Raising {
   public:
    explicit Raising(SyncClock& sync) : sync_(sync) {
      if (sync.raising_.exchange(true, std::memory_order_acquire)) sync.wait();
    }
    // As SyncClock::publish_com(), but a later came_ns() stays.
    void publish_com(int64_t came_ns);
    ~Raising() { sync_.raising_.store(false, std::memory_order_release); }
    Raising(const Raising&) = delete;
    Raising& operator=(const Raising&) = delete;

    // True: there are no clocks, so clocks may be stored into object().
    bool is_empty() const { return sync_.own_size().is_empty(); }
    SyncClock& object() { return sync_; }
    // REQUIRES: object().is_split() for the thread's split.
    template <int kCount>
    void raise_running(int place, const ClockSet& clocks) {
      lift<kCount>(sync_.at(place), clocks);
    }

    // Call raise() for each region below `size` in the order of slots, then
    // publish().
    void raise(int slot, const ClockSet& clocks);
    void publish(int size);
    void publish(int size, const PathNote& note);
    // raise() for each region of `other`, then publish().
    void raise(const SyncClock& other);

   private:
    SyncClock& sync_;
    // Set by raise() of slot 0: the object had COM and COMP before.  If not,
    // its values of COM and COMP are from an earlier use.
    bool had_com_ = false;
  };
  // The same, with a Raising of its own.
  void raise(const SyncClock& other);

  // Makes the object empty.  REQUIRES: no other thread uses the object.
  void reset() { size_.store(Size(), std::memory_order_relaxed); }

 private:
  static constexpr int kBlock = 16;
  using Clock = std::atomic<int64_t>;
  template <class Each>
  struct PlaceOf {
    Each* usual = nullptr;   // the first kUsualClocks; null: there is no place
    Each* others = nullptr;  // the rest
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
  // `place`: in the list of running regions.
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
  // Takes the clocks for which there is no memory.
  static Block nowhere;

  ConstPlace find_more(int slot) const;
  Place obtain_more(int slot);
  Note* obtain_note();
  bool has_com() const {
    return resting_.load(std::memory_order_acquire) == RegionSplit::kWithCom;
  }
  // For the writer.
  Size own_size() const { return size_.load(std::memory_order_relaxed); }
  void set_size(Size size) { size_.store(size, std::memory_order_release); }
  // The resting clocks lose their number.
  void mix() {
    resting_.store(RegionSplit::kUnknown, std::memory_order_relaxed);
  }
  void wait();

  // The running regions, and the number of the clocks in the blocks.  reset()
  // changes neither.
  std::atomic<uint64_t> list_{RegionList::first(kInline).word()};
  std::atomic<uint64_t> resting_{RegionSplit::kUnknown};
  std::atomic<Size> size_{Size()};
  std::atomic<bool> raising_{false};
  Clock running_[kInline][kUsualClocks] = {};
  std::atomic<Block*> more_{nullptr};
  // Used by few runs.
  Clock came_{0};
  Clock others_[kInline][kClocks - kUsualClocks] = {};
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_SYNC_CLOCK_H_
