// The devices that the program's queues belong to, with what each one's clock
// is ahead of ours.
#ifndef POPRT_DEVICES_OPENCL_DEVICES_H_
#define POPRT_DEVICES_OPENCL_DEVICES_H_

#include <cstdint>
#include <mutex>

#include "devices/clock_offset.h"
#include "devices/opencl/opencl.h"

namespace poprt::opencl {

class Device {
 public:
  int number() const { return number_; }

  // The device's clock showed `device_ns` between these two times.
  void learn(int64_t device_ns, int64_t begin_ns, int64_t end_ns);
  // REQUIRES: learn() was called.
  int64_t to_host(int64_t device_ns);

 private:
  friend Device* device_of(cl_command_queue queue);

  cl_device_id id_ = nullptr;
  int number_ = 0;
  std::mutex mutex_;
  ClockOffset offset_;  // protected by the mutex
};

// Null: nothing is told of the device, or there are too many.
Device* device_of(cl_command_queue queue);

}  // namespace poprt::opencl

#endif  // POPRT_DEVICES_OPENCL_DEVICES_H_
