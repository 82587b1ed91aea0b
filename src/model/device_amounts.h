// What is known of accelerators, on which nothing is measured: amounts of a
// process among JobTotals::resources.
#ifndef POPRT_MODEL_DEVICE_AMOUNTS_H_
#define POPRT_MODEL_DEVICE_AMOUNTS_H_

#include "model/quantities.h"

namespace poprt {

// The first minor version of the run file that has them.
inline constexpr int kDevicesSince = 7;
// Processes with a runtime of accelerators.
inline constexpr Resource kDeviceProcesses = {"device_processes_sum",
                                              kDevicesSince};
// Useful time of the threads that execute `target nowait` on the host.
inline constexpr Resource kTargetOnHost = {"target_on_host_sum_ns",
                                           kDevicesSince};
inline constexpr const Resource* kDeviceAmounts[] = {&kDeviceProcesses,
                                                     &kTargetOnHost};

}  // namespace poprt

#endif  // POPRT_MODEL_DEVICE_AMOUNTS_H_
