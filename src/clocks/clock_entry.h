// ClockEntry: one thing that a message of clocks says (clock_message.h): the
// clocks of a region, or one of the few things that only some runs send.
//
// Nearly all entries that are ever sent are clocks of regions, and a message
// costs what its bytes cost.  So what kind an entry is has no room of its own.
//
// Invariants:
//  1. No clock is negative.  A negative `cue_ns` says that the entry is of
//     another kind, and of which; it is looked at in this file only.
//  2. Two entries have the same `region` exactly if they are of one kind and
//     say it of one region (or are the same part of one path).  So whoever
//     merges or passes on messages compares `region` and no kind.
//  3. Of two entries with the same `region` the larger value of each member is
//     right: what is no time is the same in both.
#ifndef POPRT_CLOCKS_CLOCK_ENTRY_H_
#define POPRT_CLOCKS_CLOCK_ENTRY_H_

#include <algorithm>
#include <cstdint>

namespace poprt {

// text_hash() of "Global", the region that is the whole run.
inline constexpr uint64_t kGlobalKey = 0x681C'086B'8F7A'FCAE;

enum class EntryKind : uint8_t {
  // CUE, COM, COO and ALL of a region.  COMP is the same as COM where it has no
  // entry.
  kRegionClocks,
  // One clock of a region: COMP; COOW; ALL of Global without the useful time in
  // this region.
  kCompOfRegion,
  kCoowOfRegion,
  kAllWithoutRegion,
  // A part of the longest path (path_note.h).
  kPathPart,
};

struct ClockEntry {
  uint64_t region = 0;  // text_hash() of its name
  int64_t cue_ns = 0;
  int64_t com_ns = 0;
  int64_t coo_ns = 0;
  int64_t all_ns = 0;

  EntryKind kind() const {
    if (cue_ns >= 0) return EntryKind::kRegionClocks;
    if (cue_ns <= kPathMark) return EntryKind::kPathPart;
    return static_cast<EntryKind>(-cue_ns);
  }
  bool is_region() const { return cue_ns >= 0; }

  // One clock of a region.
  static ClockEntry of(EntryKind kind, uint64_t region, int64_t clock_ns) {
    return {region ^ key_of(kind), -static_cast<int64_t>(kind), clock_ns, 0, 0};
  }
  // The region of such an entry, and the clock.
  uint64_t its_region() const { return region ^ key_of(kind()); }
  int64_t clock_ns() const { return com_ns; }

  // Takes the later one of each clock, of the same region.
  [[gnu::always_inline]] void raise(const ClockEntry& other) {
    cue_ns = std::max(cue_ns, other.cue_ns);
    com_ns = std::max(com_ns, other.com_ns);
    coo_ns = std::max(coo_ns, other.coo_ns);
    all_ns = std::max(all_ns, other.all_ns);
  }
  friend bool operator==(const ClockEntry&, const ClockEntry&) = default;

 private:
  friend struct PathEntry;
  static constexpr int64_t kPathMark = -16;

  static constexpr uint64_t key_of(EntryKind kind) {
    if (kind == EntryKind::kCompOfRegion) return 0xA5C3'96E1'7B0F'42D8;
    if (kind == EntryKind::kCoowOfRegion) return 0x3D91'7C05'E2A8'6B4F;
    if (kind == EntryKind::kAllWithoutRegion) return 0xE86B'1A4D'9F37'C205;
    return 0;
  }
};

// A part of the longest path, which is `all_ns` long.  All parts of one path
// have the same `path`; of two paths in one message the longer one is kept.
struct PathEntry {
  // How many parts of a path travel.
  static constexpr int kMost = 36;

  uint64_t path = 0;
  int number = 0;
  int64_t all_ns = 0;
  uint64_t what = 0;  // path_note.h
  int64_t rank = 0;   // -1: of any
  int64_t ns = 0;

  ClockEntry entry() const {
    return {path + static_cast<uint64_t>(number),
            ClockEntry::kPathMark - number - (rank + 1) * kNumbers, all_ns,
            static_cast<int64_t>(what), ns};
  }
  // REQUIRES: the entry is of kind kPathPart.
  static PathEntry of(const ClockEntry& entry) {
    const int64_t mark = ClockEntry::kPathMark - entry.cue_ns;
    const auto number = static_cast<int>(mark % kNumbers);
    return {entry.region - static_cast<uint64_t>(number),
            number,
            entry.com_ns,
            static_cast<uint64_t>(entry.coo_ns),
            mark / kNumbers - 1,
            entry.all_ns};
  }

 private:
  static constexpr int kNumbers = 64;
  static_assert(kMost <= kNumbers);
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_CLOCK_ENTRY_H_
