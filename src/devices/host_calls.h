// What a thread's calls to devices mean for its state and for the three amounts
// of the state accelerator.
//
// Nothing here depends on an interface to devices: the layer that knows one
// tells of its calls.  Each function is an event of `thread` at `now_ns`.
//
// Calls nest, as an operation in a region.  The innermost one that has not
// ended says what the thread does.  Where a call ends, the thread is in the
// state in which it came to it, which is kept with the call.
//
// Invariants:
//  1. While the thread is in the state accelerator, each of its events books
//     the time before it in the account of what the innermost call does, or in
//     none if that is launching: also an event of MPI or of a region.
//  2. A call that begins in MPI, or in the code of a kernel, is no event: in
//     MPI the thread stays in MPI, and what a kernel does is the device's.
#ifndef POPRT_DEVICES_HOST_CALLS_H_
#define POPRT_DEVICES_HOST_CALLS_H_

#include <cstdint>

#include "devices/host_activity.h"
#include "measure/accelerator_accounts.h"
#include "measure/thread.h"

namespace poprt {

// What a call is, for its end.
enum class HostCall : uint8_t {
  kRegion,     // a construct, in which the others may be
  kOperation,  // allocates, copies, frees
  kLaunch,     // of a kernel, which may run until the end of the call
};

// What a thread keeps of its calls.
struct DeviceThread : LayerState {
  struct Call {
    HostCall call;
    HostActivity activity;
    State before;      // where it ends
    bool is_event;     // false: see invariant 2
    bool runs_kernel;  // on this thread
    const void* name;
  };
  // Deeper calls count in the innermost one that has a place.
  static constexpr int kMostCalls = 8;

  explicit DeviceThread(Thread& thread) : accounts(thread) {}

  const AcceleratorAccounts accounts;
  Call calls[kMostCalls];
  int depth = 0;
  int deeper = 0;
  // How many calls run a kernel on the thread; 1 if this Thread stands for
  // another one that does (kernel_threads.h).
  int kernels = 0;
  bool stands_in = false;
  // Then: for whom, and in how many implicit tasks of kernels that is.
  Thread* stands_for = nullptr;
  int kernel_tasks = 0;
  // Operations that are open on a device that blocks (blocking_device.h).
  struct Operation {
    int64_t begin_ns = 0;
    int depth = 0;
    bool moves_data = false;
  };
  Operation kernel;
  Operation copy;
};

// Null: the thread has made no such call.
inline DeviceThread* device_thread(const Thread& thread) {
  return static_cast<DeviceThread*>(thread.layer(EventLayer::kDevices));
}
// Makes it if there is none.
DeviceThread& device_thread_of(Thread& thread);

// Whether the thread executes the code of a kernel, on a device that is the
// host itself.
inline bool runs_kernel(const Thread& thread) {
  if (thread.state() != State::kAccelerator) [[likely]]
    return false;
  const DeviceThread* const device = device_thread(thread);
  return device != nullptr && device->kernels > 0;
}

// A call begins.  `name` tells regions apart: one that begins while another one
// of the same name is open ends that one first, because its end was not told.
// `runs_kernel`: until its end the code of a kernel may run on this thread.
void host_call_begin(Thread& thread, HostCall call, HostActivity activity,
                     const void* name, int64_t now_ns,
                     bool runs_kernel = false);
// The innermost call of this kind, and a region of this name, ends.  Those in
// it end, too.  An end without a begin leaves the state as it is, or useful if
// the thread would stay in the state accelerator for ever.
void host_call_end(Thread& thread, HostCall call, const void* name,
                   int64_t now_ns);
// From the last event on the innermost call does this, unless it does what
// comes behind it in HostActivity.  Not an event.
void host_call_goes_on(Thread& thread, HostActivity activity);
// The thread ends, and another one may take its core.  Not an event.
void host_calls_over(Thread& thread);

}  // namespace poprt

#endif  // POPRT_DEVICES_HOST_CALLS_H_
