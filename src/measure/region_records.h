// RegionRecords: the times and clocks of one thread in each region, by the
// region's slot, and in which regions clocks run or rest (region_split.h).
//
// Invariants:
//  1. Only the thread writes.  A record that was added stays where it is, so
//     any thread may find and read it.
//  2. An open record has differences to the thread's totals, so its values run
//     on without a change of the record.  A closed record has the values.
//  3. quick_count() is the number of records if ThreadClocks may use the quick
//     way.  Else it is 0, and no object of synchronisation has this split().
//  4. With a quick way, split().running are the open regions, or all regions if
//     there are at most kAlwaysRunning.  for_each_running() visits these.
//  5. With a quick way, split().resting is a new number after each change of
//     resting clocks.  No two threads ever make the same number.
//  6. With a quick way and more than kAlwaysRunning regions, `changed` of a
//     resting record is changes() at its last change.
#ifndef POPRT_MEASURE_REGION_RECORDS_H_
#define POPRT_MEASURE_REGION_RECORDS_H_

#include <atomic>
#include <cstdint>

#include "base/cell.h"
#include "clocks/clock_entry.h"
#include "clocks/clock_set.h"
#include "clocks/clock_weights.h"
#include "clocks/own_clocks.h"
#include "clocks/region_split.h"
#include "clocks/sync_clock.h"
#include "measure/elapsed.h"

namespace poprt {

// Times and clocks of one region.
struct RegionRecord {
  Cell time[kTimes];
  Cell clock[kClocks];
  Cell taken_off;  // ThreadRegion::taken_off_ns
  Cell elapsed;    // Region::elapsed() when this record was last converted
  std::atomic<bool> open{false};
  // Used by the thread only.
  uint64_t changed = 0;

  bool is_open() const { return open.load(std::memory_order_relaxed); }
  // The region as the thread knows it.
  Elapsed known() const { return {is_open(), elapsed.get()}; }

  // The totals to which the record's clocks are differences, or 0.  The mask
  // keeps them in registers: a copy of `own` would have to wait for its stores.
  OwnClocks base(const OwnClocks& own) const {
    const int64_t mask = is_open() ? -1 : 0;
    return {{own.ns[kCue] & mask, own.ns[kCoo] & mask, own.ns[kAll] & mask,
             own.ns[kCom] & mask, own.ns[kComp] & mask}};
  }
  // Inlined so that the result stays in registers.
  template <int kCount = kClocks>
  [[gnu::always_inline]] ClockSet clocks(const OwnClocks& own) const {
    ClockSet now;
    const OwnClocks its = base(own);
    for_each_clock<kCount>(
        [&](int i, int kind) { now.ns[i] = clock[i].get() + its.ns[kind]; });
    return now;
  }
};

class RegionRecords {
 public:
  // How many records are beside one another.
  static constexpr int kBlock = 8;

  RegionRecords() = default;
  ~RegionRecords() {
    for (std::atomic<Block*>& block : blocks_) delete block.load();
  }
  RegionRecords(const RegionRecords&) = delete;
  RegionRecords& operator=(const RegionRecords&) = delete;

  // count() is for the thread, count_seen() for any thread.
  int count() const { return count_.load(std::memory_order_relaxed); }
  int count_seen() const { return count_.load(std::memory_order_acquire); }

  // REQUIRES: slot < count().
  RegionRecord& at(int slot) {
    const auto place = static_cast<unsigned>(slot);  // cheaper to divide
    return blocks_[place / kBlock]
        .load(std::memory_order_relaxed)
        ->records[place % kBlock];
  }
  // REQUIRES: count() > 0.
  RegionRecord* first() const {
    return blocks_[0].load(std::memory_order_relaxed)->records;
  }
  // For any thread.  Null: there is no record.
  const RegionRecord* find(int slot) const {
    if (slot >= count_seen()) return nullptr;
    return &blocks_[slot / kBlock]
                .load(std::memory_order_acquire)
                ->records[slot % kBlock];
  }
  void need(int count) {
    if (count > this->count()) add(count);
  }

  // Calls `visit(slot, record)` for the first `count` records.  Only the work
  // for kAlwaysRunning records is inlined, because most programs have few
  // regions.
  template <class Visit>
  [[gnu::always_inline]] void for_each(int count, Visit visit) {
    if (count <= 0) return;
    RegionRecord* const block = first();
#pragma GCC unroll 2
    for (int slot = 0; slot < kAlwaysRunning; ++slot) {
      visit(slot, block[slot]);
      if (slot + 1 == count) return;
    }
    for_each_further(count, visit);
  }
  // Calls `visit(place, record)` for the running regions.  Inlined, so that
  // what `visit` uses stays in registers.  REQUIRES: quick_count() > 0.
  template <class Visit>
  [[gnu::always_inline]] void for_each_running(Visit visit) {
    // Read first, because a signal handler may change these meanwhile.
    const int count = running_count_;
    RegionRecord* const second = running_[1];
    RegionRecord* const third = running_[2];
    RegionRecord* const fourth = running_[3];
    static_assert(RegionList::kMost == 4);
    visit(0, *running_[0]);
    if (count == 1) return;
    visit(1, *second);
    if (count == 2) return;
    visit(2, *third);
    if (count == 3) return;
    visit(3, *fourth);
  }

  const RegionSplit& split() const { return split_; }
  int quick_count() const { return quick_count_; }
  int running_count() const { return running_count_; }
  uint64_t changes() const { return changes_; }

  // From now on there is no quick way.
  void never_split();
  // To be called when regions were added, opened or closed.  `rests_anew`:
  // resting clocks have changed.
  void split_anew(bool rests_anew);
  // Resting clocks of a region, or the process's COM in it, were raised.
  void rests_later(RegionRecord& r);
  // To be called before `entry` raises the clocks of a closed region.
  void note_later(RegionRecord& r, const ClockEntry& entry);
  // A region was closed, or its resting clocks have changed.  Call split_anew()
  // next.
  void note_change(RegionRecord& r) { r.changed = ++changes_; }

  // Merges the clocks of `count` regions of an object with another split.
  // REQUIRES: quick_count() > 0.
  void merge(const SyncClock& sync, int count, const OwnClocks& own);

 private:
  struct Block {
    RegionRecord records[kBlock];
  };

  void add(int count);
  void number_resting();
  template <class Visit>
  [[gnu::noinline]] void for_each_further(int count, Visit visit) {
    for (int slot = kAlwaysRunning; slot < count; ++slot) {
      visit(slot, at(slot));
    }
  }

  std::atomic<Block*> blocks_[kMaxRegions / kBlock] = {};
  std::atomic<int> count_{0};

  // Used by the thread only.
  int quick_count_ = 0;
  RegionSplit split_{RegionList::none_like_it()};
  int running_count_ = 0;
  RegionRecord* running_[RegionList::kMost] = {};
  uint64_t last_resting_ = 0;  // the last number that was made; 0: none
  uint64_t changes_ = 0;       // of clocks that rest
  bool splits_ = true;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGION_RECORDS_H_
