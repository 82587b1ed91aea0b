// RegionTimes: what was inside of each region at some time.
#ifndef POPRT_MEASURE_REGION_TIMES_H_
#define POPRT_MEASURE_REGION_TIMES_H_

#include <cstdint>

#include "clocks/clock_set.h"
#include "model/windows.h"

namespace poprt {

// The state of the regions of a process, as its epoch was: Elapsed::word().
struct RegionTimes {
  uint32_t epoch = 0;
  int count = 0;
  int64_t word[kMaxRegions] = {};
  // Of the windows that are kept; and the one that was open, or -1.
  int level = 0;
  int64_t window_ns[kKeptWindows] = {};
  int64_t open_window = -1;
  int64_t open_word = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGION_TIMES_H_
