// Clocks of Global and one more region packed into one cache line, for messages
// whose regions both sides know from the message before.  Each further line
// that moves between two cores costs as much as a message of the program.
#ifndef POPRT_WRAPPERS_PACKED_CLOCKS_H_
#define POPRT_WRAPPERS_PACKED_CLOCKS_H_

#include <cstdint>

#include "measure/clock_message.h"

namespace poprt::mpi {

// The regions of a message.  Most likely the next messages have the same.
class KnownRegions {
 public:
  static constexpr int kMost = 2;

  void learn(const ClockMessage& clocks) {
    count_ = clocks.count <= kMost ? clocks.count : 0;
    for (int i = 0; i < count_; ++i) regions_[i] = clocks.entries[i].region;
  }
  // Whether these are the regions of the message.  False for a message without
  // any.
  bool are_of(const ClockMessage& clocks) const {
    if (clocks.count != count_) return false;
    for (int i = 0; i < count_; ++i) {
      if (clocks.entries[i].region != regions_[i]) return false;
    }
    return count_ > 0;
  }
  int count() const { return count_; }
  uint64_t region(int i) const { return regions_[i]; }

 private:
  int count_ = 0;
  uint64_t regions_[kMost] = {};
};

// Eight clocks of 48 bits each, which is enough for three days.
struct PackedClocks {
  uint64_t words[6];
};

inline constexpr int kPackedBits = 48;

// Whether all clocks fit into 48 bits.
inline bool can_pack(const ClockMessage& clocks) {
  int64_t all = 0;
  for (int i = 0; i < clocks.count; ++i) {
    const ClockEntry& entry = clocks.entries[i];
    all |= entry.cue_ns | entry.com_ns | entry.coo_ns | entry.all_ns;
  }
  return static_cast<uint64_t>(all) >> kPackedBits == 0;
}

// REQUIRES: one or two regions, and can_pack().
inline void pack(const ClockMessage& clocks, PackedClocks* packed) {
  // The clocks of the second region: two whole ones, and two in the upper 16
  // bits of the six words.
  const ClockEntry& a = clocks.entries[0];
  const ClockEntry none;
  const ClockEntry& b = clocks.count > 1 ? clocks.entries[1] : none;
  const int64_t whole[] = {a.cue_ns, a.com_ns, a.coo_ns,
                           a.all_ns, b.cue_ns, b.com_ns};
  const int64_t split[] = {b.coo_ns, b.all_ns};
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    const uint64_t part = static_cast<uint64_t>(split[i / 3]) >> (16 * (i % 3));
    packed->words[i] = static_cast<uint64_t>(whole[i]) | part << kPackedBits;
  }
}

// Restores the clocks.  REQUIRES: `regions` are those of the packed message.
inline void unpack(const PackedClocks& packed, const KnownRegions& regions,
                   ClockMessage* clocks) {
  int64_t whole[6];
  int64_t split[2] = {};
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    const uint64_t word = packed.words[i];
    whole[i] = static_cast<int64_t>(word & ((uint64_t{1} << kPackedBits) - 1));
    split[i / 3] |= static_cast<int64_t>(word >> kPackedBits << (16 * (i % 3)));
  }
  clocks->count = regions.count();
  clocks->entries[0] = {regions.region(0), whole[0], whole[1], whole[2],
                        whole[3]};
  clocks->entries[1] = {regions.region(1), whole[4], whole[5], split[0],
                        split[1]};
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_PACKED_CLOCKS_H_
