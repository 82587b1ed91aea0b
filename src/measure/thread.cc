#include "measure/thread.h"

#include <algorithm>
#include <utility>

#include "base/mutex.h"
#include "clocks/changed_clocks.h"
#include "clocks/packed_clocks.h"
#include "measure/passed_amounts.h"
#include "measure/path_view.h"
#include "measure/process.h"
#include "measure/sent_clocks.h"

namespace poprt {
Thread::Thread(Process& process, uint32_t number, ThreadKind kind,
               int64_t now_ns)
    : process_(process),
      process_epoch_(process.epoch_),
      number_(number),
      kind_(kind),
      // A core without a thread is idle.
      state_(State::kOmp),
      in_no_team_(kind != ThreadKind::kProgram),
      passed_(process.has_thread_rows() ? new PassedAmounts : nullptr) {
  if (process.windows() != nullptr) keep_windows();
  if (process.path_choice().followed()) begin_path();
  if (kind == ThreadKind::kWorker) set_depth(1);
  if (kind == ThreadKind::kProgram) {
    switch_to(State::kUseful, now_ns);
  } else {
    book(now_ns);
  }
}

void Thread::begin_again(ThreadKind kind, int64_t now_ns) {
  if (kind == ThreadKind::kProgram) process_.works_alone(now_ns);
  switch_to(kind == ThreadKind::kProgram ? State::kUseful : State::kOmp,
            now_ns);
  set_depth(kind == ThreadKind::kWorker ? 1 : 0);
  if (kind == ThreadKind::kProgram) joins_team();
}

Thread::~Thread() {
  for (std::atomic<Block*>& block : blocks_) delete block.load();
  delete accounts_.load();
}

// Whether the caller is a signal handler.  After so many events it is none: the
// program has left the event by siglongjmp().
bool Thread::gives_way() {
  constexpr int kMostOfHandler = 64;
  if (gave_way_at_ != events_.get()) gave_way_ = 0;
  gave_way_at_ = events_.get();
  if (++gave_way_ > kMostOfHandler) {
    gave_way_ = 0;
    return false;
  }
  count_call_that_gives_way();
  return true;
}

void Thread::book_own_work(int64_t now_ns) {
  const State state = this->state();
  const int64_t events = events_.get();
  state_.store(State::kOmp, std::memory_order_relaxed);
  book(now_ns);
  state_.store(state, std::memory_order_relaxed);
  events_.set(events);
}

const Thread::Record* Thread::find_record(int slot) const {
  if (slot >= records_.load(std::memory_order_acquire)) return nullptr;
  return &blocks_[slot / kBlock]
              .load(std::memory_order_acquire)
              ->records[slot % kBlock];
}

void Thread::add_records(int count) {
  for (int i = 0; i <= (count - 1) / kBlock; ++i) {
    if (blocks_[i].load(std::memory_order_relaxed) == nullptr) {
      blocks_[i].store(new Block, std::memory_order_release);
    }
  }
  records_.store(count, std::memory_order_release);
  split_regions(true);
}

ThreadRegion Thread::region_at(int slot, int64_t now_ns) const {
  static const Record kNone;
  const Record* const found = find_record(slot);
  ThreadRegion region =
      values_of(found == nullptr ? kNone : *found,
                process_.region(slot).elapsed(), now_ns, tail_now(now_ns));
  settle_com(slot, &region.clocks);
  return region;
}

// All time that is booked, which is the time of the last event except for a
// moment in each event.
int64_t Thread::booked_ns() const {
  int64_t sum = 0;
  for (const Cell& total : total_) sum += total.get();
  return sum;
}

// Totals and the time of the last event only grow, so if they agree before and
// after and the latter is the same, all that was read in between belongs to it.
// A record that is being converted is noticed by its times, which add up to the
// region's.
ThreadRegion Thread::settled_region_at(int slot, int64_t now_ns) const {
  constexpr int kMostAttempts = 16;
  const int64_t elapsed_ns = process_.region(slot).elapsed().at(now_ns);
  for (int i = 0; i < kMostAttempts; ++i) {
    const int64_t since_ns = since_.get();
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool settled = booked_ns() == since_ns;
    const ThreadRegion region = region_at(slot, now_ns);
    std::atomic_thread_fence(std::memory_order_acquire);
    int64_t sum = 0;
    for (const int64_t ns : region.time_ns) sum += ns;
    if (settled && sum == elapsed_ns && since_.get() == since_ns &&
        booked_ns() == since_ns) {
      return region;
    }
  }
  return region_at_stopped_event(slot, now_ns, elapsed_ns);
}

// The thread has lost its core after it has booked the time before an event and
// before it has set the time of the event: what is booked counts once more as
// time since the event before, in the same state.
ThreadRegion Thread::region_at_stopped_event(int slot, int64_t now_ns,
                                             int64_t elapsed_ns) const {
  const State state = this->state();
  ThreadRegion region = region_at(slot, now_ns);
  int64_t twice_ns = -elapsed_ns;
  for (const int64_t ns : region.time_ns) twice_ns += ns;
  region.time_ns[time_index(depth_flag_.load(std::memory_order_relaxed),
                            state)] -= twice_ns;
  const bool in_parallel = depth_flag_.load(std::memory_order_relaxed);
  for (int i = 0; i < kClocks; ++i) {
    const int kind = kKindOf[i];
    if (kind >= kCom && !keeps_com()) continue;
    const bool counts = counts_in(kind, state, in_parallel);
    if (counts == own_total(kind).is_remainder) continue;
    region.clocks.ns[i] += counts ? -twice_ns : twice_ns;
  }
  return region;
}

// `elapsed` is the region's.  It is read once, because another thread may be
// changing it.
ThreadRegion Thread::values_of(const Record& r, const Elapsed& elapsed,
                               int64_t now_ns, const ComTail& tail) const {
  const int64_t since = since_.get();
  const State state = this->state();
  const bool open = r.open.load(std::memory_order_relaxed);
  const Elapsed known{open, r.elapsed.get()};
  // The region's time since the last event, all in the present state.
  const int64_t inside = elapsed.at(now_ns) - known.at(since);

  ThreadRegion region;
  for (int i = 0; i < kTimes; ++i) {
    region.time_ns[i] = r.time[i].get() + (open ? total_[i].get() : 0);
  }
  int64_t& present = region.time_ns[time_index(
      depth_flag_.load(std::memory_order_relaxed), state)];
  present += inside;
  // Another thread has closed the region before the last event here, but this
  // thread did not know yet: what it has counted too much is of a state before.
  if (present < 0) [[unlikely]] {
    const int64_t missing = std::exchange(present, 0);
    *std::max_element(region.time_ns, region.time_ns + kTimes) += missing;
  }
  // Of what is inside: the last of it, as long as the region is open.
  const auto counted = [&](int kind) {
    if (kind < kCom) return counts_in(kind, state, false) ? inside : 0;
    const int64_t tail_ns = kind == kCom ? tail.com_ns : tail.comp_ns;
    const int64_t before_ns =
        now_ns - since - std::min(now_ns - since, tail_ns);
    return elapsed.open ? std::min(inside, tail_ns)
                        : std::max<int64_t>(0, inside - before_ns);
  };
  OwnClocks now = open ? all_own_clocks() : OwnClocks();
#pragma GCC unroll 5
  for (int kind = 0; kind < kClockKinds; ++kind) now.ns[kind] += counted(kind);
  for_each_clock([&](int i, int kind) {
    region.clocks.ns[i] = r.clock[i].get() + now.ns[kind];
  });
  return region;
}

OutsideMpi Thread::outside_mpi(int64_t now_ns) const {
  const int64_t ns = now_ns - since_.get();
  const State state = this->state();
  const bool in_parallel = depth_flag_.load(std::memory_order_relaxed);
  const auto step = [&](int kind) {
    return counts_in(kind, state, in_parallel) ? ns : std::min<int64_t>(0, ns);
  };
  const OutsideMpi before = outside_mpi();
  return {before.com_ns + step(kCom), before.comp_ns + step(kComp)};
}

[[gnu::always_inline]] inline void Thread::store_in(SyncClock& sync) {
  if (!sync.is_split(split_)) [[unlikely]]
    return store_all_to(sync);
  const OwnClocks own = own_clocks();
  const auto store =
      [&sync, own ](int place, const Record& r) __attribute__((always_inline)) {
    sync.store_running<kUsualClocks>(place, clocks_now<kUsualClocks>(r, own));
  };
  for_each_running(store);
  sync.publish_running(quick_records_);
}

void Thread::store_to(SyncClock& sync) { store_in(sync); }

void Thread::store_to(SyncClock& sync, int64_t now_ns) const {
  const int count = records_.load(std::memory_order_acquire);
  for (int slot = 0; slot < count; ++slot) {
    sync.store(slot, region_at(slot, now_ns).clocks);
  }
  if (path_ != nullptr) {
    sync.publish(count, PathNote());
  } else {
    sync.publish(count);
  }
  if (keeps_com()) sync.publish_com(now_ns);
}

[[gnu::always_inline]] inline void Thread::raise_in(
    SyncClock::Raising& raising) {
  if (raising.is_empty()) return store_in(raising.object());
  if (!raising.object().is_split(split_)) [[unlikely]]
    return raise_all_in(raising);
  const OwnClocks own = own_clocks();
  const auto raise = [&raising, own ](int place, const Record& r)
      __attribute__((always_inline)) {
    raising.raise_running<kUsualClocks>(place,
                                        clocks_now<kUsualClocks>(r, own));
  };
  for_each_running(raise);
}

void Thread::raise_to(SyncClock::Raising& raising) { raise_in(raising); }

void Thread::raise_to(SyncClock& sync) {
  SyncClock::Raising raising(sync);
  raise_in(raising);
}

void Thread::raise_to(BarrierClock& barrier, uint32_t round,
                      const Arrival& arrival) {
  struct Clocks {
    void store_to(SyncClock& sync) const { thread.store_in(sync); }
    void raise_in(SyncClock::Raising& raising) const {
      thread.raise_in(raising);
    }
    Thread& thread;
  };
  barrier.reach(number_, round, arrival, Clocks{*this});
}

[[gnu::always_inline]] inline void Thread::merge(const SyncClock& sync,
                                                 const OwnClocks& own) {
  if (sync.size() != SyncClock::Size(quick_records_) || !sync.is_split(split_))
      [[unlikely]]
    return merge_all(sync);
  const auto merge = [ this, &sync, own ](int place, Record& r)
      __attribute__((always_inline)) {
    const ClockSet clocks = sync.get_running<kUsualClocks>(place);
    if (!sync.is_still(split_.running)) [[unlikely]]
      return;
    const OwnClocks base = base_of(r, own);
    for_each_clock<kUsualClocks>([&](int i, int kind) {
      r.clock[i].raise(clocks.ns[i] - base.ns[kind]);
    });
  };
  for_each_running(merge);
}

void Thread::merge(const SyncClock& sync) { merge(sync, own_clocks()); }

void Thread::merge(const BarrierClock& barrier, uint32_t round, Arrival* most) {
  const OwnClocks own = own_clocks();
  barrier.for_each(number_, round, most,
                   [&](const SyncClock& clocks) { merge(clocks, own); });
}

int Thread::travelling_entries() const {
  if (process_.sends_more()) [[unlikely]]
    return further_entries();
  return process_.regions_to_send();
}

// What travels of a region of a thread that does not keep COM itself.  Inlined
// so that it stays in registers.
[[gnu::always_inline]] inline ClockEntry Thread::entry_of(
    uint64_t key, const Region& region, const Record& r, const OwnClocks& own,
    const OutsideMpi& outside) {
  const OwnClocks base = base_of(r, own);
  const int64_t all_ns = r.clock[kGlobalAll].get() + base.ns[kAll];
  // The process's COM may contain what another thread has received and this one
  // does not know of.  No path of this thread is longer than its ALL.
  return {key, r.clock[kGlobalCue].get() + base.ns[kCue],
          std::min(region.com().at(outside.com_ns), all_ns),
          r.clock[kGlobalCoo].get() + base.ns[kCoo], all_ns};
}

bool Thread::store_to(PackedClocks* packed, const KnownRegions& regions) {
  const int count = process_.regions_to_send();
  if (count != regions.count() || count == 0 ||
      count > records_.load(std::memory_order_relaxed)) {
    return false;
  }
  const OutsideMpi outside = process_.outside_mpi(*this);
  if (process_.sends_more()) [[unlikely]]
    return false;
  const OwnClocks own = own_clocks();
  int64_t bits = 0;
  // Each region needs a clock above 0, else it does not travel.
  bool all_travel = true;
  static_assert(KnownRegions::kMost <= kBlock);
  const Record* const records =
      blocks_[0].load(std::memory_order_relaxed)->records;
#pragma GCC unroll 2
  for (int slot = 0; slot < KnownRegions::kMost; ++slot) {
    const Region& region = process_.region(slot);
    const ClockEntry entry =
        entry_of(region.key(), region, records[slot], own, outside);
    all_travel &= entry.region == regions.region(slot) && entry.all_ns > 0;
    packed->set(slot, entry);
    bits |= entry.cue_ns | entry.com_ns | entry.coo_ns | entry.all_ns;
    if (slot + 1 == count) break;
  }
  return all_travel && can_pack(bits);
}

int Thread::most_changed(const SentClocks& sent) const {
  return changes_ == sent.changes ? running_count_ : ChangedRegions::kMost;
}

ChangedRegions Thread::pack_changed(const SentClocks& sent, int most,
                                    unsigned char* packed) {
  if (sent.thread != this || quick_records_ <= kAlwaysRunning ||
      process_.com_changes() - com_changes_ != sent.com_changes) {
    return {};
  }
  const OutsideMpi outside = process_.outside_mpi(*this);
  if (process_.sends_more()) [[unlikely]]
    return {};
  const OwnClocks own = own_clocks();
  ChangedRegions regions;
  int64_t bits = 0;
  int entries = 0;
  const auto add = [&](int slot, const Record& r, bool rests)
      __attribute__((always_inline)) {
    const Region& region = process_.region(slot);
    const ClockEntry entry = entry_of(region.key(), region, r, own, outside);
    // Else it does not travel.
    if (entry.region == 0 || entry.all_ns == 0) return;
    if (entries < most) {
      PackedClocks::set(packed, entries, entry);
      bits |= entry.cue_ns | entry.com_ns | entry.coo_ns | entry.all_ns;
      regions.add(entries, slot, rests);
    }
    ++entries;
  };
  const RegionList running = split_.running;
  for (int place = 0; place < running.count(); ++place) {
    const int slot = running.slot(place);
    if (slot < process_.travelling_regions()) add(slot, record(slot), false);
  }
  if (sent.changes != changes_) [[unlikely]] {
    const int count = std::min(quick_records_, process_.travelling_regions());
    for (int slot = 0; slot < count; ++slot) {
      const Record& r = record(slot);
      if (r.changed > sent.changes && !r.open.load(std::memory_order_relaxed)) {
        add(slot, r, true);
      }
    }
  }
  return entries > most || !can_pack(bits) ? ChangedRegions() : regions;
}

SentClocks Thread::sent_now() const {
  return {this, changes_, process_.com_changes() - com_changes_};
}

void Thread::store_to(ClockMessage& message, int capacity) {
  message.incomplete = 0;
  message.count = store_to(message.entries, capacity, &message.incomplete);
}

int Thread::store_to(ClockEntry* entries, int capacity, int32_t* incomplete) {
  const int count = process_.regions_to_send();
  need_records(count);
  int stored = 0;
  const OwnClocks own = all_own_clocks();
  const OutsideMpi outside = process_.outside_mpi(*this);
  for (int slot = 0; slot < count; ++slot) {
    const Region& region = process_.region(slot);
    const uint64_t key = region.key();
    if (key == 0) continue;
    ClockEntry entry = entry_of(key, region, record(slot), own, outside);
    if (keeps_com()) [[unlikely]]
      entry.com_ns = given_clocks(record(slot), own).ns[kGlobalCom];
    // nothing has happened in the region
    if (entry.all_ns == 0 && entry.com_ns == 0) continue;
    if (stored >= capacity) {
      *incomplete = 1;
      break;
    }
    entries[stored++] = entry;
  }
  if (!process_.sends_more()) [[likely]]
    return stored;
  return store_further(outside, entries, stored, capacity, incomplete);
}

// Raises clocks by what has arrived.
[[gnu::always_inline]] inline void Thread::raise(Record& r, int slot,
                                                 const ClockEntry& entry,
                                                 const OwnClocks& base,
                                                 const OutsideMpi& outside) {
  if (!r.open.load(std::memory_order_relaxed)) [[unlikely]]
    note_later(r, entry);
  r.clock[kGlobalCue].raise(entry.cue_ns - base.ns[kCue]);
  r.clock[kGlobalCoo].raise(entry.coo_ns - base.ns[kCoo]);
  r.clock[kGlobalAll].raise(entry.all_ns - base.ns[kAll]);
  if (process_.may_raise_com(slot, entry.com_ns, outside)) [[unlikely]]
    raise_com(r, slot, entry.com_ns, base, outside);
}

// `*ahead_ns`: how far ALL of Global is ahead, where this is Global's.
[[gnu::always_inline]] inline void Thread::merge_entry(
    Record& r, int slot, const ClockEntry& entry, const OwnClocks& own,
    const OutsideMpi& outside, int64_t* ahead_ns) {
  const OwnClocks base = base_of(r, own);
  if (entry.region == kGlobalKey) {
    *ahead_ns = entry.all_ns - base.ns[kAll] - r.clock[kGlobalAll].get();
  }
  raise(r, slot, entry, base, outside);
}

int64_t Thread::merge(const ClockMessage& message) {
  if (process_.has_comp()) [[unlikely]]
    return merge_at(message, moment());
  const OwnClocks own = own_clocks();
  const OutsideMpi outside = process_.outside_mpi(*this);
  // Most messages have the regions of this process in their order here.
  const int known = std::min(records_.load(std::memory_order_relaxed), kBlock);
  if (message.count > known || message.count == 0) [[unlikely]]
    return merge_at(message, moment());
  Record* r = blocks_[0].load(std::memory_order_relaxed)->records;
  int64_t ahead_ns = INT64_MIN / 2;
  int slot = 0;
  do {
    const ClockEntry& entry = message.entries[slot];
    if (process_.region(slot).key() != entry.region) [[unlikely]]
      return std::max(ahead_ns, merge_likely(message, slot));
    merge_entry(*r, slot, entry, own, outside, &ahead_ns);
    ++r;
  } while (++slot < message.count);
  return ahead_ns;
}

// Merges the entries from this one on of a message of which the slots of the
// regions are likely.
int64_t Thread::merge_likely(const ClockMessage& message, int from) {
  const Moment now = moment();
  if (message.count > ClockMessage::kLikely) return merge_at(message, now);
  const int known = std::min(records_.load(std::memory_order_relaxed),
                             process_.region_count());
  int64_t ahead_ns = INT64_MIN / 2;
  for (int i = from; i < message.count; ++i) {
    const ClockEntry& entry = message.entries[i];
    const int slot = message.likely_slot[i];
    if (slot < 0 || slot >= known ||
        process_.region(slot).key() != entry.region) {
      return std::max(ahead_ns, merge_at(message, now));
    }
    merge_entry(record(slot), slot, entry, now.own, now.outside, &ahead_ns);
  }
  return ahead_ns;
}

int64_t Thread::all_ns() const {
  const int slot = process_.find_slot(kGlobalKey);
  const Record* const r = slot < 0 ? nullptr : find_record(slot);
  return r == nullptr
             ? 0
             : r->clock[kGlobalAll].get() + base_of(*r, own_clocks()).ns[kAll];
}

Moment Thread::moment() const {
  Moment m;
  m.own = all_own_clocks();
  m.outside = process_.outside_mpi(*this);
  m.epoch = epoch_;
  return m;
}

void Thread::merge_as_of(const ClockMessage& message, const Moment& event) {
  // A region was opened or closed since the event, so the totals that the
  // thread had in the region at the event are lost.  Merging at the present
  // time may miss a path but never invents one.
  if (event.epoch == epoch_) {
    merge_at(message, event);
  } else {
    merge_at(message, moment());
  }
}

int64_t Thread::merge_at(const ClockMessage& message, const Moment& m) {
  int64_t ahead_ns = INT64_MIN / 2;
  for (int i = 0; i < message.count; ++i) {
    const ClockEntry& entry = message.entries[i];
    if (!entry.is_region()) [[unlikely]] {
      if (entry.kind() == EntryKind::kCompOfRegion) merge_comp(entry, m);
      continue;
    }
    const int slot = process_.slot_of_key(entry.region, i);
    if (slot < 0) continue;
    need_records(slot + 1);
    merge_entry(record(slot), slot, entry, m.own, m.outside, &ahead_ns);
  }
  return ahead_ns;
}

void Thread::merge_comp(const ClockEntry& entry, const Moment& m) {
  if (!keeps_com()) return process_.raise_comp(entry, m.outside);
  const int slot = process_.slot_of_key(entry.its_region(), 0);
  if (slot < 0) return;
  need_records(slot + 1);
  Record& r = record(slot);
  r.clock[kGlobalComp].raise(entry.clock_ns() - base_of(r, m.own).ns[kComp]);
}

}  // namespace poprt
