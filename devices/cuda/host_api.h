// HostApi: what a function of CUDA's runtime or driver is, for the host thread
// that calls it and for the device.
//
// It is told by the function's name, which CUPTI has for each of its callback
// ids.  So a function that a later CUDA adds, or a new version of one, is known
// if it is named like its elders.
#ifndef POPRT_DEVICES_CUDA_HOST_API_H_
#define POPRT_DEVICES_CUDA_HOST_API_H_

#include <cstdint>
#include <string_view>

#include "devices/host_calls.h"

namespace poprt::cuda {

enum class HostApi : uint8_t {
  kNone,         // returns at once, and hands nothing to the device
  kLaunch,       // of a kernel
  kLaunchMany,   // of a graph, or of several kernels or copies
  kCopy,         // returns when the data are there
  kCopyAsync,    // returns earlier, if it can
  kSet,          // fills memory
  kSynchronize,  // waits for operations
  // From here to the end of a capture what is launched may go into a graph, and
  // not to the device.
  kBeginCapture,
  kEndCapture,
  kOther,  // may take time: memory, streams, events, code, devices
};

// `name` as CUPTI has it: "cudaMemcpyAsync_ptsz_v7000", "cuMemcpyHtoD_v2".
HostApi host_api(std::string_view name);

// What a thread does in such a call.
constexpr HostActivity activity_in(HostApi api) {
  switch (api) {
    case HostApi::kCopy:
      return HostActivity::kCopying;
    case HostApi::kSynchronize:
      return HostActivity::kWaiting;
    default:
      return HostActivity::kLaunching;
  }
}

// Whether there are records of what the call hands to the device.
constexpr bool launches(HostApi api) {
  return api == HostApi::kLaunch || api == HostApi::kLaunchMany ||
         api == HostApi::kCopy || api == HostApi::kCopyAsync ||
         api == HostApi::kSet;
}

// Whether the function moves or fills as many bytes as its third argument says,
// and nothing if that is 0.
bool third_argument_is_size(std::string_view name);

// Whether a kernel of this name, as the linker has it, moves data between
// processes or waits for them: one of NCCL or NVSHMEM.
bool is_of_communication_library(std::string_view kernel);

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_HOST_API_H_
