// ClockMessage: the global clocks of one thread, and of its process, at one
// event, as they travel from process to process.
//
// Regions are known by their keys, because processes meet them in different
// orders.  A message is as long as its regions need; the layout is that of one
// build of the library on one kind of machine.
#ifndef POPRT_RUNTIME_CLOCK_MESSAGE_H_
#define POPRT_RUNTIME_CLOCK_MESSAGE_H_

#include <cstddef>
#include <cstdint>

#include "runtime/clock_set.h"

namespace poprt {

struct ClockEntry {
  uint64_t region = 0;  // region_key()
  int64_t cue_ns = 0;
  int64_t com_ns = 0;
  int64_t coo_ns = 0;
  int64_t all_ns = 0;
};

// COMP of a region travels as an entry of its own, behind the others, and only
// where it differs from COM: programs that call MPI inside parallel regions pay
// for it, and no others.  Where there is none, COMP is com_ns.  It has a key
// and a mark of its own, and its clock in com_ns, so that messages are merged
// and passed on without a look at what their entries mean.
inline constexpr uint64_t kCompKey = 0xA5C3'96E1'7B0F'42D8;
inline ClockEntry comp_entry(uint64_t region, int64_t comp_ns) {
  return {region ^ kCompKey, -1, comp_ns, 0, 0};
}
inline bool is_comp(const ClockEntry& entry) { return entry.cue_ns < 0; }
inline uint64_t region_of(const ClockEntry& entry) {
  return is_comp(entry) ? entry.region ^ kCompKey : entry.region;
}

struct ClockMessage {
  // All regions that travel; COMP entries have what these leave free.
  static constexpr int kCapacity = kTravellingRegions;

  int32_t count = 0;
  // Some regions are missing, because the message had to stay short.
  int32_t incomplete = 0;
  // For whoever carries the message: the tag under which the sender waits for
  // an answer, or 0.
  int32_t reply_tag = 0;
  // Not initialised: only the first `count` are ever read.
  ClockEntry entries[kCapacity];

  ClockMessage() {}
  ClockMessage(const ClockMessage& other);
  ClockMessage& operator=(const ClockMessage& other);

  static constexpr size_t bytes_for(int entries_count) {
    return offsetof(ClockMessage, entries) +
           static_cast<size_t>(entries_count) * sizeof(ClockEntry);
  }
  size_t bytes() const { return bytes_for(count); }

  // Adds or raises one region.  Where more than `capacity` would be needed the
  // region is left out and the message marked as incomplete.
  void raise(const ClockEntry& entry, int capacity);
};

// The later of two messages, region by region: associative and commutative
// wherever the result is not incomplete.
void merge(ClockMessage& into, const ClockMessage& from, int capacity);

}  // namespace poprt

#endif  // POPRT_RUNTIME_CLOCK_MESSAGE_H_
