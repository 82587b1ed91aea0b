// What the bits of a process's epoch say (Process::epoch()).
#ifndef POPRT_MEASURE_EPOCHS_H_
#define POPRT_MEASURE_EPOCHS_H_

#include <cstdint>

namespace poprt {

// By how much the epoch grows when one of the program's regions, or a window,
// is opened or closed.  The last bit is for what has to be seen once at a
// thread's next event.
inline constexpr uint32_t kProgramRegionChanges = 1 << 8;
inline constexpr uint32_t kWindowChanges = 2;
// What changes with the former.  With very many windows it may change once
// more, which only costs time.
constexpr uint32_t program_epoch(uint32_t epoch) {
  return epoch / kProgramRegionChanges;
}

}  // namespace poprt

#endif  // POPRT_MEASURE_EPOCHS_H_
