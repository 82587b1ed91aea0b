#include "devices/measured_devices.h"

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "clocks/clock_entry.h"
#include "measure/events.h"
#include "measure/process.h"
#include "measure/region_watcher.h"
#include "measure/windows.h"
#include "model/device_totals.h"

namespace poprt {
namespace {

// In the order of HostPart.
constexpr std::array<State, kKnownHostParts> kStatesOfParts = {
    State::kUseful, State::kMpi, State::kOmp, State::kAccelerator};

HostTime host_time(const Process& process, int64_t now_ns) {
  HostTime host;
  process.threads().for_each([&](const Thread& thread) {
    if (!thread.member()) return;
    for (size_t i = 0; i < kStatesOfParts.size(); ++i) {
      host.ns[i] += thread.time_in_at(kStatesOfParts[i], now_ns);
    }
  });
  return host;
}

// REQUIRES: the process's mutex is held.
HostTime host_time_in(const Process& process, int slot, int64_t now_ns) {
  HostTime host;
  process.threads().for_each([&](const Thread& thread) {
    if (!thread.member()) return;
    const ThreadRegion region = thread.settled_region_at(slot, now_ns);
    for (size_t i = 0; i < kStatesOfParts.size(); ++i) {
      host.ns[i] += region.all_of(kStatesOfParts[i]);
    }
  });
  return host;
}

HostEvent event_at(const Process& process, int64_t now_ns) {
  HostEvent event;
  event.time_ns = now_ns;
  event.host = host_time(process, now_ns);
  return event;
}

bool is_of_program(const Region& region) {
  return region.key() != 0 && !is_live_window(region.key());
}

template <size_t kRoom>
void copy_text(std::string_view text, std::array<char, kRoom>& room) {
  text = text.substr(0, kRoom - 1);
  text.copy(room.data(), text.size());
  room[text.size()] = '\0';
}

// One for the process, which knows it as the watcher of its regions.
class MeasuredDevices final : public TotalsPart, public RegionWatcher {
 public:
  explicit MeasuredDevices(Process& process) : process_(process) {}

  int find_or_add(const DeviceName& name, int64_t now_ns) {
    const MutexLock of_process(process_.mutex());
    if (!of_process.held()) return kNoDevice;
    const MutexLock lock(mutex_);
    if (!lock.held()) return kNoDevice;
    for (int i = 0; i < known_; ++i) {
      if (name.unit == names_[static_cast<size_t>(i)].unit.data()) return i;
    }
    if (!begin(now_ns)) return kNoDevice;
    const int device = devices_->add_device();
    if (device == kNoDevice) return device;
    set_name(known_++, name);
    return device;
  }

  void rename(int device, const DeviceName& name) {
    const MutexLock lock(mutex_);
    if (lock.held() && device < known_) set_name(device, name);
  }

  void add_source(OperationSource& source) {
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    for (std::atomic<OperationSource*>& each : sources_) {
      OperationSource* const known = each.load();
      if (known == nullptr) each.store(&source);
      if (known == nullptr || known == &source) return;
    }
  }

  void launch(int device, const Launch& launch) {
    if (!ensure_begun(launch.time_ns)) return;
    const MutexLock lock(mutex_);
    if (!lock.held() || !has(device)) return;
    devices_->launch(device, launch, host_time(process_, launch.time_ns));
    count_event();
  }

  template <class Tell>
  void tell(int device, Tell tell) {
    if (!has_begun_.load(std::memory_order_acquire)) return;
    const MutexLock lock(mutex_);
    if (!lock.held() || !has(device)) return;
    tell(devices_->device(device));
  }

  void host_event(int64_t now_ns) {
    if (!has_begun_.load(std::memory_order_acquire)) return;
    const MutexLock lock(mutex_);
    if (!lock.held() || devices_ == nullptr) return;
    devices_->add_event(event_at(process_, now_ns));
    count_event();
  }

  void region_changed(int slot, bool opens, int64_t now_ns) override {
    if (!has_begun_.load(std::memory_order_acquire)) return;
    const MutexLock lock(mutex_);
    if (!lock.held()) {
      has_missed_change_.store(true, std::memory_order_relaxed);
      return;
    }
    if (devices_ == nullptr) return;
    HostEvent event = event_at(process_, now_ns);
    if (has_missed_change_.exchange(false)) catch_up(event);
    event.region = static_cast<int16_t>(slot);
    event.opens = opens;
    devices_->add_event(event);
    count_event();
  }

