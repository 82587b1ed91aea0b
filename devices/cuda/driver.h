// What CUDA's driver says of a device.  Its library is there already when CUPTI
// is; these functions wait for nothing, but are not called in callbacks.
#ifndef POPRT_DEVICES_CUDA_DRIVER_H_
#define POPRT_DEVICES_CUDA_DRIVER_H_

#include <string>

namespace poprt::cuda {

struct DeviceIdentity {
  std::string unit;  // its UUID as other tools write it; empty: not known
  std::string name;
};

// The device with this number in CUDA.  After the end of the driver nothing is
// known.
DeviceIdentity identity_of(int number);

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_DRIVER_H_
