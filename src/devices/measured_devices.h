// The devices of the measured process: what layers that hear of a device tell
// of it, from any thread, and what the totals have of it.
//
// A layer asks for the number of a device once (device_of()), tells each launch
// before the call that makes it, and each operation when its times are known,
// in any order.  Calls to devices, and regions that are opened and closed, tell
// themselves (host_calls.h, RegionWatcher).
//
// One lock protects everything; it is held for a few microseconds at most.  In
// a signal handler that has interrupted its holder nothing is told.  As long as
// no device is known there is no memory, and an event costs a load at most.
#ifndef POPRT_DEVICES_MEASURED_DEVICES_H_
#define POPRT_DEVICES_MEASURED_DEVICES_H_

#include <cstdint>
#include <string_view>

#include "devices/operation.h"
#include "devices/process_devices.h"
#include "measure/process.h"

namespace poprt {

// Which device it is.  Longer texts are cut.
struct DeviceName {
  static constexpr size_t kMostUnit = 47;
  static constexpr size_t kMostText = 63;

  // What tells it from others: its UUID, or its number.  Units of different
  // interfaces differ: "openmp 0".
  std::string_view unit;
  std::string_view text;  // for people
  // It is made of the host's cores, so that each process has its own.  Else
  // processes of a host that have the same unit share it.
  bool is_of_process = false;
};

// Has operations of which it has not told yet.  Lives as long as the process.
class OperationSource {
 public:
  // At the end of measurement, or when it begins again: tells of what is over,
  // and waits for the rest for a bounded time.  No lock of the devices is held.
  virtual void finish() = 0;

 protected:
  ~OperationSource() = default;
};

// kNoDevice: nothing is measured, there are too many, or there is no memory.
inline constexpr int kNoDevice = ProcessDevices::kNone;

// The number of the device, the same at each call.  `now_ns`: not before the
// last event of the calling thread.  Not on the path of events: the caller
// keeps the number.
int device_of(const DeviceName& name, int64_t now_ns);
// A device is known better: `name` takes the place of what device_of() got.
void name_device(int device, const DeviceName& name);
// The caller will have operations to tell of.  REQUIRES: it is measured.
void add_operation_source(OperationSource& source);

// kNoDevice does nothing.
void device_launch(int device, const Launch& launch);
// Of the operation is heard at `now_ns`.
void device_operation(int device, const Operation& operation, int64_t now_ns);
// As DeviceUse::end_launch().
void device_launch_over(int device, uint64_t launch, bool had_operation);
// As DeviceUse::end_stream().
void device_stream_ended(int device, uint64_t stream,
                         int64_t launched_until_ns);
// As DeviceUse::set_clock_error().
void set_device_clock_error(int device, int64_t ns);
// A call to a device begins or ends, so one may begin or end to be idle.
void device_host_event(const Process& process, int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_DEVICES_MEASURED_DEVICES_H_
