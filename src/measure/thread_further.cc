// Clocks that only some runs send: COMP, if MPI is called inside parallel
// regions; COOW and the longest path (ThreadPath), with POPRT_PATH.
//
// COOW is COO without the waits of MPI calls for late partners.  At the end of
// a call from `entered` to `left`, in which clocks arrived that a partner sent
// at `sent`:
//
//   COOW = max(own COOW at `entered`, the partner's at `sent`)
//          + left - max(entered, sent)
//
// So a wait for a partner's OpenMP time weighs nothing, and a wait for a
// partner's transfer weighs as much as that transfer, once.  COOW is kept as an
// offset to useful and MPI time, as COO is.  A wait makes the offset smaller.
#include <algorithm>
#include <optional>

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {

// Appends the entry that `entry_of` makes of each region behind the `stored`
// entries.  Returns the new number of entries.
template <class EntryOf>
int Thread::append(ClockEntry* entries, int stored, int capacity,
                   int32_t* incomplete, EntryOf entry_of) {
  const OwnClocks own = clocks_.all_own();
  // Another thread may have made regions since store_to() has counted them.
  const int count = process_.regions_to_send();
  clocks_.records().need(count);
  for (int slot = 0; slot < count; ++slot) {
    const Region& region = process_.region(slot);
    const RegionRecord& r = clocks_.records().at(slot);
    const std::optional<ClockEntry> entry = entry_of(region, r, own);
    if (region.key() == 0 || !entry) continue;
    if (stored >= capacity) {
      // A message can only be repeated with more room if it is not the longest.
      if (capacity < ClockMessage::kCapacity) {
        *incomplete = 1;
      } else {
        process_.lost_clock(slot);
      }
      break;
    }
    entries[stored++] = *entry;
  }
  return stored;
}

int Thread::further_entries() const {
  if (path_ != nullptr) return ClockMessage::kLongest;
  const int each =
      1 + (process_.has_comp() ? 1 : 0) + (process_.keeps_coow() ? 1 : 0);
  return std::min(each * process_.regions_to_send(), ClockMessage::kCapacity);
}

int Thread::store_further(const OutsideMpi& outside, ClockEntry* entries,
                          int stored, int capacity, int32_t* incomplete) {
  using Entry = std::optional<ClockEntry>;
  if (process_.keeps_coow()) {
    stored = append(
        entries, stored, capacity, incomplete,
        [](const Region& region, const RegionRecord& r, const OwnClocks& own) {
          const int64_t coow_ns =
              r.clock[kGlobalCoow].get() + r.base(own).ns[kCoo];
          return coow_ns > 0 ? Entry(ClockEntry::of(EntryKind::kCoowOfRegion,
                                                    region.key(), coow_ns))
                             : std::nullopt;
        });
  }
  if (process_.has_comp()) {
    stored = append(
        entries, stored, capacity, incomplete,
        [&](const Region& region, const RegionRecord& r, const OwnClocks& own) {
          const int64_t all_ns =
              r.clock[kGlobalAll].get() + r.base(own).ns[kAll];
          int64_t com_ns = std::min(region.com().at(outside.com_ns), all_ns);
          int64_t comp_ns = std::min(region.comp().at(outside.comp_ns), all_ns);
          if (keeps_com()) {
            const ClockSet clocks = clocks_.given(r, own);
            com_ns = clocks.ns[kGlobalCom];
            comp_ns = clocks.ns[kGlobalComp];
          }
          return comp_ns > com_ns
                     ? Entry(ClockEntry::of(EntryKind::kCompOfRegion,
                                            region.key(), comp_ns))
                     : std::nullopt;
        });
  }
  if (path_ != nullptr) {
    stored =
        append_to(path_->path().note(), process_.keys_left_out(),
                  process_.left_out(), entries, stored, capacity, incomplete);
    path_->path().given();
  }
  return stored;
}

void Thread::add_to_coow(int64_t ns) {
  clocks_.records().for_each(clocks_.records().count(),
                             [ns](int, RegionRecord& r) {
                               if (r.is_open()) {
                                 r.clock[kGlobalCoow].add(ns);
                               }
                             });
}

void Thread::merge_coow(const ClockMessage* message, const CallTime& call,
                        const Moment& event) {
  const int before = clocks_.records().count();
  for (int slot = 0; slot < before; ++slot) {
    if (call.regions[static_cast<size_t>(slot)]) {
      clocks_.records().at(slot).clock[kGlobalCoow].add(-call.waited_ns);
    }
  }
  // See merge_as_of().
  const OwnClocks now = clocks_.own();
  const OwnClocks own = event.epoch == known_epoch() ? event.own : now;
  const int count = message == nullptr ? 0 : message->count;
  for (int i = 0; i < count; ++i) {
    const ClockEntry& entry = message->entries[i];
    if (entry.kind() != EntryKind::kCoowOfRegion) continue;
    const int slot = process_.slot_of_key(entry.its_region(), 0);
    if (slot < 0) continue;
    clocks_.records().need(slot + 1);
    RegionRecord& r = clocks_.records().at(slot);
    const OwnClocks base = r.base(own);
    const int64_t transfer_ns =
        call.regions[static_cast<size_t>(slot)] ? call.transfer_ns : 0;
    // The sum may exceed ALL, if the region was open in a part of the call
    // only.
    const int64_t all_ns = r.clock[kGlobalAll].get() + base.ns[kAll];
    const int64_t coow_ns = std::min(entry.clock_ns() + transfer_ns, all_ns);
    r.clock[kGlobalCoow].raise(coow_ns - base.ns[kCoo]);
  }
  // COOW is at least CUE, also if a region was opened during or after the wait.
  clocks_.records().for_each(
      clocks_.records().count(), [&](int, RegionRecord& r) {
        const OwnClocks base = r.base(now);
        r.clock[kGlobalCoow].raise(r.clock[kGlobalCue].get() + base.ns[kCue] -
                                   base.ns[kCoo]);
      });
}

}  // namespace poprt
