// DeviceSink: what a library tells that knows an interface to devices and is
// loaded apart from the measuring library, because the interface's own loader
// loads it.
//
// Both are of one build.  The library looks for poprt_device_sink(), and does
// nothing where it is not found.  All functions may be called by any thread.
#ifndef POPRT_DEVICES_DEVICE_SINK_H_
#define POPRT_DEVICES_DEVICE_SINK_H_

#include <cstdint>

#include "devices/host_activity.h"
#include "devices/operation.h"

namespace poprt {

struct DeviceSink {
  static constexpr int kNoDevice = -1;

  // The clock of all events, in ns.
  int64_t (*now_ns)();
  // A device that the program uses.  `name` is for people; `unit` tells it from
  // others of the host, in all processes, and is null if nothing does.  Returns
  // its number, or kNoDevice: nothing is to be told of it.
  int (*add_device)(const char* name, const char* unit);
  // A command is going to be handed to the device.
  void (*launch)(int device, const Launch& launch);
  // It was refused.
  void (*cancel)(int device, uint64_t launch);
  // It is over.  It has no times if it has failed.
  void (*record)(int device, const Operation& operation);
  // The calling thread begins or ends a call.  Calls nest.
  void (*call_begin)(HostActivity activity);
  void (*call_end)();
};

}  // namespace poprt

// Null: devices are not to be measured.
extern "C" const poprt::DeviceSink* poprt_device_sink();

#endif  // POPRT_DEVICES_DEVICE_SINK_H_
