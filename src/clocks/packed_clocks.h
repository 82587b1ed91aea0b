// PackedClocks: the clocks of two regions (Global and one more) in 48 bytes, so
// that they and the name of their stream are one cache line.  The receiver
// knows the regions from an earlier message (KnownRegions).
#ifndef POPRT_CLOCKS_PACKED_CLOCKS_H_
#define POPRT_CLOCKS_PACKED_CLOCKS_H_

#include <cstdint>
#include <cstring>

#include "clocks/clock_message.h"

namespace poprt {

// The keys of the regions of the last message.
class KnownRegions {
 public:
  static constexpr int kMost = 2;

  void learn(const ClockMessage& clocks) {
    learn(clocks.entries, clocks.count);
  }
  void learn(const ClockEntry* entries, int count) {
    count_ = count <= kMost ? count : 0;
    for (int i = 0; i < count_; ++i) regions_[i] = entries[i].region;
  }
  // Whether the message has these regions in this order, and at least one.
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

// CUE, COM, COO and ALL of each region in 48 bits, which hold three days in ns.
class PackedClocks {
 public:
  static constexpr int kBits = 48;

  // The clocks of region `number`, which is 0 or 1.
  void set(int number, const ClockEntry& entry) { set(bytes_, number, entry); }
  ClockEntry get(int number, uint64_t region) const {
    return get(bytes_, number, region);
  }

  // The same in a buffer that has 24 bytes for each region.
  static void set(unsigned char* bytes, int number, const ClockEntry& entry) {
    unsigned char* const its = bytes + kOfRegion * kBytes * number;
    put(its, entry.cue_ns);
    put(its + kBytes, entry.com_ns);
    put(its + 2 * kBytes, entry.coo_ns);
    // The end of COO and all of ALL in one word, which ends with the region.
    put(its + 2 * kBytes + kHigh / 8,
        static_cast<int64_t>(static_cast<uint64_t>(entry.coo_ns) >> kHigh |
                             static_cast<uint64_t>(entry.all_ns)
                                 << (64 - kBits)));
  }
  static ClockEntry get(const unsigned char* bytes, int number,
                        uint64_t region) {
    const unsigned char* const its = bytes + kOfRegion * kBytes * number;
    constexpr int64_t kMask = (int64_t{1} << kBits) - 1;
    const auto last = static_cast<uint64_t>(word(its + 2 * kBytes + kHigh / 8));
    return {region, word(its) & kMask, word(its + kBytes) & kMask,
            word(its + 2 * kBytes) & kMask,
            static_cast<int64_t>(last >> (64 - kBits))};
  }

 private:
  static constexpr int kOfRegion = 4;  // clocks
  static constexpr int kBytes = kBits / 8;
  // The first bit of COO that is in the word of ALL.
  static constexpr int kHigh = 2 * kBits - 64;
  static void put(unsigned char* at, int64_t word) {
    std::memcpy(at, &word, sizeof word);
  }
  static int64_t word(const unsigned char* at) {
    int64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }

  alignas(8) unsigned char bytes_[kBytes * kOfRegion * KnownRegions::kMost];
};
static_assert(sizeof(PackedClocks) == 48);

// Room for the packed clocks of kRegions regions.
template <int kRegions>
struct PackedRoom {
  PackedClocks two[kRegions / KnownRegions::kMost];

  unsigned char* bytes() { return reinterpret_cast<unsigned char*>(two); }
  const unsigned char* bytes() const {
    return reinterpret_cast<const unsigned char*>(two);
  }
};

// Whether a clock, or each of several with this bitwise or, can be packed.
inline bool can_pack(int64_t clocks) {
  return static_cast<uint64_t>(clocks) >> PackedClocks::kBits == 0;
}
inline bool can_pack(const ClockMessage& clocks) {
  int64_t all = 0;
  for (int i = 0; i < clocks.count; ++i) {
    const ClockEntry& entry = clocks.entries[i];
    all |= entry.cue_ns | entry.com_ns | entry.coo_ns | entry.all_ns;
  }
  return can_pack(all);
}

// REQUIRES: the message has one or two regions, and can_pack().
inline void pack(const ClockMessage& clocks, PackedClocks* packed) {
  for (int i = 0; i < clocks.count; ++i) packed->set(i, clocks.entries[i]);
}

// REQUIRES: `regions` are those of the packed message.
inline void unpack(const PackedClocks& packed, const KnownRegions& regions,
                   ClockMessage* clocks) {
  clocks->count = regions.count();
  // Always both, because nothing reads entries beyond the count.
#pragma GCC unroll 2
  for (int i = 0; i < KnownRegions::kMost; ++i) {
    clocks->entries[i] = packed.get(i, regions.region(i));
  }
}

}  // namespace poprt

#endif  // POPRT_CLOCKS_PACKED_CLOCKS_H_
