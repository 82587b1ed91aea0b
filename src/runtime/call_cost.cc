#include "runtime/call_cost.h"

#include <algorithm>

#include "runtime/process.h"
#include "runtime/time_source.h"

namespace poprt::call_cost {

namespace {

constexpr int kBatches = 12;
constexpr int kCalls = 64;  // of a batch
// A stretch longer than this many of them is left to chance.
constexpr int kUsual = kCalls * 15 / 16;

// A call that does nothing else, as CallScope and the entries of ompt make one.
[[gnu::noinline]] void call(Thread& thread) {
  thread.switch_to(State::kMpi, time_source::now_ns());
  thread.switch_to(State::kUseful, time_source::now_ns());
}

// Calls through a pointer, as a program reaches a library.
void (*volatile g_call)(Thread&) = call;

}  // namespace

void measure() {
  using time_source::now_ns;
  // Nobody looks at this process.
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
    // Not the shortest one: a clock may advance by many ns at once.
    std::nth_element(stretches, stretches + kUsual, stretches + kCalls);
    least_stretch = std::min(least_stretch, stretches[kUsual]);
  }
  delete scratch;
  // Real calls come from far, and through the linker's table: half as much
  // again, which is still a few ns.
  g_outside_ns = least_stretch * 3 / 2;
  g_event_ps = least_batch * 1000 / (2 * kCalls);
}

}  // namespace poprt::call_cost
