// What `poprt doctor` says of CUDA.
#ifndef POPRT_DEVICES_CUDA_PROBE_H_
#define POPRT_DEVICES_CUDA_PROBE_H_

#include <string>

#include "devices/cuda/cupti_library.h"

namespace poprt::cuda {

struct CuptiProbe {
  bool has_driver = false;
  std::string driver;  // the path of libcuda and the newest CUDA that it serves
  std::string cupti;   // version and path; empty if it was not loaded
  std::string why_not;     // not empty: it cannot be used
  std::string other_tool;  // not empty: one that has CUPTI's place
};

// Loads both libraries and takes CUPTI's place for a moment.  To be called in a
// process that does nothing else: it keeps them.
CuptiProbe probe_cupti(const CuptiPlaces& places);

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_PROBE_H_
