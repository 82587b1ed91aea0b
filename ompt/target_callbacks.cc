// The events of `target` constructs.
//
// All of a region's events come on the thread that executes it: the one that
// encounters it, or for `nowait` a helper thread of the runtime, which is
// nobody's core.
//
// What the operations of a region leave of its time depends on its device.
// Where the launch of a kernel returns when the kernel has ended, the rest of
// the region is launching.  Where it returns at once, as on a GPU, the thread
// then waits for the kernel until the region ends; where only copies have
// begun, for these.  A device of an unknown kind is both: its launch may wait,
// and what follows it, too.
#include "ompt/target_callbacks.h"

#include <atomic>
#include <cstring>

#include "devices/blocking_device.h"
#include "devices/host_calls.h"
#include "devices/measured_devices.h"
#include "measure/events.h"
#include "model/noted.h"
#include "ompt/event.h"
#include "ompt/handover.h"
#include "session/lifecycle.h"

namespace poprt::ompt {
namespace {

std::atomic<bool> g_targets_seen{false};

// How a device takes kernels.  The data word of a region has the kind of its
// device, and above it the device's number + 1; it is 0 where the runtime has
// lost it.
constexpr uint64_t kUnknownDevice = 0;
constexpr uint64_t kBlockingDevice = 1;
constexpr uint64_t kReturningDevice = 2;
constexpr int kKindBits = 2;
constexpr uint64_t kKind = (1 << kKindBits) - 1;
constexpr int kKnownDevices = 64;
std::atomic<uint64_t> g_device_kinds[kKnownDevices];
// Of devices that block: their numbers among the measured ones.
constexpr int kNotAsked = -2;
struct MeasuredNumber {
  std::atomic<int> number{kNotAsked};
  char type[DeviceName::kMostText + 1] = {};
};
constinit MeasuredNumber g_numbers[kKnownDevices];

void on_device_initialize(int device, const char* type, ompt_device_t*,
                          ompt_function_lookup_t, const char*) {
  g_targets_seen.store(true, std::memory_order_relaxed);
  if (device < 0 || device >= kKnownDevices || type == nullptr) return;
  // LLVM's name for a device that is the host itself.
  const bool is_host = std::strncmp(type, "generic", 7) == 0;
  std::strncpy(g_numbers[device].type, type, DeviceName::kMostText);
  g_numbers[device].number.store(kNotAsked);
  g_device_kinds[device].store(is_host ? kBlockingDevice : kReturningDevice);
}

uint64_t device_kind(int device) {
  return device < 0 || device >= kKnownDevices ? kUnknownDevice
                                               : g_device_kinds[device].load();
}

uint64_t kind_of_region(const ompt_data_t* region) {
  return region == nullptr ? kUnknownDevice : region->value & kKind;
}

// -1: it is not known.
int device_of_region(const ompt_data_t* region) {
  return region == nullptr ? -1
                           : static_cast<int>(region->value >> kKindBits) - 1;
}

// kNoDevice: the device does not block, or is not measured.
int measured_number(int device, int64_t now_ns) {
  if (device_kind(device) != kBlockingDevice) return kNoDevice;
  MeasuredNumber& measured = g_numbers[device];
  int number = measured.number.load();
  if (number != kNotAsked) return number;
  // "openmp 0"
  char unit[] = "openmp 00";
  char* const digits = unit + sizeof unit - 3;
  digits[0] = static_cast<char>('0' + (device < 10 ? device : device / 10));
  digits[1] = device < 10 ? '\0' : static_cast<char>('0' + device % 10);
  number = device_of({unit, measured.type, /*is_of_process=*/true}, now_ns);
  measured.number.store(number);
  return number;
}

// The calling thread, which OpenMP may not know.  Null: nothing is measured.
// No Event, which would be none in the code of a kernel.
Thread* calling_thread() {
  if (!measuring()) return nullptr;
  g_targets_seen.store(true, std::memory_order_relaxed);
  return t_thread != nullptr ? t_thread
                             : &register_thread(ThreadKind::kForeign);
}

int64_t target_stamp(const Thread& thread) {
  return thread.state() == State::kUseful ? leave_ns() : now_ns();
}

// What tells the regions of different tasks on a thread apart.  A `target
// nowait` has a task of its own.  Up to LLVM 21 it is in the place of the
// encountering task; later that is the task that has created it, and the
// target task has its own word.
const void* region_name(const ompt_data_t* encountering,
                        const ompt_data_t* target) {
  const Task* const own = known_task(target);
  if (own != nullptr) return own;
  const Task* const task = known_task(encountering);
  return task != nullptr ? static_cast<const void*>(task) : encountering;
}

void on_target(ompt_target_t, ompt_scope_endpoint_t endpoint, int device,
               ompt_data_t* encountering, ompt_data_t* target_task,
               ompt_data_t* region, const void*) {
  const Handover of_encountering(encountering), of_target(target_task);
  Thread* const thread = calling_thread();
  if (thread == nullptr) return;
  const void* const name = region_name(encountering, target_task);
  const int64_t now = target_stamp(*thread);
  if (endpoint == ompt_scope_begin) {
    if (region != nullptr) {
      region->value = device < 0 || device >= kKnownDevices
                          ? kUnknownDevice
                          : device_kind(device) |
                                static_cast<uint64_t>(device + 1) << kKindBits;
    }
    host_call_begin(*thread, HostCall::kRegion, HostActivity::kLaunching, name,
                    now);
  } else if (endpoint == ompt_scope_end) {
    host_call_end(*thread, HostCall::kRegion, name, now);
  }
}

bool is_copy(ompt_target_data_op_t operation) {
  switch (static_cast<int>(operation)) {
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_to_device_async:
    case ompt_target_data_transfer_from_device_async:
      return true;
    default:
      return false;
  }
}

// Of the two devices of a copy one may be the host, which is no known one.
void on_data_operation(ompt_scope_endpoint_t endpoint, ompt_data_t*,
                       ompt_data_t* region, ompt_id_t*,
                       ompt_target_data_op_t operation, void*, int from, void*,
                       int to, size_t, const void*) {
  Thread* const thread = calling_thread();
  if (thread == nullptr) return;
  const bool copies = is_copy(operation);
  const int64_t now = target_stamp(*thread);
  const int copier = device_kind(from) != kUnknownDevice ? from : to;
  const int device = copies ? measured_number(copier, now) : kNoDevice;
  if (endpoint == ompt_scope_begin) {
    blocking_operation_begin(*thread, device, OperationKind::kCopy, now);
    host_call_begin(*thread, HostCall::kOperation,
                    copies ? HostActivity::kCopying : HostActivity::kLaunching,
                    nullptr, now);
  } else if (endpoint == ompt_scope_end) {
    blocking_operation_end(*thread, device, OperationKind::kCopy, now);
    host_call_end(*thread, HostCall::kOperation, nullptr, now);
    if (copies && kind_of_region(region) == kReturningDevice) {
      host_call_goes_on(*thread, HostActivity::kCopying);
    }
  }
}

void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_id_t*,
               unsigned) {
  Thread* const thread = calling_thread();
  if (thread == nullptr) return;
  const uint64_t kind = kind_of_region(region);
  const int64_t now = target_stamp(*thread);
  const int device = measured_number(device_of_region(region), now);
  if (endpoint == ompt_scope_begin) {
    blocking_operation_begin(*thread, device, OperationKind::kKernel, now);
    const bool may_wait = kind != kReturningDevice;
    host_call_begin(
        *thread, HostCall::kLaunch,
        may_wait ? HostActivity::kWaiting : HostActivity::kLaunching, nullptr,
        now, /*runs_kernel=*/may_wait);
  } else if (endpoint == ompt_scope_end) {
    blocking_operation_end(*thread, device, OperationKind::kKernel, now);
    host_call_end(*thread, HostCall::kLaunch, nullptr, now);
    if (kind != kBlockingDevice)
      host_call_goes_on(*thread, HostActivity::kWaiting);
  }
}

class TargetNotes final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    if (g_targets_seen.load() || target_bridge() != TargetBridge::kMissing)
      return;
    job->quality.notes.push_back(noted<"openmp_targets">(kBridgeFile));
  }
  void restart(const std::vector<Thread*>&) const override {}
};

constinit const TargetNotes g_target_notes;

}  // namespace

std::vector<Registration> target_callbacks() {
  if (!wants_openmp_devices()) return {};
  return {
      // Without this one LLVM 19 reports none of the others.
      callback<ompt_callback_device_initialize_t>(
          ompt_callback_device_initialize, on_device_initialize,
          "device_initialize"),
      callback<ompt_callback_target_emi_t>(ompt_callback_target_emi, on_target,
                                           "target"),
      callback<ompt_callback_target_data_op_emi_t>(
          ompt_callback_target_data_op_emi, on_data_operation,
          "target_data_op"),
      callback<ompt_callback_target_submit_emi_t>(
          ompt_callback_target_submit_emi, on_submit, "target_submit"),
  };
}

void note_targets() { measured_process().add_part(g_target_notes); }

}  // namespace poprt::ompt
