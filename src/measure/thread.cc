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
      number_(number),
      kind_(kind),
      epochs_(process.regions().epoch()),
      com_(kind == ThreadKind::kProgram),
      passed_(process.has_thread_rows() ? new PassedAmounts : nullptr) {
  if (process.windows() != nullptr || process.keeps_coow() ||
      process.path_choice().followed()) {
    records_.never_split();
  }
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
  switch_to(kind == ThreadKind::kProgram ? State::kUseful : kIdle, now_ns);
  set_depth(kind == ThreadKind::kWorker ? 1 : 0);
  if (kind == ThreadKind::kProgram) joins_team();
}

Thread::~Thread() { delete accounts_.load(); }

void Thread::book_own_work(int64_t now_ns) {
  const State state = this->state();
  const int64_t events = timeline_.events();
  timeline_.turn_to(State::kOmp);
  book(now_ns);
  timeline_.turn_to(state);
  timeline_.forget_events_after(events);
}

ThreadRegion Thread::region_at(int slot, int64_t now_ns) const {
  static const RegionRecord kNone;
  const RegionRecord* const found = records_.find(slot);
  ThreadRegion region =
      values_of(found == nullptr ? kNone : *found,
                process_.region(slot).elapsed(), now_ns, tail_now(now_ns));
  settle_com(slot, &region.clocks);
  return region;
}

