// Devices that block the host until an operation is over, so that the
// operation is the call itself: begin and end are known at once.
#ifndef POPRT_DEVICES_BLOCKING_DEVICE_H_
#define POPRT_DEVICES_BLOCKING_DEVICE_H_

#include <cstdint>

#include "devices/operation.h"
#include "measure/thread.h"

namespace poprt {

// The calling thread begins or ends an operation of the device, which has the
// number of measured_devices.h.  Before the event of the thread at `now_ns`.
// `kind`: a kernel or a copy; one of each can be open on a thread.  What the
// code of a kernel calls is the kernel's.
void blocking_operation_begin(Thread& thread, int device, OperationKind kind,
                              int64_t now_ns);
void blocking_operation_end(Thread& thread, int device, OperationKind kind,
                            int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_DEVICES_BLOCKING_DEVICE_H_
