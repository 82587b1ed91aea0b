// COOW: as COO, but what MPI calls wait for late partners weighs nothing.
//
// At the end of a call from `entered` to `left`, in which a partner's clocks of
// the time `sent` arrived:
//
//   COOW = max(own COOW at `entered`, the partner's at `sent`)
//          + left - max(entered, sent)
//
// So of a wait for somebody's OpenMP nothing is on the path, and of a wait for
// somebody's transfer that transfer is, once.  COOW is kept as an offset to
// useful and MPI time, as COO is; a wait makes the offset smaller.
#include <algorithm>

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {

// Appends COOW entries after the `stored` ones.  Returns how many entries there
// are then.
int Thread::store_coow(ClockEntry* entries, int stored, int capacity,
                       int32_t* incomplete) {
  const OwnClocks own = own_clocks();
  const int count = travelling_regions();
  need_records(count);
  for (int slot = 0; slot < count; ++slot) {
    const uint64_t key = process_.region(slot).key();
    const Record& r = record(slot);
    const OwnClocks base = base_of(r, own);
    const int64_t coow_ns = r.clock[kGlobalCoow].get() + base.ns[kCoo];
    if (key == 0 || coow_ns <= 0) continue;
    if (stored >= capacity) {
      if (capacity < ClockMessage::kCapacity) *incomplete = 1;
      break;
    }
    entries[stored++] = coow_entry(key, coow_ns);
  }
  return stored;
}

void Thread::add_to_coow(int64_t ns) {
  for_each_record(records_.load(std::memory_order_relaxed),
                  [ns](int, Record& r) {
                    if (r.open.load(std::memory_order_relaxed)) {
                      r.clock[kGlobalCoow].add(ns);
                    }
                  });
}

void Thread::merge_coow(const ClockMessage& message, const CallTime& call,
                        const Moment& event) {
  const int before = records_.load(std::memory_order_relaxed);
  for (int slot = 0; slot < before; ++slot) {
    if (call.regions[static_cast<size_t>(slot)]) {
      record(slot).clock[kGlobalCoow].add(-call.waited_ns);
    }
  }
  // As in merge_as_of().
  const OwnClocks now = own_clocks();
  const OwnClocks own = event.epoch == epoch_ ? event.own : now;
  for (int i = 0; i < message.count; ++i) {
    const ClockEntry& entry = message.entries[i];
    if (!is_coow(entry)) continue;
    const int slot = process_.slot_of_key(region_of_coow(entry), 0);
    if (slot < 0) continue;
    need_records(slot + 1);
    Record& r = record(slot);
    const OwnClocks base = base_of(r, own);
    const int64_t transfer_ns =
        call.regions[static_cast<size_t>(slot)] ? call.transfer_ns : 0;
    // No path is longer than ALL.  A region may have been open in a part of the
    // call only.
    const int64_t all_ns = r.clock[kGlobalAll].get() + base.ns[kAll];
    const int64_t coow_ns = std::min(entry.com_ns + transfer_ns, all_ns);
    r.clock[kGlobalCoow].raise(coow_ns - base.ns[kCoo]);
  }
  // A region may have been opened in or after what waited.
  for_each_record(records_.load(std::memory_order_relaxed),
                  [&](int, Record& r) {
                    const OwnClocks base = base_of(r, now);
                    r.clock[kGlobalCoow].raise(r.clock[kGlobalCue].get() +
                                               base.ns[kCue] - base.ns[kCoo]);
                  });
}

}  // namespace poprt