// Totals and the time of the last event only grow, so if they agree before and
// after and the latter is the same, all that was read in between belongs to it.
// A record that is being converted is noticed by its times, which add up to the
// region's.
ThreadRegion Thread::settled_region_at(int slot, int64_t now_ns) const {
  constexpr int kMostAttempts = 16;
  const int64_t elapsed_ns = process_.region(slot).elapsed().at(now_ns);
  for (int i = 0; i < kMostAttempts; ++i) {
    const int64_t since_ns = timeline_.since();
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool settled = timeline_.booked_ns() == since_ns;
    const ThreadRegion region = region_at(slot, now_ns);
    std::atomic_thread_fence(std::memory_order_acquire);
    int64_t sum = 0;
    for (const int64_t ns : region.time_ns) sum += ns;
    if (settled && sum == elapsed_ns && timeline_.since() == since_ns &&
        timeline_.booked_ns() == since_ns) {
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
  region.time_ns[time_index(timeline_.in_parallel(), state)] -= twice_ns;
  const bool in_parallel = timeline_.in_parallel();
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
ThreadRegion Thread::values_of(const RegionRecord& r, const Elapsed& elapsed,
                               int64_t now_ns, const ComTail& tail) const {
  const int64_t since = timeline_.since();
  const State state = this->state();
  const bool open = r.is_open();
  const Elapsed known{open, r.elapsed.get()};
  // The region's time since the last event, all in the present state.
  const int64_t inside = elapsed.at(now_ns) - known.at(since);

  ThreadRegion region;
  for (int i = 0; i < kTimes; ++i) {
    region.time_ns[i] = r.time[i].get() + (open ? timeline_.total(i) : 0);
  }
  int64_t& present = region.time_ns[time_index(timeline_.in_parallel(), state)];
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
  const int64_t ns = now_ns - timeline_.since();
  const State state = this->state();
  const bool in_parallel = timeline_.in_parallel();
  const auto step = [&](int kind) {
    return counts_in(kind, state, in_parallel) ? ns : std::min<int64_t>(0, ns);
  };
  const OutsideMpi before = outside_mpi();
  return {before.com_ns + step(kCom), before.comp_ns + step(kComp)};
}

[[gnu::always_inline]] inline void Thread::store_in(SyncClock& sync) {
  if (!sync.is_split(records_.split())) [[unlikely]]
    return store_all_to(sync);
  const OwnClocks own = own_clocks();
  const auto store = [&sync, own ](int place, const RegionRecord& r)
      __attribute__((always_inline)) {
    sync.store_running<kUsualClocks>(place, r.clocks<kUsualClocks>(own));
  };
  records_.for_each_running(store);
  sync.publish_running(records_.quick_count());
}

void Thread::store_to(SyncClock& sync) { store_in(sync); }

void Thread::store_to(SyncClock& sync, int64_t now_ns) const {
  const int count = records_.count_seen();
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
  if (!raising.object().is_split(records_.split())) [[unlikely]]
    return raise_all_in(raising);
  const OwnClocks own = own_clocks();
  const auto raise = [&raising, own ](int place, const RegionRecord& r)
      __attribute__((always_inline)) {
    raising.raise_running<kUsualClocks>(place, r.clocks<kUsualClocks>(own));
  };
  records_.for_each_running(raise);
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
  if (sync.size() != SyncClock::Size(records_.quick_count()) ||
      !sync.is_split(records_.split())) [[unlikely]]
    return merge_all(sync);
  const auto merge = [ this, &sync, own ](int place, RegionRecord& r)
      __attribute__((always_inline)) {
    const ClockSet clocks = sync.get_running<kUsualClocks>(place);
    if (!sync.is_still(records_.split().running)) [[unlikely]]
      return;
    const OwnClocks base = r.base(own);
    for_each_clock<kUsualClocks>([&](int i, int kind) {
      r.clock[i].raise(clocks.ns[i] - base.ns[kind]);
    });
  };
  records_.for_each_running(merge);
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
    uint64_t key, const Region& region, const RegionRecord& r,
    const OwnClocks& own, const OutsideMpi& outside) {
  const OwnClocks base = r.base(own);
  const int64_t all_ns = r.clock[kGlobalAll].get() + base.ns[kAll];
  // The process's COM may contain what another thread has received and this one
  // does not know of.  No path of this thread is longer than its ALL.
  return {key, r.clock[kGlobalCue].get() + base.ns[kCue],
          std::min(region.com().at(outside.com_ns), all_ns),
          r.clock[kGlobalCoo].get() + base.ns[kCoo], all_ns};
}

bool Thread::store_to(PackedClocks* packed, const KnownRegions& regions) {
  const int count = process_.regions_to_send();
  if (count != regions.count() || count == 0 || count > records_.count()) {
    return false;
  }
  const OutsideMpi outside = process_.outside_mpi(*this);
  if (process_.sends_more()) [[unlikely]]
    return false;
  const OwnClocks own = own_clocks();
  int64_t bits = 0;
  // Each region needs a clock above 0, else it does not travel.
  bool all_travel = true;
  static_assert(KnownRegions::kMost <= RegionRecords::kBlock);
  const RegionRecord* const records = records_.first();
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
  return records_.changes() == sent.changes ? records_.running_count()
                                            : ChangedRegions::kMost;
}

ChangedRegions Thread::pack_changed(const SentClocks& sent, int most,
                                    unsigned char* packed) {
  if (sent.thread != this || records_.quick_count() <= kAlwaysRunning ||
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
  const auto add = [&](int slot, const RegionRecord& r, bool rests)
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
  const RegionList running = records_.split().running;
  for (int place = 0; place < running.count(); ++place) {
    const int slot = running.slot(place);
    if (slot < process_.travelling_regions())
      add(slot, records_.at(slot), false);
  }
  if (sent.changes != records_.changes()) [[unlikely]] {
    const int count =
        std::min(records_.quick_count(), process_.travelling_regions());
    for (int slot = 0; slot < count; ++slot) {
      const RegionRecord& r = records_.at(slot);
      if (r.changed > sent.changes && !r.is_open()) {
        add(slot, r, true);
      }
    }
  }
  return entries > most || !can_pack(bits) ? ChangedRegions() : regions;
}

SentClocks Thread::sent_now() const {
  return {this, records_.changes(), process_.com_changes() - com_changes_};
}

void Thread::store_to(ClockMessage& message, int capacity) {
  message.incomplete = 0;
  message.count = store_to(message.entries, capacity, &message.incomplete);
}

int Thread::store_to(ClockEntry* entries, int capacity, int32_t* incomplete) {
  const int count = process_.regions_to_send();
  records_.need(count);
  int stored = 0;
  const OwnClocks own = all_own_clocks();
  const OutsideMpi outside = process_.outside_mpi(*this);
  for (int slot = 0; slot < count; ++slot) {
    const Region& region = process_.region(slot);
    const uint64_t key = region.key();
    if (key == 0) continue;
    ClockEntry entry = entry_of(key, region, records_.at(slot), own, outside);
    if (keeps_com()) [[unlikely]]
      entry.com_ns = given_clocks(records_.at(slot), own).ns[kGlobalCom];
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
[[gnu::always_inline]] inline void Thread::raise(RegionRecord& r, int slot,
                                                 const ClockEntry& entry,
                                                 const OwnClocks& base,
                                                 const OutsideMpi& outside) {
  if (!r.is_open()) [[unlikely]]
    records_.note_later(r, entry);
  r.clock[kGlobalCue].raise(entry.cue_ns - base.ns[kCue]);
  r.clock[kGlobalCoo].raise(entry.coo_ns - base.ns[kCoo]);
  r.clock[kGlobalAll].raise(entry.all_ns - base.ns[kAll]);
  if (process_.may_raise_com(slot, entry.com_ns, outside)) [[unlikely]]
    raise_com(r, slot, entry.com_ns, base, outside);
}

// `*ahead_ns`: how far ALL of Global is ahead, where this is Global's.
[[gnu::always_inline]] inline void Thread::merge_entry(
    RegionRecord& r, int slot, const ClockEntry& entry, const OwnClocks& own,
    const OutsideMpi& outside, int64_t* ahead_ns) {
  const OwnClocks base = r.base(own);
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
  const int known = std::min(records_.count(), RegionRecords::kBlock);
  if (message.count > known || message.count == 0) [[unlikely]]
    return merge_at(message, moment());
  RegionRecord* r = records_.first();
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
  const int known = std::min(records_.count(), process_.region_count());
  int64_t ahead_ns = INT64_MIN / 2;
  for (int i = from; i < message.count; ++i) {
    const ClockEntry& entry = message.entries[i];
    const int slot = message.likely_slot[i];
    if (slot < 0 || slot >= known ||
        process_.region(slot).key() != entry.region) {
      return std::max(ahead_ns, merge_at(message, now));
    }
    merge_entry(records_.at(slot), slot, entry, now.own, now.outside,
                &ahead_ns);
  }
  return ahead_ns;
}

int64_t Thread::all_ns() const {
  const int slot = process_.find_slot(kGlobalKey);
  const RegionRecord* const r = slot < 0 ? nullptr : records_.find(slot);
  return r == nullptr
             ? 0
             : r->clock[kGlobalAll].get() + r->base(own_clocks()).ns[kAll];
}

Moment Thread::moment() const {
  Moment m;
  m.own = all_own_clocks();
  m.outside = process_.outside_mpi(*this);
  m.epoch = known_epoch();
  return m;
}

void Thread::merge_as_of(const ClockMessage& message, const Moment& event) {
  // A region was opened or closed since the event, so the totals that the
  // thread had in the region at the event are lost.  Merging at the present
  // time may miss a path but never invents one.
  if (event.epoch == known_epoch()) {
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
    records_.need(slot + 1);
    merge_entry(records_.at(slot), slot, entry, m.own, m.outside, &ahead_ns);
  }
  return ahead_ns;
}

void Thread::merge_comp(const ClockEntry& entry, const Moment& m) {
  if (!keeps_com()) return process_.raise_comp(entry, m.outside);
  const int slot = process_.slot_of_key(entry.its_region(), 0);
  if (slot < 0) return;
  records_.need(slot + 1);
  RegionRecord& r = records_.at(slot);
  r.clock[kGlobalComp].raise(entry.clock_ns() - r.base(m.own).ns[kComp]);
}

}  // namespace poprt
