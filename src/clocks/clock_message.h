// ClockMessage: the global clocks of a thread and of its process at one event,
// as they are sent to other processes.
//
// Regions are named by their keys, because processes may meet them in different
// orders.  A message is only as long as its regions need.  The layout is that
// of one build of the library on one kind of machine.
#ifndef POPRT_CLOCKS_CLOCK_MESSAGE_H_
#define POPRT_CLOCKS_CLOCK_MESSAGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "clocks/clock_set.h"

namespace poprt {

// text_hash() of "Global", the region that is the whole run.
inline constexpr uint64_t kGlobalKey = 0x681C'086B'8F7A'FCAE;

struct ClockEntry {
  uint64_t region = 0;  // text_hash() of its name
  int64_t cue_ns = 0;
  int64_t com_ns = 0;
  int64_t coo_ns = 0;
  int64_t all_ns = 0;

  // Takes the later one of each clock, of the same region.
  [[gnu::always_inline]] void raise(const ClockEntry& other) {
    cue_ns = std::max(cue_ns, other.cue_ns);
    com_ns = std::max(com_ns, other.com_ns);
    coo_ns = std::max(coo_ns, other.coo_ns);
    all_ns = std::max(all_ns, other.all_ns);
  }
  friend bool operator==(const ClockEntry&, const ClockEntry&) = default;
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

// ALL of Global without the useful time in this region is sent likewise.
inline constexpr uint64_t kWithoutKey = 0xE86B'1A4D'9F37'C205;
inline ClockEntry without_entry(uint64_t region, int64_t ns) {
  return {region ^ kWithoutKey, -3, ns, 0, 0};
}
inline bool is_without(const ClockEntry& entry) { return entry.cue_ns == -3; }
// A part of the longest path (path_note.h), which is `all_ns` long.  All parts
// of one path have the same `path`; of two paths in one message the longer one
// is kept.
inline constexpr int kPathEntries = 36;
inline constexpr int64_t kPathMark = -16;
inline ClockEntry path_entry(uint64_t path, int number, int64_t all_ns,
                             uint64_t what, int64_t rank, int64_t ns) {
  return {path + static_cast<uint64_t>(number),
          kPathMark - number - (rank + 1) * 64, all_ns,
          static_cast<int64_t>(what), ns};
}
static_assert(kPathEntries <= 64, "the number of an entry has six bits");
inline bool is_path(const ClockEntry& entry) {
  return entry.cue_ns <= kPathMark;
}
inline int64_t path_rank(const ClockEntry& entry) {
  return (kPathMark - entry.cue_ns) / 64 - 1;
}
inline uint64_t path_of(const ClockEntry& entry) {
  return entry.region - static_cast<uint64_t>((kPathMark - entry.cue_ns) % 64);
}

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
  // Not initialised, which is what the union is for: only the first `count`
  // entries are ever read.  The parts of a path have room behind the capacity.
  static constexpr int kLongest = kCapacity + kPathEntries;
  union {
    ClockEntry entries[kLongest];
  };
  // Not sent: the slots that the regions of the first entries most likely have
  // here, where only some regions have been sent.  A wrong one costs time only.
  static constexpr int kLikely = 4;
  int16_t likely_slot[kLikely] = {0, 1, 2, 3};

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

 private:
  void append(const ClockEntry& entry, int capacity);
  bool takes_path(const ClockEntry& entry);
  int parts_of_path() const;
};

// The maximum of two messages, region by region.  Associative and commutative
// unless the result is incomplete.
void merge(ClockMessage& into, const ClockMessage& from, int capacity);

}  // namespace poprt

#endif  // POPRT_CLOCKS_CLOCK_MESSAGE_H_
