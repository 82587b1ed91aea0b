// ClockMessage: the global clocks of a thread and of its process at one event,
// as they are sent to other processes.
//
// Regions are named by their keys, because processes may meet them in different
// orders.  A message is only as long as its regions need.  The layout is that
// of one build of the library on one kind of machine.
#ifndef POPRT_MEASURE_CLOCK_MESSAGE_H_
#define POPRT_MEASURE_CLOCK_MESSAGE_H_

#include <cstddef>
#include <cstdint>

#include "measure/clock_set.h"

namespace poprt {

// text_hash() of "Global", the region that is the whole run.
inline constexpr uint64_t kGlobalKey = 0x681C'086B'8F7A'FCAE;

struct ClockEntry {
  uint64_t region = 0;  // text_hash() of its name
  int64_t cue_ns = 0;
  int64_t com_ns = 0;
  int64_t coo_ns = 0;
  int64_t all_ns = 0;
};

// COMP of a region is sent as an entry of its own, after all others, and only
// if it differs from COM.  So only programs that call MPI inside parallel
// regions pay for it.  Without such an entry COMP equals com_ns.  The entry has
// its own key and mark, and its clock in com_ns, so that messages can be merged
// and passed on without looking at the kind of their entries.
inline constexpr uint64_t kCompKey = 0xA5C3'96E1'7B0F'42D8;
inline ClockEntry comp_entry(uint64_t region, int64_t comp_ns) {
  return {region ^ kCompKey, -1, comp_ns, 0, 0};
}
inline bool is_comp(const ClockEntry& entry) { return entry.cue_ns == -1; }
// COOW is sent likewise, where it is kept.
inline constexpr uint64_t kCoowKey = 0x3D91'7C05'E2A8'6B4F;
inline ClockEntry coow_entry(uint64_t region, int64_t coow_ns) {
  return {region ^ kCoowKey, -2, coow_ns, 0, 0};
}
inline bool is_coow(const ClockEntry& entry) { return entry.cue_ns == -2; }

inline bool is_further(const ClockEntry& entry) { return entry.cue_ns < 0; }
// The region of an entry of COMP or COOW.
inline uint64_t region_of_comp(const ClockEntry& entry) {
  return entry.region ^ kCompKey;
}
inline uint64_t region_of_coow(const ClockEntry& entry) {
  return entry.region ^ kCoowKey;
}

struct ClockMessage {
  // As many entries as regions can travel.  COMP and COOW entries use what
  // these leave free.
  static constexpr int kCapacity = kTravellingRegions;

  int32_t count = 0;
  // Not 0: some regions are missing, because the message had to be short.
  int32_t incomplete = 0;
  // Used by the MPI layer: the tag for an answer to the sender, or 0.
  int32_t reply_tag = 0;
  // Not initialised: only the first `count` entries are ever read.
  ClockEntry entries[kCapacity];

  ClockMessage() {}
  ClockMessage(const ClockMessage& other);
  ClockMessage& operator=(const ClockMessage& other);

  static constexpr size_t bytes_for(int entries_count) {
    return offsetof(ClockMessage, entries) +
           static_cast<size_t>(entries_count) * sizeof(ClockEntry);
  }
  size_t bytes() const { return bytes_for(count); }

  // Adds a region or raises its clocks.  If that needs more than `capacity`
  // entries, the region is left out and the message is marked incomplete.
  void raise(const ClockEntry& entry, int capacity);
};

// The maximum of two messages, region by region.  Associative and commutative
// unless the result is incomplete.
void merge(ClockMessage& into, const ClockMessage& from, int capacity);

}  // namespace poprt

#endif  // POPRT_MEASURE_CLOCK_MESSAGE_H_
