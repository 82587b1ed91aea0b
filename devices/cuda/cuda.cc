#include "devices/cuda/cuda.h"

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "base/kept_environment.h"
#include "devices/cuda/driver.h"
#include "devices/cuda/operation_sink.h"
#include "devices/cuda/tracing.h"
#include "devices/measured_devices.h"
#include "measure/events.h"
#include "model/noted.h"

namespace poprt::cuda {
namespace {

std::string variable(const char* name) {
  const char* const value = kept_variable(name);
  return value == nullptr ? "" : value;
}

class ProcessSink final : public OperationSink,
                          public OperationSource,
                          public TotalsPart {
 public:
  constexpr ProcessSink() = default;

  int device(int number) override {
    const std::string text = "CUDA device " + std::to_string(number);
    // Other processes may have other devices of this number.
    const int device = device_of({"cuda " + std::to_string(number), text,
                                  /*is_of_process=*/true},
                                 now_ns());
    if (device == kNoDevice) return OperationSink::kNoDevice;
    add_operation_source(*this);
    numbers_[static_cast<size_t>(device)].store(number);
    return device;
  }
  void launch(int device, const Launch& launch) override {
    device_launch(device, launch);
  }
  void end_launch(int device, uint64_t launch, bool had_operation) override {
    device_launch_over(device, launch, had_operation);
  }
  void operation(int device, const Operation& operation,
                 int64_t now_ns) override {
    device_operation(device, operation, now_ns);
  }
  void clock_error(int64_t ns) override {
    for (size_t i = 0; i < numbers_.size(); ++i) {
      if (numbers_[i].load() != kUnused) {
        set_device_clock_error(static_cast<int>(i), ns);
      }
    }
  }

  // Measurement may only begin again.
  void finish() override {
    if (measuring()) return catch_up();
    finish_tracing();
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const int number = numbers_[i].load();
      if (number == kUnused) continue;
      const DeviceIdentity identity = identity_of(number);
      if (identity.unit.empty()) continue;
      name_device(static_cast<int>(i), {identity.unit, identity.name});
    }
  }

  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    // In whatever order the parts are asked.
    if (!measuring()) finish_tracing();
    const TraceGaps gaps = trace_gaps();
    std::vector<std::string>& notes = job->quality.notes;
    if (has_devices()) notes.push_back(noted<"cuda_unverified">());
    if (gaps.dropped > 0) notes.push_back(noted<"cuda_dropped">(gaps.dropped));
    if (gaps.unreadable > 0) {
      notes.push_back(noted<"cuda_unreadable">(gaps.unreadable));
    }
    if (gaps.clock_jumps > 0) {
      notes.push_back(noted<"cuda_clock">(gaps.clock_jumps));
    }
  }
  void restart(const std::vector<Thread*>&) const override {}

 private:
  static constexpr int kUnused = -1;

  struct Number : std::atomic<int> {
    constexpr Number() : std::atomic<int>(kUnused) {}
  };

  bool has_devices() const {
    for (const Number& number : numbers_) {
      if (number.load() != kUnused) return true;
    }
    return false;
  }

  // The number in CUDA of each device of the process.
  std::array<Number, ProcessDevices::kMost> numbers_;
};

constinit ProcessSink g_sink;
// Null: CUDA is not asked for.
constinit std::atomic<const TraceStart*> g_start{nullptr};

}  // namespace

void start(const Options& options) {
  if (!options.cuda_devices) return;
  TraceOptions trace;
  trace.places = {options.cupti, variable("CUDA_HOME")};
  trace.injected_tool = variable("CUDA_INJECTION64_PATH");
  g_start.store(&start_tracing(trace, g_sink));
}

void join(Process& process) {
  const TraceStart* const started = g_start.load();
  if (started == nullptr) return;
  switch (started->outcome) {
    case TraceStart::Outcome::kTracing:
      return process.add_part(g_sink);
    case TraceStart::Outcome::kOtherTool:
      return process.note(noted<"cuda_other_tool">(started->why));
    case TraceStart::Outcome::kNotThere:
      return process.note(noted<"cuda_not_there">(started->why));
  }
}

bool is_measured() { return is_tracing(); }

}  // namespace poprt::cuda
