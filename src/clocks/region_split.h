// RegionSplit: in which regions a thread's clocks run, and in which they rest.
//
// The clocks of an open region run: they grow with the thread's totals.  The
// clocks of a closed region rest: they change only when the region is closed or
// when later clocks arrive.  A thread's resting clocks together have a number,
// which is a new one after each change.  Two threads whose resting clocks are
// equal share one number, so that comparing them later is one comparison.
#ifndef POPRT_CLOCKS_REGION_SPLIT_H_
#define POPRT_CLOCKS_REGION_SPLIT_H_

#include <bit>
#include <cstdint>

namespace poprt {

// The slots of up to kMost regions in one word.
class RegionList {
 public:
  static constexpr int kMost = 4;

  constexpr RegionList() = default;
  static constexpr RegionList first(int count) {
    RegionList list;
    for (int slot = 0; slot < count; ++slot) list.add(slot);
    return list;
  }
  // A value that no list of regions has.
  static constexpr RegionList none_like_it() {
    return RegionList(~uint64_t{0});
  }
  static constexpr RegionList of_word(uint64_t word) {
    return RegionList(word);
  }
  constexpr uint64_t word() const { return word_; }

  // False: the list is full.
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
  // The place of a region in the list, or -1.
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

// If a process has at most so many regions, all count as running: comparing the
// clocks takes no longer than finding out which ones rest.
inline constexpr int kAlwaysRunning = 2;

struct RegionSplit {
  RegionList running;
  static constexpr uint64_t kUnknown = 0;  // the resting clocks have no number
  static constexpr uint64_t kNothing = 1;  // no region rests
  // Likewise no number; the clocks include COM and COMP.
  static constexpr uint64_t kWithCom = 2;
  // Whether an equal `resting` means equal resting clocks.
  static constexpr bool is_number(uint64_t resting) {
    return resting != kUnknown && resting != kWithCom;
  }
  uint64_t resting = kUnknown;
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_REGION_SPLIT_H_
