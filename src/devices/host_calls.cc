#include "devices/host_calls.h"

#include <algorithm>

#include "devices/measured_devices.h"
#include "measure/process.h"

namespace poprt {
namespace {

DeviceThread::Call* innermost(DeviceThread& device) {
  return device.depth > 0 ? &device.calls[device.depth - 1] : nullptr;
}

// From the last event on time in the state belongs to what the innermost call
// does.
void choose_account(Thread& thread, DeviceThread& device) {
  const DeviceThread::Call* const call = innermost(device);
  if (call == nullptr || call->activity == HostActivity::kLaunching) {
    return thread.stop_timing(State::kAccelerator);
  }
  thread.start_timing(State::kAccelerator,
                      call->activity == HostActivity::kWaiting
                          ? device.accounts.waiting()
                          : device.accounts.copying());
}

// The place of the innermost such call, or -1.
int find(const DeviceThread& device, HostCall call, const void* name) {
  int place = device.depth - 1;
  while (place >= 0 && (device.calls[place].call != call ||
                        device.calls[place].name != name)) {
    --place;
  }
  return place;
}

void end_from(Thread& thread, DeviceThread& device, int place, int64_t now_ns) {
  const DeviceThread::Call ended = device.calls[place];
  for (int i = place; i < device.depth; ++i) {
    device.kernels -= device.calls[i].runs_kernel ? 1 : 0;
  }
  device.depth = place;
  device.deeper = 0;
  if (!ended.is_event) return;
  thread.switch_to(ended.before, now_ns);
  choose_account(thread, device);
  if (ended.activity != HostActivity::kLaunching) {
    device_host_event(thread.process(), now_ns);
  }
}

}  // namespace

DeviceThread& device_thread_of(Thread& thread) {
  DeviceThread* const known = device_thread(thread);
  if (known != nullptr) return *known;
  DeviceThread* const made = new DeviceThread(thread);
  thread.set_layer(EventLayer::kDevices, made);
  return *made;
}

void host_call_begin(Thread& thread, HostCall call, HostActivity activity,
                     const void* name, int64_t now_ns, bool runs_kernel) {
  DeviceThread& device = device_thread_of(thread);
  if (call == HostCall::kRegion && device.kernels == 0) {
    const int open = find(device, call, name);
    if (open >= 0) end_from(thread, device, open, now_ns);
  }
  if (device.depth == DeviceThread::kMostCalls) {
    ++device.deeper;
    return;
  }
  const State before = thread.state();
  const bool is_event = before != State::kMpi && device.kernels == 0;
  runs_kernel = runs_kernel && is_event;
  device.calls[device.depth++] = {call,     activity,    before,
                                  is_event, runs_kernel, name};
  if (!is_event) return;
  if (!thread.process().has_layer(EventLayer::kDevices)) {
    thread.process().set_has_devices();
  }
  thread.switch_to(State::kAccelerator, now_ns);
  device.kernels += runs_kernel ? 1 : 0;
  choose_account(thread, device);
}

void host_call_end(Thread& thread, HostCall call, const void* name,
                   int64_t now_ns) {
  DeviceThread& device = device_thread_of(thread);
  if (device.deeper > 0 && call != HostCall::kRegion) {
    --device.deeper;
    return;
  }
  const int place = find(device, call, name);
  if (place >= 0) return end_from(thread, device, place, now_ns);
  if (device.depth == 0 && thread.state() == State::kAccelerator) {
    thread.switch_to(State::kUseful, now_ns);
  }
}

void host_call_goes_on(Thread& thread, HostActivity activity) {
  DeviceThread& device = device_thread_of(thread);
  DeviceThread::Call* const call = innermost(device);
  if (call == nullptr || !call->is_event) return;
  call->activity = std::max(call->activity, activity);
  choose_account(thread, device);
}

void host_calls_over(Thread& thread) {
  DeviceThread* const device = device_thread(thread);
  if (device == nullptr) return;
  device->depth = device->deeper = device->kernels = 0;
  device->kernel.depth = device->copy.depth = 0;
  choose_account(thread, *device);
}

}  // namespace poprt
