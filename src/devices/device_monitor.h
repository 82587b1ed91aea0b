// DeviceMonitor: the devices of a process for callers on any thread.
//
// Events of the host share a lock, for which nobody waits longer than a second
// (mutex.h).  Operations go into a queue, so that who hands them over, which
// may be a thread of the device's library that holds locks of its own, waits
// for nobody, unless the queue is half full.  The next event of the host works
// them off.
//
// All functions may be called by any thread, but for what reads.
#ifndef POPRT_DEVICES_DEVICE_MONITOR_H_
#define POPRT_DEVICES_DEVICE_MONITOR_H_

#include <atomic>
#include <cstdint>

#include "base/mutex.h"
#include "devices/operation_queue.h"
#include "devices/process_devices.h"

namespace poprt {

class DeviceMonitor {
 public:
  // As ProcessDevices.
  DeviceMonitor(const HostEvent& begin, const HostEvent& now,
                const OpenRegions& open, const OpenRegions& always)
      : devices_(begin, now, open, always) {}

  int add_device();
  void add_event(const HostEvent& event);
  void launch(int device, const Launch& launch, const HostTime& host);
  void cancel(int device, uint64_t launch);
  // Of an operation is heard at `now_ns`.
  void record(int device, const Operation& operation, int64_t now_ns);
  // Of the stream nothing more will be heard that was launched until then,
  // since all of it has been handed over.
  void end_stream(int device, uint64_t stream, int64_t launched_until_ns);
  void end(const HostEvent& now);

  // Events of the host, and operations, that could not be noted.
  int64_t missed_events() const { return missed_events_; }
  int64_t missed_operations() const { return missed_operations_; }
  // REQUIRES: nothing of the above is called meanwhile.
  ProcessDevices& devices() { return devices_; }

 private:
  // From so many on the threads that hand them over work them off.
  static constexpr uint32_t kMany = OperationQueue::kMost / 2;

  // REQUIRES: the mutex is held.
  void work_off();
  // False: the lock could not be had.
  template <class Work>
  bool with_lock(Work work);
  void note(bool done) {
    if (!done) missed_events_.fetch_add(1, std::memory_order_relaxed);
  }

  Mutex mutex_;
  ProcessDevices devices_;  // protected by the mutex
  OperationQueue queue_;    // who takes holds the mutex
  std::atomic<int64_t> missed_events_{0};
  std::atomic<int64_t> missed_operations_{0};
};

}  // namespace poprt

#endif  // POPRT_DEVICES_DEVICE_MONITOR_H_
