#include "devices/device_monitor.h"

namespace poprt {

template <class Work>
bool DeviceMonitor::with_lock(Work work) {
  const MutexLock lock(mutex_);
  if (lock.held()) work();
  return lock.held();
}

int DeviceMonitor::add_device() {
  int number = ProcessDevices::kNone;
  note(with_lock([&] { number = devices_.add_device(); }));
  return number;
}

void DeviceMonitor::add_event(const HostEvent& event) {
  note(with_lock([&] {
    devices_.add_event(event);
    work_off();
  }));
}

void DeviceMonitor::launch(int device, const Launch& launch,
                           const HostTime& host) {
  note(with_lock([&] {
    devices_.launch(device, launch, host);
    work_off();
  }));
}

void DeviceMonitor::cancel(int device, uint64_t launch) {
  note(with_lock([&] { devices_.device(device).end_launch(launch, false); }));
}

void DeviceMonitor::record(int device, const Operation& operation,
                           int64_t now_ns) {
  if (queue_.count() >= kMany) with_lock([&] { work_off(); });
  if (!queue_.add({device, operation, now_ns})) {
    missed_operations_.fetch_add(1, std::memory_order_relaxed);
  }
}

void DeviceMonitor::end_stream(int device, uint64_t stream,
                               int64_t launched_until_ns) {
  note(with_lock([&] {
    work_off();
    devices_.device(device).end_stream(stream, launched_until_ns);
  }));
}

void DeviceMonitor::end(const HostEvent& now) {
  note(with_lock([&] {
    work_off();
    devices_.end(now);
  }));
}

void DeviceMonitor::work_off() {
  bool any = false;
  for (OperationQueue::Item item; queue_.take(&item); any = true) {
    devices_.device(item.device).record(item.operation, item.heard_ns);
  }
  if (any) devices_.follow();
}

}  // namespace poprt
