// OperationSink: whom this layer tells of devices and of what they did.
//
// Implemented by whoever owns the devices of the process.  Calls come from any
// thread, from the program's and from CUPTI's, several at a time.
#ifndef POPRT_DEVICES_CUDA_OPERATION_SINK_H_
#define POPRT_DEVICES_CUDA_OPERATION_SINK_H_

#include <cstdint>

#include "devices/operation.h"

namespace poprt::cuda {

class OperationSink {
 public:
  static constexpr int kNoDevice = -1;

  // The sink's number of the device that has this number in CUDA; kNoDevice: it
  // takes no more.  Told at the first use of a context.
  virtual int device(int number_in_cuda) = 0;
  // As ProcessDevices::launch().  The stream is the context: which streams of
  // it wait for each other is not known.
  virtual void launch(int device, const Launch& launch) = 0;
  // Nothing more will be heard of this launch.  `had_operation`: of the
  // operation no record has come, or more of them are not expected; otherwise
  // the call has failed, and there was none.
  virtual void end_launch(int device, uint64_t launch, bool had_operation) = 0;
  // As ProcessDevices::device().record().
  virtual void operation(int device, const Operation& operation,
                         int64_t now_ns) = 0;
  // As DeviceUse::set_clock_error(), of all devices.
  virtual void clock_error(int64_t ns) = 0;

 protected:
  ~OperationSink() = default;
};

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_OPERATION_SINK_H_
