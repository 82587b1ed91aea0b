#include "measure/call_cost.h"

#include <algorithm>

#include "measure/process.h"
#include "measure/time_source.h"

namespace poprt::call_cost {

namespace {

constexpr int kBatches = 12;
constexpr int kCalls = 64;  // in a batch
// The stretch at this place in sorted order is taken.
constexpr int kUsual = kCalls * 15 / 16;

// A call that only has events, as CallScope and the entries of ompt make them.
[[gnu::noinline]] void call(Thread& thread) {
  thread.switch_to(State::kMpi, time_source::now_ns());
  thread.switch_to(State::kUseful, time_source::now_ns());
}

// Called through a pointer, as a program calls a library.
void (*volatile g_call)(Thread&) = call;

}  // namespace

void measure() {
  using time_source::now_ns;
  // A process that no one else uses.
  Process* const scratch = new Process;
  Thread& thread = scratch->add_thread(ThreadKind::kProgram, now_ns());
  int64_t least_stretch = INT64_MAX;
  int64_t least_batch = INT64_MAX;
  int64_t stretches[kCalls];
  for (int batch = 0; batch < kBatches; ++batch) {
    int64_t before = thread.useful_ns();
    const int64_t begin = now_ns();
    for (int64_t& stretch : stretches) {
      g_call(thread);
      const int64_t useful = thread.useful_ns();
      stretch = useful - before;
      before = useful;
    }
    least_batch = std::min(least_batch, now_ns() - begin);
    // Not the shortest one, because a clock may advance by many ns at once.
    std::nth_element(stretches, stretches + kUsual, stretches + kCalls);
    least_stretch = std::min(least_stretch, stretches[kUsual]);
  }
  delete scratch;
  // Real calls are not in the caches and go through the linker's table, so half
  // as much is added.
  g_outside_ns = least_stretch * 3 / 2;
  g_event_ps = least_batch * 1000 / (2 * kCalls);
}

}  // namespace poprt::call_cost
