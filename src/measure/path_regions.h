// PathRegions: which region of a process is the innermost open one, and for how
// long each was, so that every thread can tell at its next event what its time
// since the last one belonged to.
//
// Changed under the process's mutex; read by all threads without it.
#ifndef POPRT_MEASURE_PATH_REGIONS_H_
#define POPRT_MEASURE_PATH_REGIONS_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "clocks/clock_set.h"

namespace poprt {

class PathRegions {
 public:
  static constexpr int kNone = -1;

  // The region opens or closes.
  void set_open(int slot, bool open, int64_t now_ns);
  // The innermost one; kNone where no region of the program is open.
  int innermost() const { return innermost_.load(std::memory_order_acquire); }
  // How long the region was innermost, as an Elapsed in one word.
  int64_t word(int slot) const {
    return words_[slot].load(std::memory_order_acquire);
  }

 private:
  void run(int slot, bool runs, int64_t now_ns);

  std::vector<int> open_;  // in the order in which they were opened
  std::atomic<int> innermost_{kNone};
  std::atomic<int64_t> words_[kMaxRegions] = {};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PATH_REGIONS_H_