  void add_to(const std::vector<Thread*>&, int64_t now_ns,
              JobTotals* job) const override {
    finish_sources();
    const MutexLock lock(mutex_);
    if (!lock.held() || devices_ == nullptr) return;
    devices_->end(event_at(process_, now_ns));
    for (int i = 0; i < known_; ++i) {
      DeviceTotals totals = totals_of(i);
      if (!job->hosts.empty()) totals.key.host = job->hosts.front().name;
      if (totals.processes > 0) job->devices.push_back(std::move(totals));
    }
    sort_devices(&job->devices);
    job->devices_left_out += devices_->refused();
  }

  void restart(const std::vector<Thread*>&) const override {
    finish_sources();
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    has_begun_.store(false, std::memory_order_release);
    delete std::exchange(devices_, nullptr);
  }

 private:
  static constexpr size_t kMostSources = 4;
  // How many events are told before devices follow them.
  static constexpr int kEventsUnfollowed = 1024;

  struct Known {
    std::array<char, DeviceName::kMostUnit + 1> unit = {};
    std::array<char, DeviceName::kMostText + 1> text = {};
    bool is_of_process = false;
  };

  void set_name(int device, const DeviceName& name) {
    Known& known = names_[static_cast<size_t>(device)];
    copy_text(name.unit, known.unit);
    copy_text(name.text, known.text);
    known.is_of_process = name.is_of_process;
  }

  bool has(int device) const { return devices_ != nullptr && device < known_; }

  void count_event() {
    if (++unfollowed_ < kEventsUnfollowed) return;
    unfollowed_ = 0;
    devices_->follow();
  }

  // Measurement has begun anew since devices were asked for.
  bool ensure_begun(int64_t now_ns) {
    if (has_begun_.load(std::memory_order_acquire)) return true;
    const MutexLock of_process(process_.mutex());
    if (!of_process.held()) return false;
    const MutexLock lock(mutex_);
    return lock.held() && known_ > 0 && begin(now_ns);
  }

  // REQUIRES: both mutexes are held.
  bool begin(int64_t now_ns) {
    if (devices_ != nullptr) return true;
    const HostEvent now = event_at(process_, now_ns);
    HostEvent begin = now;
    OpenRegions open;
    OpenRegions always;
    const int global = process_.find_slot(kGlobalKey);
    if (global >= 0) {
      begin.time_ns -= process_.region(global).elapsed().at(now_ns);
      const HostTime host = host_time_in(process_, global, now_ns);
      for (size_t i = 0; i < host.ns.size(); ++i) {
        begin.host.ns[i] -= host.ns[i];
      }
    }
    for (int slot = 0; slot < process_.region_count(); ++slot) {
      const Region& region = process_.region(slot);
      if (!is_of_program(region) || !region.elapsed().open) continue;
      open[static_cast<size_t>(slot)] = true;
      always[static_cast<size_t>(slot)] = slot == global;
    }
    std::unique_ptr<ProcessDevices> made(
        new (std::nothrow) ProcessDevices(begin, now, open, always));
    if (made == nullptr || !made->has_memory()) return false;
    for (int slot = 0; slot < process_.region_count(); ++slot) {
      const Region& region = process_.region(slot);
      if (!is_of_program(region)) continue;
      made->set_before(slot, region.elapsed().at(now_ns),
                       host_time_in(process_, slot, now_ns));
    }
    for (int i = 0; i < known_; ++i) {
      if (made->add_device() == kNoDevice) return false;
    }
    devices_ = made.release();
    has_begun_.store(true, std::memory_order_release);
    return true;
  }

  // As if regions that were opened or closed unseen were so now.
  void catch_up(HostEvent event) {
    for (int slot = 0; slot < process_.region_count(); ++slot) {
      const Region& region = process_.region(slot);
      if (!is_of_program(region)) continue;
      event.region = static_cast<int16_t>(slot);
      event.opens = region.elapsed().open;
      devices_->add_event(event);
    }
  }

  void finish_sources() const {
    for (const std::atomic<OperationSource*>& each : sources_) {
      OperationSource* const known = each.load();
      if (known != nullptr) known->finish();
    }
  }

