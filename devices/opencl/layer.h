// What the parts of the layer share: the functions below it, and who is told.
#ifndef POPRT_DEVICES_OPENCL_LAYER_H_
#define POPRT_DEVICES_OPENCL_LAYER_H_

#include "devices/device_sink.h"
#include "devices/opencl/opencl.h"

namespace poprt::opencl {

struct Layer {
  const cl_icd_dispatch* below = nullptr;
  const DeviceSink* sink = nullptr;
};
// Does not change once the program can call the layer.
extern constinit Layer g_layer;

// What the calling thread does, during its lifetime.
class CallScope {
 public:
  explicit CallScope(HostActivity call) { g_layer.sink->call_begin(call); }
  ~CallScope() { g_layer.sink->call_end(); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;
};

// Put these parts' functions into the table that the program's calls go
// through.
void put_queue_functions(cl_icd_dispatch* table);
void put_command_functions(cl_icd_dispatch* table);
void put_waiting_functions(cl_icd_dispatch* table);

}  // namespace poprt::opencl

#endif  // POPRT_DEVICES_OPENCL_LAYER_H_
