#include "measure/region_records.h"

#include <algorithm>

namespace poprt {

void RegionRecords::add(int count) {
  for (int i = 0; i <= (count - 1) / kBlock; ++i) {
    if (blocks_[i].load(std::memory_order_relaxed) == nullptr) {
      blocks_[i].store(new Block, std::memory_order_release);
    }
  }
  count_.store(count, std::memory_order_release);
  split_anew(true);
}

void RegionRecords::never_split() {
  splits_ = false;
  quick_count_ = running_count_ = 0;
  split_ = {RegionList::none_like_it()};
}

void RegionRecords::split_anew(bool rests_anew) {
  const int count = this->count();
  const int before = quick_count_;
  // All regions run, open or not.
  if (count == before && count <= kAlwaysRunning) return;
  if (!splits_) return;
  RegionSplit split{RegionList(), split_.resting};
  quick_count_ = running_count_ = 0;
  split_ = {RegionList::none_like_it()};
  for (int slot = 0; slot < count; ++slot) {
    RegionRecord& r = at(slot);
    if (count > kAlwaysRunning && !r.is_open()) continue;
    if (!split.running.add(slot)) return;
    running_[split.running.count() - 1] = &r;
  }
  running_count_ = split.running.count();
  if (running_count_ == 0) return;
  quick_count_ = count;
  split_ = split;
  if (running_count_ == count) {
    split_.resting = RegionSplit::kNothing;
  } else if (rests_anew || split.resting <= RegionSplit::kNothing) {
    number_resting();
  }
  if (before > kAlwaysRunning || count <= kAlwaysRunning) return;
  // Before the quick way, changes were not noted.
  ++changes_;
  for_each(count, [this](int, RegionRecord& r) { r.changed = changes_; });
}

// No thread of any Process ever makes the same number, because objects of
// synchronisation are used again by others.
void RegionRecords::number_resting() {
  static constinit std::atomic<uint64_t> threads{0};
  constexpr int kNumbersOfThread = 40;
  if (last_resting_ == 0) {
    last_resting_ = (threads.fetch_add(1) + 1) << kNumbersOfThread;
  }
  split_.resting = ++last_resting_;
}

void RegionRecords::rests_later(RegionRecord& r) {
  r.changed = ++changes_;
  if (split_.resting > RegionSplit::kNothing) number_resting();
}

void RegionRecords::note_later(RegionRecord& r, const ClockEntry& entry) {
  if (entry.cue_ns > r.clock[kGlobalCue].get() ||
      entry.coo_ns > r.clock[kGlobalCoo].get() ||
      entry.all_ns > r.clock[kGlobalAll].get()) {
    rests_later(r);
  }
}

// Resting clocks that the merge makes equal to the object's get the object's
// number.  If they were equal before, all threads take the larger number.
void RegionRecords::merge(const SyncClock& sync, int count,
                          const OwnClocks& own) {
  const RegionSplit theirs{sync.running(), sync.resting()};
  const bool known = RegionSplit::is_number(theirs.resting);
  const bool same = known && theirs.resting == split_.resting;
  bool was_earlier = false;  // a resting clock of this thread
  bool was_later = false;
  for (int slot = 0; slot < count; ++slot) {
    if (same && theirs.running.find(slot) < 0) continue;
    RegionRecord& r = at(slot);
    const bool rests = split_.running.find(slot) < 0;
    bool raised = false;
    const ClockSet clocks = sync.get(slot);
    const OwnClocks base = r.base(own);
    for_each_clock<kUsualClocks>([&](int i, int kind) {
      const int64_t ns = clocks.ns[i] - base.ns[kind];
      raised |= rests && r.clock[i].get() < ns;
      was_later |= rests && r.clock[i].get() > ns;
      r.clock[i].raise(ns);
    });
    if (!raised) continue;
    was_earlier = true;
    r.changed = ++changes_;
  }
  const uint64_t before = split_.resting;
  if (was_earlier) number_resting();
  if (same || !known || was_later || theirs.running != split_.running ||
      count != quick_count_ || !sync.is_still(theirs.running) ||
      sync.resting() != theirs.resting) {
    return;
  }
  split_.resting =
      was_earlier ? theirs.resting : std::max(theirs.resting, before);
}

}  // namespace poprt
