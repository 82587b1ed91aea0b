// What the quick ways of synchronisation leave: threads and objects of which
// other regions run, or whose resting clocks differ; where a note goes with the
// clocks; where more clocks than the usual ones are kept.
#include <algorithm>
#include <atomic>

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {

bool Thread::splits_regions() const {
  return path_ == nullptr && !process_.keeps_coow() &&
         process_.windows() == nullptr && !keeps_com();
}

// To be called when there are more records, or other regions are open.
// `rests_anew`: what rests has changed.
void Thread::split_regions(bool rests_anew) {
  const int count = records_.load(std::memory_order_relaxed);
  const int before = quick_records_;
  // All of them run, whether they are open or not.
  if (count == before && count <= kAlwaysRunning) return;
  if (!splits_regions()) return;
  RegionSplit split{RegionList(), split_.resting};
  quick_records_ = running_count_ = 0;
  split_ = {RegionList::none_like_it()};
  for (int slot = 0; slot < count; ++slot) {
    Record& r = record(slot);
    if (count > kAlwaysRunning && !r.open.load(std::memory_order_relaxed)) {
      continue;
    }
    if (!split.running.add(slot)) return;
    running_[split.running.count() - 1] = &r;
  }
  running_count_ = split.running.count();
  if (running_count_ == 0) return;
  quick_records_ = count;
  split_ = split;
  if (running_count_ == count) {
    split_.resting = RegionSplit::kNothing;
  } else if (rests_anew || split.resting <= RegionSplit::kNothing) {
    number_resting();
  }
  if (before > kAlwaysRunning || count <= kAlwaysRunning) return;
  // Till now it was not noted which of them change.
  ++changes_;
  for_each_record(count, [this](int, Record& r) { r.changed = changes_; });
}

// No other thread gives the same number, of whatever process: objects may be
// used again by another one.
void Thread::number_resting() {
  static constinit std::atomic<uint64_t> threads{0};
  constexpr int kNumbersOfThread = 40;
  if (last_resting_ == 0) {
    last_resting_ = (threads.fetch_add(1) + 1) << kNumbersOfThread;
  }
  split_.resting = ++last_resting_;
}

// Clocks in a region that is closed, or the process's COM in it, have become
// later.
void Thread::rests_later(Record& r) {
  r.changed = ++changes_;
  if (split_.resting > RegionSplit::kNothing) number_resting();
}

// Before the clocks of a region that is closed are raised by these.
void Thread::note_later(Record& r, const ClockEntry& entry) {
  if (entry.cue_ns > r.clock[kGlobalCue].get() ||
      entry.coo_ns > r.clock[kGlobalCoo].get() ||
      entry.all_ns > r.clock[kGlobalAll].get()) {
    rests_later(r);
  }
}

void Thread::raise_com(Record& r, int slot, int64_t com_ns,
                       const OwnClocks& base, const OutsideMpi& outside) {
  if (keeps_com()) return raise_own_com(r, com_ns, base);
  if (!process_.raise_com(slot, com_ns, outside)) return;
  rests_later(r);
  ++com_changes_;
  process_.count_com_change();
}

bool Thread::sends_more() const { return process_.sends_more(); }

void Thread::store_all_to(SyncClock& sync) {
  const int count = records_.load(std::memory_order_relaxed);
  const OwnClocks own = all_own_clocks();
  if (quick_records_ > 0) {
    SyncClock::Storing storing(sync, split_);
    for_each_record(count, [&](int slot, const Record& r) {
      storing.store(slot, clocks_now(r, own));
    });
    return storing.publish(count);
  }
  for_each_record(count, [&](int slot, const Record& r) {
    sync.store(slot, given_clocks(r, own));
  });
  if (path_ == nullptr) {
    sync.publish(count);
  } else {
    sync.publish(count, path_->note());
    path_->given();
  }
  if (keeps_com()) sync.publish_com(came_ns());
}

// Nobody waits for a thread that is not OpenMP's: what it brings came by
// itself.
int64_t Thread::came_ns() const {
  return kind_ == ThreadKind::kForeign ? SyncClock::kNever : since_.get();
}

void Thread::raise_all_in(SyncClock::Raising& raising) {
  const int count = records_.load(std::memory_order_relaxed);
  const OwnClocks own = all_own_clocks();
  for_each_record(count, [&](int slot, const Record& r) {
    raising.raise(slot, given_clocks(r, own));
  });
  if (path_ == nullptr) {
    raising.publish(count);
  } else {
    raising.publish(count, path_->note());
    path_->given();
  }
  if (keeps_com()) raising.publish_com(came_ns());
}

void Thread::merge_all(const SyncClock& sync) {
  const OwnClocks own = all_own_clocks();
  const SyncClock::Size size = sync.size();
  if (size.is_empty()) return;
  const int count = size.regions();
  need_records(count);
  if (quick_records_ > 0) return merge_split(sync, count, own);
  for_each_record(count, [&](int slot, Record& r) {
    const ClockSet clocks = sync.get(slot);
    const OwnClocks base = base_as_of(r, slot, own, merge_tail_ns_);
    for_each_clock([&](int i, int kind) {
      r.clock[i].raise(clocks.ns[i] - base.ns[kind]);
    });
  });
  // A region that was opened since then, before this thread existed.
  for (int slot = count; slot < records_.load(std::memory_order_relaxed);
       ++slot) {
    if (merge_tail_ns_ == 0) break;
    Record& r = record(slot);
    const OwnClocks base = base_as_of(r, slot, own, merge_tail_ns_);
    r.clock[kGlobalCom].raise(-base.ns[kCom]);
    r.clock[kGlobalComp].raise(-base.ns[kComp]);
  }
  PathNote note;
  if (path_ != nullptr && size.has_note() && sync.read_note(&note)) {
    path_->merge(note, process_.rank());
  }
}

// If all that rests here is then as it is there, it has the same number.  Of
// two numbers for the same, all threads take the larger one.
void Thread::merge_split(const SyncClock& sync, int count,
                         const OwnClocks& own) {
  const RegionSplit theirs{sync.running(), sync.resting()};
  const bool known = RegionSplit::is_number(theirs.resting);
  const bool same = known && theirs.resting == split_.resting;
  bool was_earlier = false;  // some of what rests here
  bool was_later = false;
  for (int slot = 0; slot < count; ++slot) {
    if (same && theirs.running.find(slot) < 0) continue;
    Record& r = record(slot);
    const bool rests = split_.running.find(slot) < 0;
    bool raised = false;
    const ClockSet clocks = sync.get(slot);
    const OwnClocks base = base_of(r, own);
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
      count != quick_records_ || !sync.is_still(theirs.running) ||
      sync.resting() != theirs.resting) {
    return;
  }
  split_.resting =
      was_earlier ? theirs.resting : std::max(theirs.resting, before);
}

}  // namespace poprt
