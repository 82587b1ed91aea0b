// What has to be sent of a thread's clocks to who knows those of before: of the
// regions in which they run, and of those in which they rest and have changed
// (region_split.h).  Most messages have one or two such regions, whatever the
// number of the program's.
#ifndef POPRT_MEASURE_CHANGED_CLOCKS_H_
#define POPRT_MEASURE_CHANGED_CLOCKS_H_

#include <cstdint>

#include "measure/clock_message.h"
#include "measure/region_split.h"

namespace poprt {

class Thread;

// Up to where a thread's clocks have been sent.
struct SentClocks {
  const Thread* thread = nullptr;  // null: nothing has been sent
  uint64_t changes = 0;            // of what rests
  // By other threads of the process, of COM.
  uint32_t com_changes = 0;
};

struct ChangedClocks {
  static constexpr int kMost = RegionList::kMost;

  int count = 0;
  int running = 0;       // so many run; those behind rest
  uint8_t slots[kMost];  // on the sending process
  ClockEntry entries[kMost];
};
static_assert(ClockMessage::kLikely == ChangedClocks::kMost);
static_assert(kTravellingRegions < UINT8_MAX);

}  // namespace poprt

#endif  // POPRT_MEASURE_CHANGED_CLOCKS_H_
