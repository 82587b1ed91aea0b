#include "devices/opencl/commands.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace poprt::opencl {
namespace {

// A command that was enqueued and is not over.
struct Command {
  std::atomic<bool> is_used{false};
  Device* device = nullptr;
  Operation operation;  // without times
  // When it was enqueued: between these times.
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

// Of more at a time only is known that they were launched.
constexpr uint32_t kMostCommands = 8192;
constinit std::array<Command, kMostCommands> g_commands = {};
constinit std::atomic<uint32_t> g_next_command{0};
constinit std::atomic<uint64_t> g_launches{0};

// Null: all are used.  Mostly the next one is free.
Command* take_command() {
  for (uint32_t i = 0; i < kMostCommands; ++i) {
    const uint32_t at = g_next_command.fetch_add(1, std::memory_order_relaxed);
    Command& command = g_commands[at % kMostCommands];
    if (!command.is_used.load(std::memory_order_relaxed) &&
        !command.is_used.exchange(true, std::memory_order_acquire)) {
      return &command;
    }
  }
  return nullptr;
}

// Of the device's clock; 0: not known.
int64_t time_of(cl_event event, cl_profiling_info what) {
  cl_ulong ns = 0;
  const cl_int result = g_layer.below->clGetEventProfilingInfo(
      event, what, sizeof ns, &ns, nullptr);
  return result == CL_SUCCESS ? static_cast<int64_t>(ns) : 0;
}

// The offset of clocks is known within some microseconds, but a command has
// ended now, and began after it was enqueued.
void set_times(cl_event event, Command* command) {
  const int64_t queued_ns = time_of(event, CL_PROFILING_COMMAND_QUEUED);
  const int64_t begin_ns = time_of(event, CL_PROFILING_COMMAND_START);
  const int64_t end_ns = time_of(event, CL_PROFILING_COMMAND_END);
  if (queued_ns <= 0 || begin_ns < queued_ns || end_ns < begin_ns) return;
  Device& device = *command->device;
  device.learn(queued_ns, command->begin_ns, command->end_ns);
  const int64_t now_ns = g_layer.sink->now_ns();
  const int64_t latest_ns = now_ns - (end_ns - begin_ns);
  Operation& operation = command->operation;
  operation.begin_ns = std::max(std::min(device.to_host(begin_ns), latest_ns),
                                command->begin_ns);
  operation.end_ns = std::min(operation.begin_ns + (end_ns - begin_ns), now_ns);
}

// On a thread of the device's library, or of the program.
void CL_CALLBACK command_over(cl_event event, cl_int status, void* data) {
  auto* const command = static_cast<Command*>(data);
  if (status == CL_COMPLETE) set_times(event, command);
  g_layer.sink->record(command->device->number(), command->operation);
  command->is_used.store(false, std::memory_order_release);
}

}  // namespace

EnqueueCall::EnqueueCall(cl_command_queue queue, OperationKind kind,
                         bool blocks, cl_event** event)
    : call_(blocks ? HostActivity::kCopying : HostActivity::kLaunching),
      event_(*event) {
  Device* const device = device_of(queue);
  if (device == nullptr) return;
  if (event_ == nullptr) event_ = *event = &own_event_;
  started_ = {device, {}, g_layer.sink->now_ns()};
  started_->operation.launch =
      g_launches.fetch_add(1, std::memory_order_relaxed) + 1;
  started_->operation.kind = kind;
  Launch launch;
  launch.id = started_->operation.launch;
  launch.stream = reinterpret_cast<uintptr_t>(queue);
  launch.time_ns = started_->begin_ns;
  g_layer.sink->launch(device->number(), launch);
}

void EnqueueCall::end(cl_int result) {
  if (!started_) return;
  if (result == CL_SUCCESS) {
    watch(*started_);
    if (event_ == &own_event_) g_layer.below->clReleaseEvent(own_event_);
  } else {
    g_layer.sink->cancel(started_->device->number(),
                         started_->operation.launch);
  }
}

void EnqueueCall::watch(const Started& started) {
  Command* const command = take_command();
  if (command != nullptr) {
    command->device = started.device;
    command->operation = started.operation;
    command->begin_ns = started.begin_ns;
    command->end_ns = g_layer.sink->now_ns();
    if (g_layer.below->clSetEventCallback(*event_, CL_COMPLETE, command_over,
                                          command) == CL_SUCCESS) {
      return;
    }
    command->is_used.store(false, std::memory_order_release);
  }
  g_layer.sink->record(started.device->number(), started.operation);
}

}  // namespace poprt::opencl
