// LastOne: which of several threads came last, and when.
//
// Thread-safe, without order to anything else: whoever reads it knows by other
// means that all have come.  Nothing needs to clear it, because what comes
// later is later.
#ifndef POPRT_OPENMP_LAST_ONE_H_
#define POPRT_OPENMP_LAST_ONE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace poprt {

class LastOne {
 public:
  struct Value {
    int64_t ns = -1;   // since the start of measurement; -1: none has come
    int32_t who = -1;  // OpenMP's thread number; -1: not known
  };

  void raise(int64_t ns, int32_t who) {
    const uint64_t word = word_of(ns, who);
    uint64_t known = word_.load(std::memory_order_relaxed);
    while (known < word && !word_.compare_exchange_weak(
                               known, word, std::memory_order_relaxed)) {
    }
  }
  Value get() const {
    const uint64_t word = word_.load(std::memory_order_relaxed);
    if (word == 0) return {};
    const auto who = static_cast<int32_t>(word & kUnknown);
    return {static_cast<int64_t>(word >> kWhoBits),
            who == static_cast<int32_t>(kUnknown) ? -1 : who};
  }

 private:
  // 52 bits are 52 days.  What comes later than that has never come.
  static constexpr int kWhoBits = 12;
  static constexpr uint64_t kUnknown = (uint64_t{1} << kWhoBits) - 1;
  static uint64_t word_of(int64_t ns, int32_t who) {
    const auto when = static_cast<uint64_t>(std::max<int64_t>(0, ns));
    if (when >> (64 - kWhoBits) != 0) return 0;
    const bool known = who >= 0 && static_cast<uint64_t>(who) < kUnknown;
    return when << kWhoBits | (known ? static_cast<uint64_t>(who) : kUnknown);
  }

  std::atomic<uint64_t> word_{0};
};

}  // namespace poprt

#endif  // POPRT_OPENMP_LAST_ONE_H_
