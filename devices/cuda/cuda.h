// CUDA as a part of what is measured: where the user asks for it
// (POPRT_DEVICES=cuda), devices and operations that CUPTI tells of are those of
// the process (measured_devices.h).  Otherwise nothing is loaded, and nothing
// is called.
#ifndef POPRT_DEVICES_CUDA_CUDA_H_
#define POPRT_DEVICES_CUDA_CUDA_H_

#include "base/options.h"
#include "measure/process.h"

namespace poprt::cuda {

// Takes CUPTI's place.  The earlier the better, before CUDA begins; measurement
// need not have started.  Thread-safe, idempotent.
void start(const Options& options);
// Measurement starts: the process gets operations, and notes on what is not
// known of them.  To be called once.
void join(Process& process);
// Whether calls to CUDA are measured.
bool is_measured();

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_CUDA_H_
