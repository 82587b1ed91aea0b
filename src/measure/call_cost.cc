#include "measure/call_cost.h"

#include <algorithm>
#include <iterator>

#include "measure/process.h"
#include "measure/time_source.h"

namespace poprt {

namespace {

constexpr int kBatches = 12;
constexpr int kCalls = 64;  // in a batch
// The stretch at this place in sorted order is taken.
constexpr int kUsual = kCalls * 15 / 16;

// A call that only has events, as CallScope and the entries of ompt make them.
[[gnu::noinline]] void call(Thread& thread) {
  thread.switch_to(State::kMpi, now_ns());
  thread.switch_to(State::kUseful, now_ns());
}

// What the counters have counted in the calls of a batch; the least of all
// batches, because an interrupt may have been counted as well.
class Counts {
 public:
  Counts(const Counting* counting, const Thread& thread)
      : counting_(counting), thread_(thread) {
    std::fill(std::begin(least_), std::end(least_), INT64_MAX);
  }
  void end_batch() {
    for (int i = 0; i < size(); ++i) {
      const int64_t now = thread_.amount(counting_->first_account + 1 + i);
      least_[i] = std::min(least_[i], now - before_[i]);
      before_[i] = now;
    }
  }
  void get(int64_t* of_a_call) const {
    for (int i = 0; i < size(); ++i) of_a_call[i] = least_[i] / kCalls;
  }

 private:
  int size() const {
    return counting_ == nullptr ? 0 : counting_->source->size();
  }
  const Counting* const counting_;
  const Thread& thread_;
  int64_t before_[CounterSource::kMost] = {};
  int64_t least_[CounterSource::kMost];
};

// Merges clocks that are later than the thread's, as most of them are.
int64_t merge_ns(Process& process, Thread& thread) {
  process.region_start(thread, "Global");
  thread.book(now_ns());
  ClockMessage message;
  thread.store_to(message);
  int64_t least = INT64_MAX;
  for (int batch = 0; batch < kBatches; ++batch) {
    const int64_t begin = now_ns();
    for (int i = 0; i < kCalls; ++i) {
      ClockEntry& entry = message.entries[0];
      entry = {entry.region, entry.cue_ns + 1, entry.com_ns + 1,
               entry.coo_ns + 1, entry.all_ns + 1};
      thread.merge(message);
    }
    least = std::min(least, now_ns() - begin);
  }
  return least / kCalls;
}

// Called through a pointer, as a program calls a library.
void (*volatile g_call)(Thread&) = call;

}  // namespace

void measure_call_cost(CounterSource* counters, int64_t* outside_counts) {
  // A process that no one else uses.
  Process* const scratch = new Process;
  const bool counts = counters != nullptr && scratch->count_with(*counters);
  Thread& thread = scratch->add_thread(ThreadKind::kProgram, now_ns());
  if (counts) thread.start_counting(*scratch->counting());
  Counts least_counts(counts ? scratch->counting() : nullptr, thread);
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
    least_counts.end_batch();
    // Not the shortest one, because a clock may advance by many ns at once.
    std::nth_element(stretches, stretches + kUsual, stretches + kCalls);
    least_stretch = std::min(least_stretch, stretches[kUsual]);
  }
  if (counts) {
    least_counts.get(outside_counts);
    thread.stop_counting();
  }
  g_merge_ns = merge_ns(*scratch, thread);
  delete scratch;
  // Real calls are not in the caches and go through the linker's table, so half
  // as much is added.
  g_call_outside_ns = least_stretch * 3 / 2;
  g_event_ps = least_batch * 1000 / (2 * kCalls);
  g_call_way_ps =
      std::max<int64_t>(0, least_stretch * 1000 - g_event_ps) * 3 / 2;
}

}  // namespace poprt
