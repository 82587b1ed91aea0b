// What the host did while a device was idle.
#ifndef POPRT_DEVICES_IDLE_SPLIT_H_
#define POPRT_DEVICES_IDLE_SPLIT_H_

#include <cstdint>

#include "model/device_time.h"

namespace poprt {

// Splits `ns` of idle time, which lie between two events of the host, as the
// host's time between these events is split.  All of it is unknown if the host
// has no time there.
DeviceTime split_idle(int64_t ns, const HostTime& before,
                      const HostTime& after);

}  // namespace poprt

#endif  // POPRT_DEVICES_IDLE_SPLIT_H_
