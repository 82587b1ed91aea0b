// What a thread does in a call to a device: the three amounts of the state
// accelerator.
#ifndef POPRT_DEVICES_HOST_ACTIVITY_H_
#define POPRT_DEVICES_HOST_ACTIVITY_H_

#include <cstdint>

namespace poprt {

enum class HostActivity : uint8_t {
  kLaunching,  // neither of the others: launches, allocates, compiles
  kCopying,    // blocks while data moves
  kWaiting,    // blocks until an operation of the device has ended
};

}  // namespace poprt

#endif  // POPRT_DEVICES_HOST_ACTIVITY_H_
