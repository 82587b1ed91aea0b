// Commands that the program enqueues, from the call until they are over.
#ifndef POPRT_DEVICES_OPENCL_COMMANDS_H_
#define POPRT_DEVICES_OPENCL_COMMANDS_H_

#include <cstdint>
#include <optional>

#include "devices/opencl/devices.h"
#include "devices/opencl/layer.h"

namespace poprt::opencl {

// A call that enqueues a command, during its lifetime.
class EnqueueCall {
 public:
  // `event`: the call's argument, which gets a place for an event if the
  // program wants none.
  EnqueueCall(cl_command_queue queue, OperationKind kind, bool blocks,
              cl_event** event);
  EnqueueCall(const EnqueueCall&) = delete;
  EnqueueCall& operator=(const EnqueueCall&) = delete;

  // The call has returned this.
  void end(cl_int result);

 private:
  struct Started {
    Device* device;
    Operation operation;
    int64_t begin_ns;
  };

  void watch(const Started& started);

  const CallScope call_;
  cl_event* event_;
  cl_event own_event_ = nullptr;
  std::optional<Started> started_;  // nothing: the device is not measured
};

}  // namespace poprt::opencl

#endif  // POPRT_DEVICES_OPENCL_COMMANDS_H_
