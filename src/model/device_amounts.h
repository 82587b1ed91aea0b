// What is known of accelerators beside the state in which threads call them:
// amounts of a process among JobTotals::resources.
#ifndef POPRT_MODEL_DEVICE_AMOUNTS_H_
#define POPRT_MODEL_DEVICE_AMOUNTS_H_

#include "model/quantities.h"

namespace poprt {

// Processes with a runtime of accelerators whose calls are not measured.
inline constexpr Resource kDeviceProcesses = {"device_processes_sum"};
// Useful time of the threads that execute `target nowait` on the host.
inline constexpr Resource kTargetOnHost = {"target_on_host_sum_ns"};
inline constexpr const Resource* kDeviceAmounts[] = {&kDeviceProcesses,
                                                     &kTargetOnHost};

}  // namespace poprt

#endif  // POPRT_MODEL_DEVICE_AMOUNTS_H_
