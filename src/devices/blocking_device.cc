#include "devices/blocking_device.h"

#include "devices/host_calls.h"
#include "devices/measured_devices.h"

namespace poprt {
namespace {

DeviceThread::Operation& operation_of(Thread& thread, OperationKind kind) {
  DeviceThread& device = device_thread_of(thread);
  return kind == OperationKind::kKernel ? device.kernel : device.copy;
}

// A thread has at most one of each kind.
uint64_t id_of(const Thread& thread, OperationKind kind) {
  return uint64_t{2} * thread.number() +
         (kind == OperationKind::kKernel ? 0 : 1);
}

bool is_of_kernel(const Thread& thread, OperationKind kind) {
  return kind != OperationKind::kKernel && runs_kernel(thread);
}

}  // namespace

void blocking_operation_begin(Thread& thread, int device, OperationKind kind,
                              int64_t now_ns) {
  if (device == kNoDevice || is_of_kernel(thread, kind)) return;
  DeviceThread::Operation& operation = operation_of(thread, kind);
  if (operation.depth++ > 0) return;
  operation.begin_ns = now_ns;
  operation.moves_data = thread.state() == State::kMpi;
  Launch launch;
  launch.id = id_of(thread, kind);
  launch.stream = thread.number();
  launch.time_ns = now_ns;
  device_launch(device, launch);
}

void blocking_operation_end(Thread& thread, int device, OperationKind kind,
                            int64_t now_ns) {
  if (device == kNoDevice || is_of_kernel(thread, kind)) return;
  DeviceThread::Operation& open = operation_of(thread, kind);
  if (open.depth == 0 || --open.depth > 0) return;
  Operation operation;
  operation.launch = id_of(thread, kind);
  operation.kind = kind;
  operation.moves_data = open.moves_data;
  operation.begin_ns = open.begin_ns;
  operation.end_ns = now_ns;
  device_operation(device, operation, now_ns);
}

}  // namespace poprt
