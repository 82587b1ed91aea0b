// ChangedRegions: of which regions a thread sends clocks to a receiver that has
// its earlier ones: of those in which its clocks run, and of those in which
// resting clocks have changed (region_split.h).  These are mostly one or two.
#ifndef POPRT_CLOCKS_CHANGED_CLOCKS_H_
#define POPRT_CLOCKS_CHANGED_CLOCKS_H_

#include <bit>
#include <cstdint>

#include "clocks/clock_message.h"
#include "clocks/packed_clocks.h"
#include "clocks/region_split.h"

namespace poprt {

// The regions of the entries of packed clocks, with a byte for each entry: the
// sender's slot plus 1, and kRests if the clocks rest.  0: no more entries.
class ChangedRegions {
 public:
  static constexpr int kMost = RegionList::kMost;

  ChangedRegions() = default;
  static ChangedRegions of_word(uint32_t word) {
    ChangedRegions regions;
    regions.word_ = word;
    return regions;
  }
  uint32_t word() const { return word_; }

  // REQUIRES: count() == number.
  void add(int number, int slot, bool rests) {
    const auto region = static_cast<uint32_t>(slot + 1);
    word_ |= (region | (rests ? kRests : 0)) << (8 * number);
  }
  int count() const { return (32 + 7 - std::countl_zero(word_)) / 8; }
  int slot(int number) const {
    return static_cast<int>(word_ >> (8 * number) & (kRests - 1)) - 1;
  }
  bool rests(int number) const { return (word_ >> (8 * number) & kRests) != 0; }
  bool any_rests() const { return (word_ & 0x8080'8080) != 0; }
  friend bool operator==(ChangedRegions, ChangedRegions) = default;

 private:
  static constexpr uint32_t kRests = 0x80;
  static_assert(kTravellingRegions < kRests);

  uint32_t word_ = 0;
};
static_assert(ClockMessage::kLikely == ChangedRegions::kMost);

// A region of another process, and the slot that it most likely has here.
struct NamedRegion {
  static constexpr int16_t kUnknown = -1;

  uint64_t key;
  int16_t likely_slot;
};

// Reads packed clocks.  `named` returns the NamedRegion of a slot.
template <class Named>
void unpack(ChangedRegions changed, const unsigned char* packed,
            ClockMessage* clocks, Named named) {
  clocks->incomplete = clocks->reply_tag = 0;
  clocks->count = changed.count();
  for (int i = 0; i < clocks->count; ++i) {
    const NamedRegion its = named(changed.slot(i));
    clocks->likely_slot[i] = its.likely_slot;
    clocks->entries[i] = PackedClocks::get(packed, i, its.key);
  }
}

}  // namespace poprt

#endif  // POPRT_CLOCKS_CHANGED_CLOCKS_H_
