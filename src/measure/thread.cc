#include "measure/thread.h"

#include <algorithm>

#include "base/mutex.h"
#include "clocks/changed_clocks.h"
#include "clocks/packed_clocks.h"
#include "measure/passed_amounts.h"
#include "measure/process.h"
#include "measure/sent_clocks.h"
#include "measure/thread_windows.h"

namespace poprt {
Thread::Thread(Process& process, uint32_t number, ThreadKind kind,
               int64_t now_ns)
    : process_(process),
      number_(number),
      kind_(kind),
      clocks_(kind == ThreadKind::kProgram),
      epochs_(process.regions().epoch()),
      passed_(process.has_thread_rows() ? new PassedAmounts : nullptr) {
  if (process.windows() != nullptr || process.keeps_coow() ||
      process.path_choice().followed()) {
    clocks_.records().never_split();
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
  const int64_t events = timeline().events();
  timeline().turn_to(State::kOmp);
  book(now_ns);
  timeline().turn_to(state);
  timeline().forget_events_after(events);
}

ThreadRegion Thread::region_at(int slot, int64_t now_ns) const {
  static const RegionRecord kNone;
  const RegionRecord* const found = clocks_.records().find(slot);
  ThreadRegion region = clocks_.values_of(
      found == nullptr ? kNone : *found, process_.region(slot).elapsed(),
      now_ns, clocks_.tail(process_.com_start(), now_ns));
  settle_com(slot, &region.clocks);
  return region;
}

// The totals and the time of the last event only grow.  So no event has changed
// what was read, if this time and the sum of the totals are equal before and
// after the reading, and have not changed.  The times of a record that an event
// is converting do not add up to the region's time.
ThreadRegion Thread::settled_region_at(int slot, int64_t now_ns) const {
  constexpr int kMostAttempts = 16;
  const int64_t elapsed_ns = process_.region(slot).elapsed().at(now_ns);
  for (int i = 0; i < kMostAttempts; ++i) {
    const int64_t since_ns = timeline().since();
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool settled = timeline().booked_ns() == since_ns;
    const ThreadRegion region = region_at(slot, now_ns);
    std::atomic_thread_fence(std::memory_order_acquire);
    int64_t sum = 0;
    for (const int64_t ns : region.time_ns) sum += ns;
    if (settled && sum == elapsed_ns && timeline().since() == since_ns &&
        timeline().booked_ns() == since_ns) {
      return region;
    }
  }
  // The thread has lost its core in an event, between booking the time and
  // setting the time of the last event.
  ThreadRegion region = region_at(slot, now_ns);
  clocks_.take_off_twice(elapsed_ns, &region);
  return region;
}

void Thread::windows_at(const WindowsOfProcess& windows, int64_t now_ns,
                        WindowTable* table, int present) const {
  windows_->values_at(
      windows, now_ns, clocks_.tail(process_.com_start(), now_ns),
      process_.account_count(), timed_account(), present, table);
}

// At the end of the run nobody will end a wait of a worker.
PathNote Thread::path_at(int64_t now_ns) const {
  const int global = path_ == nullptr ? -1 : process_.find_slot(kGlobalKey);
  if (global < 0) return {};
  return path_->at(now_ns, process_.primary() != this, [&] {
    return region_at(global, now_ns).clocks.ns[kGlobalAll];
  });
}

void Thread::merge_path(const ClockMessage& message, int64_t time_ns,
                        const PathMoment* then) {
  path_->merge(message, time_ns, then);
}

OutsideMpi Thread::outside_mpi(int64_t now_ns) const {
  const int64_t ns = now_ns - timeline().since();
  const State state = this->state();
  const bool in_parallel = timeline().in_parallel();
  const auto step = [&](int kind) {
    return counts_in(kind, state, in_parallel) ? ns : std::min<int64_t>(0, ns);
  };
  const OutsideMpi before = outside_mpi();
  return {before.com_ns + step(kCom), before.comp_ns + step(kComp)};
}

[[gnu::always_inline]] inline void Thread::store_in(SyncClock& sync) {
  if (!clocks_.store_quickly(sync)) [[unlikely]]
    store_all_to(sync);
}

void Thread::store_to(SyncClock& sync) { store_in(sync); }

void Thread::store_to(SyncClock& sync, int64_t now_ns) const {
  const int count = clocks_.records().count_seen();
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
  if (!clocks_.raise_quickly(raising)) [[unlikely]]
    raise_all_in(raising);
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
  if (!clocks_.merge_quickly(sync, own)) [[unlikely]]
    merge_all(sync);
}

void Thread::merge(const SyncClock& sync) { merge(sync, clocks_.own()); }

void Thread::merge(const BarrierClock& barrier, uint32_t round, Arrival* most) {
  const OwnClocks own = clocks_.own();
  barrier.for_each(number_, round, most,
                   [&](const SyncClock& clocks) { merge(clocks, own); });
}

int Thread::travelling_entries() const {
  if (process_.sends_more()) [[unlikely]]
    return further_entries();
  return process_.regions_to_send();
}

// The clocks of a region for a message, of a thread that does not keep COM
// itself.  Inlined so that they stay in registers.
[[gnu::always_inline]] inline ClockEntry Thread::entry_of(
    uint64_t key, const Region& region, const RegionRecord& r,
    const OwnClocks& own, const OutsideMpi& outside) {
  const OwnClocks base = r.base(own);
  const int64_t all_ns = r.clock[kGlobalAll].get() + base.ns[kAll];
  // The process's COM may come from a message that another thread has received.
  // No path to this thread is longer than its ALL.
  return {key, r.clock[kGlobalCue].get() + base.ns[kCue],
          std::min(region.com().at(outside.com_ns), all_ns),
          r.clock[kGlobalCoo].get() + base.ns[kCoo], all_ns};
}

bool Thread::store_to(PackedClocks* packed, const KnownRegions& regions) {
  const int count = process_.regions_to_send();
  if (count != regions.count() || count == 0 ||
      count > clocks_.records().count()) {
    return false;
  }
  const OutsideMpi outside = process_.outside_mpi(*this);
  if (process_.sends_more()) [[unlikely]]
    return false;
  const OwnClocks own = clocks_.own();
  int64_t bits = 0;
  // A region whose ALL is 0 does not travel.
  bool all_travel = true;
  static_assert(KnownRegions::kMost <= RegionRecords::kBlock);
  const RegionRecord* const records = clocks_.records().first();
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
  return clocks_.records().changes() == sent.changes
             ? clocks_.records().running_count()
             : ChangedRegions::kMost;
}

ChangedRegions Thread::pack_changed(const SentClocks& sent, int most,
                                    unsigned char* packed) {
  if (sent.thread != this ||
      clocks_.records().quick_count() <= kAlwaysRunning ||
      process_.com_changes() - com_changes_ != sent.com_changes) {
    return {};
  }
  const OutsideMpi outside = process_.outside_mpi(*this);
  if (process_.sends_more()) [[unlikely]]
    return {};
  const OwnClocks own = clocks_.own();
  ChangedRegions regions;
  int64_t bits = 0;
  int entries = 0;
  const auto add = [&](int slot, const RegionRecord& r, bool rests)
      __attribute__((always_inline)) {
    const Region& region = process_.region(slot);
    const ClockEntry entry = entry_of(region.key(), region, r, own, outside);
    // Such a region does not travel.
    if (entry.region == 0 || entry.all_ns == 0) return;
    if (entries < most) {
      PackedClocks::set(packed, entries, entry);
      bits |= entry.cue_ns | entry.com_ns | entry.coo_ns | entry.all_ns;
      regions.add(entries, slot, rests);
    }
    ++entries;
  };
  const RegionList running = clocks_.records().split().running;
  for (int place = 0; place < running.count(); ++place) {
    const int slot = running.slot(place);
    if (slot < process_.travelling_regions())
      add(slot, clocks_.records().at(slot), false);
  }
  if (sent.changes != clocks_.records().changes()) [[unlikely]] {
    const int count = std::min(clocks_.records().quick_count(),
                               process_.travelling_regions());
    for (int slot = 0; slot < count; ++slot) {
      const RegionRecord& r = clocks_.records().at(slot);
      if (r.changed > sent.changes && !r.is_open()) {
        add(slot, r, true);
      }
    }
  }
  return entries > most || !can_pack(bits) ? ChangedRegions() : regions;
}

SentClocks Thread::sent_now() const {
  return {this, clocks_.records().changes(),
          process_.com_changes() - com_changes_};
}

void Thread::store_to(ClockMessage& message, int capacity) {
  message.incomplete = 0;
  message.count = store_to(message.entries, capacity, &message.incomplete);
}

int Thread::store_to(ClockEntry* entries, int capacity, int32_t* incomplete) {
  const int count = process_.regions_to_send();
  clocks_.records().need(count);
  int stored = 0;
  const OwnClocks own = clocks_.all_own();
  const OutsideMpi outside = process_.outside_mpi(*this);
  for (int slot = 0; slot < count; ++slot) {
    const Region& region = process_.region(slot);
    const uint64_t key = region.key();
    if (key == 0) continue;
    ClockEntry entry =
        entry_of(key, region, clocks_.records().at(slot), own, outside);
    if (keeps_com()) [[unlikely]]
      entry.com_ns =
          clocks_.given(clocks_.records().at(slot), own).ns[kGlobalCom];
    // A region without clocks does not travel.
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

[[gnu::always_inline]] inline void Thread::raise(RegionRecord& r, int slot,
                                                 const ClockEntry& entry,
                                                 const OwnClocks& base,
                                                 const OutsideMpi& outside) {
  if (!r.is_open()) [[unlikely]]
    clocks_.records().note_later(r, entry);
  r.clock[kGlobalCue].raise(entry.cue_ns - base.ns[kCue]);
  r.clock[kGlobalCoo].raise(entry.coo_ns - base.ns[kCoo]);
  r.clock[kGlobalAll].raise(entry.all_ns - base.ns[kAll]);
  if (process_.may_raise_com(slot, entry.com_ns, outside)) [[unlikely]]
    raise_com(r, slot, entry.com_ns, base, outside);
}

// Sets `*ahead_ns` to how far ALL is ahead, if the entry is Global's.
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
  const OwnClocks own = clocks_.own();
  const OutsideMpi outside = process_.outside_mpi(*this);
  // Most messages have this process's regions in the order of its slots.
  const int known = std::min(clocks_.records().count(), RegionRecords::kBlock);
  if (message.count > known || message.count == 0) [[unlikely]]
    return merge_at(message, moment());
  RegionRecord* r = clocks_.records().first();
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

// Merges the entries from `from` on by the likely slots of their regions.
int64_t Thread::merge_likely(const ClockMessage& message, int from) {
  const Moment now = moment();
  if (message.count > ClockMessage::kLikely) return merge_at(message, now);
  const int known =
      std::min(clocks_.records().count(), process_.region_count());
  int64_t ahead_ns = INT64_MIN / 2;
  for (int i = from; i < message.count; ++i) {
    const ClockEntry& entry = message.entries[i];
    const int slot = message.likely_slot[i];
    if (slot < 0 || slot >= known ||
        process_.region(slot).key() != entry.region) {
      return std::max(ahead_ns, merge_at(message, now));
    }
    merge_entry(clocks_.records().at(slot), slot, entry, now.own, now.outside,
                &ahead_ns);
  }
  return ahead_ns;
}

int64_t Thread::all_ns() const {
  const int slot = process_.find_slot(kGlobalKey);
  const RegionRecord* const r =
      slot < 0 ? nullptr : clocks_.records().find(slot);
  return r == nullptr
             ? 0
             : r->clock[kGlobalAll].get() + r->base(clocks_.own()).ns[kAll];
}

Moment Thread::moment() const {
  Moment m;
  m.own = clocks_.all_own();
  m.outside = process_.outside_mpi(*this);
  m.epoch = known_epoch();
  return m;
}

void Thread::merge_as_of(const ClockMessage& message, const Moment& event) {
  // If a region was opened or closed since the event, the totals at the event
  // are no longer known.  A merge at the last event may miss a path but never
  // invents one.
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
    clocks_.records().need(slot + 1);
    merge_entry(clocks_.records().at(slot), slot, entry, m.own, m.outside,
                &ahead_ns);
  }
  return ahead_ns;
}

void Thread::merge_comp(const ClockEntry& entry, const Moment& m) {
  if (!keeps_com()) return process_.raise_comp(entry, m.outside);
  const int slot = process_.slot_of_key(entry.its_region(), 0);
  if (slot < 0) return;
  clocks_.records().need(slot + 1);
  RegionRecord& r = clocks_.records().at(slot);
  r.clock[kGlobalComp].raise(entry.clock_ns() - r.base(m.own).ns[kComp]);
}

}  // namespace poprt
