// RegionSplit: whose clocks of a thread run, and whose rest.
//
// In the regions that are open clocks run on with the thread's totals, so they
// are others at each synchronisation.  In all other regions they rest: they
// change only when a region is closed, or when later clocks arrive.  So what
// rests has a number, which is another one after each change, and threads whose
// clocks have the same number need not compare them.  Most programs have few
// regions open at a time, whatever the number of their regions.
#ifndef POPRT_CLOCKS_REGION_SPLIT_H_
#define POPRT_CLOCKS_REGION_SPLIT_H_

#include <bit>
#include <cstdint>

namespace poprt {

// A few regions, by their slots, in a word that can be compared.
class RegionList {
 public:
  static constexpr int kMost = 4;

  constexpr RegionList() = default;
  // The first regions, whatever their state.
  static constexpr RegionList first(int count) {
    RegionList list;
    for (int slot = 0; slot < count; ++slot) list.add(slot);
    return list;
  }
  // Another one than each list of regions.
  static constexpr RegionList none_like_it() {
    return RegionList(~uint64_t{0});
  }
  static constexpr RegionList of_word(uint64_t word) {
    return RegionList(word);
  }
  constexpr uint64_t word() const { return word_; }

  // False: it is full.
  constexpr bool add(int slot) {
    const int place = count();
    if (place == kMost) return false;
    word_ |= (static_cast<uint64_t>(slot) + 1) << (kBits * place);
    return true;
  }
  constexpr int count() const {
    return (64 + kBits - 1 - std::countl_zero(word_)) / kBits;
  }
  // REQUIRES: place < count().
  constexpr int slot(int place) const {
    return static_cast<int>(word_ >> (kBits * place) & kMask) - 1;
  }
  // The place of a region, or -1.
  constexpr int find(int slot) const {
    uint64_t rest = word_;
    for (int place = 0; rest != 0; ++place, rest >>= kBits) {
      if (static_cast<int>(rest & kMask) == slot + 1) return place;
    }
    return -1;
  }

  friend constexpr bool operator==(RegionList, RegionList) = default;

 private:
  static constexpr int kBits = 64 / kMost;
  static constexpr uint64_t kMask = (uint64_t{1} << kBits) - 1;

  constexpr explicit RegionList(uint64_t word) : word_(word) {}

  uint64_t word_ = 0;
};

// With so few regions in all, each of them counts as running, because looking
// at it takes no longer than to find out that it rests.
inline constexpr int kAlwaysRunning = 2;

struct RegionSplit {
  RegionList running;
  // The number of what rests.  kNothing: no region does.  kUnknown: what rests
  // is not known to be the same as anything.
  static constexpr uint64_t kUnknown = 0;
  static constexpr uint64_t kNothing = 1;
  // Likewise not known; said of clocks among which COM and COMP are.
  static constexpr uint64_t kWithCom = 2;
  static constexpr bool is_number(uint64_t resting) {
    return resting != kUnknown && resting != kWithCom;
  }
  uint64_t resting = kUnknown;
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_REGION_SPLIT_H_