  DeviceTotals totals_of(int number) const {
    const Known& known = names_[static_cast<size_t>(number)];
    const DeviceUse& use = devices_->device(number);
    const DeviceTimeline& timeline = use.timeline();
    DeviceTotals totals;
    totals.key.unit = known.unit.data();
    if (known.is_of_process) totals.key.process = process_.rank();
    totals.name = known.text.data();
    totals.processes = use.launched().all().operations > 0 ? 1 : 0;
    for (int slot = 0; slot < process_.region_count(); ++slot) {
      const Region& region = process_.region(slot);
      if (!is_of_program(region) || region.visits() == 0) continue;
      DeviceRegion in = device_region(region.name(), timeline.in_region(slot));
      const LaunchedWork launched =
          use.launched().in_region(devices_->sets(), slot);
      in.launched_kernels_ns = launched.kernels_ns;
      in.operations = launched.operations;
      in.unknown_operations = launched.unknown;
      totals.regions.push_back(std::move(in));
    }
    totals.unannounced_operations = use.unannounced();
    totals.late_operations = use.late();
    totals.late_ns = use.late_ns();
    totals.bridged_ns = use.bridged_ns();
    totals.by_launch_ns = timeline.by_launch_ns();
    return totals;
  }

  Process& process_;
  mutable Mutex mutex_;
  mutable std::atomic<bool> has_begun_{false};
  std::atomic<bool> has_missed_change_{false};
  std::array<std::atomic<OperationSource*>, kMostSources> sources_ = {};
  // Protected by the mutex.
  mutable ProcessDevices* devices_ = nullptr;
  std::array<Known, ProcessDevices::kMost> names_ = {};
  int known_ = 0;
  int unfollowed_ = 0;
};

// Null: no device was ever asked for.
MeasuredDevices* known_devices(const Process& process) {
  return static_cast<MeasuredDevices*>(process.region_watcher());
}

MeasuredDevices* devices_of(Process& process) {
  MeasuredDevices* const known = known_devices(process);
  if (known != nullptr) return known;
  auto* const made = new (std::nothrow) MeasuredDevices(process);
  if (made == nullptr) return nullptr;
  if (process.watch_regions(*made)) {
    process.add_part(*made);
  } else {
    delete made;
  }
  return known_devices(process);
}

}  // namespace

int device_of(const DeviceName& name, int64_t now_ns) {
  MeasuredDevices* const devices =
      measuring() ? devices_of(measured_process()) : nullptr;
  return devices == nullptr ? kNoDevice : devices->find_or_add(name, now_ns);
}

void name_device(int device, const DeviceName& name) {
  if (device == kNoDevice) return;
  known_devices(measured_process())->rename(device, name);
}

void add_operation_source(OperationSource& source) {
  MeasuredDevices* const devices =
      measuring() ? devices_of(measured_process()) : nullptr;
  if (devices != nullptr) devices->add_source(source);
}

void device_launch(int device, const Launch& launch) {
  if (device == kNoDevice || !measuring()) return;
  known_devices(measured_process())->launch(device, launch);
}

void device_operation(int device, const Operation& operation, int64_t now_ns) {
  if (device == kNoDevice) return;
  known_devices(measured_process())->tell(device, [&](DeviceUse& use) {
    use.record(operation, now_ns);
  });
}

void device_launch_over(int device, uint64_t launch, bool had_operation) {
  if (device == kNoDevice) return;
  known_devices(measured_process())->tell(device, [&](DeviceUse& use) {
    use.end_launch(launch, had_operation);
  });
}

void device_stream_ended(int device, uint64_t stream,
                         int64_t launched_until_ns) {
  if (device == kNoDevice) return;
  known_devices(measured_process())->tell(device, [&](DeviceUse& use) {
    use.end_stream(stream, launched_until_ns);
  });
}

void set_device_clock_error(int device, int64_t ns) {
  if (device == kNoDevice) return;
  known_devices(measured_process())->tell(device, [&](DeviceUse& use) {
    use.set_clock_error(ns);
  });
}

void device_host_event(const Process& process, int64_t now_ns) {
  MeasuredDevices* const devices = known_devices(process);
  if (devices != nullptr) devices->host_event(now_ns);
}

}  // namespace poprt
