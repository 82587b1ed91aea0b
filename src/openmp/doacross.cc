#include "openmp/doacross.h"

#include <atomic>

#include "base/mix.h"
#include "base/mutex.h"
#include "base/publish.h"
#include "openmp/tasking_objects.h"

namespace poprt {
namespace {

// The sources that a sink may still name, by iteration.  Each place holds the
// latest of the iterations that map to it.  Loops wait for nearby iterations.
// If thousands of others came after an iteration, it ended long ago, and its
// edge is left out.
struct Source {
  std::atomic<uint64_t> iteration{0};
  Mutex mutex;
  SyncClock clock;
};
constexpr uint64_t kSources = 4096;

struct Sources {
  Source places[kSources];
};

Source& source_at(uint64_t place) {
  static constinit std::atomic<Sources*> all{nullptr};
  Sources* const known = all.load(std::memory_order_acquire);
  return (known != nullptr ? *known : publish(all, new Sources)).places[place];
}

}  // namespace

// The place is linear in the indices, so that neighbours in all directions have
// different places.
void Iteration::add(uint64_t index) {
  name_ = mix(name_ + index);
  place_ = place_ * 2531 + index;
}

void doacross_loop_begin(Thread& thread) { ++omp_of(thread).doacross_pending; }

IterationKey iteration_key(Thread& thread, Task* task,
                           const Iteration& iteration) {
  task->doacross_loops += omp_of(thread).doacross_pending;
  omp_of(thread).doacross_pending = 0;
  uint64_t name = mix(reinterpret_cast<uintptr_t>(task->team));
  if (task->team != nullptr) name = mix(name + task->team->instance);
  name = mix(name + task->doacross_loops);
  return {mix(name + iteration.name()) | 1,
          (name + iteration.place()) % kSources};
}

void doacross_source(Thread& thread, const IterationKey& iteration,
                     int64_t now_ns) {
  thread.book(now_ns);
  omp_of(thread).own_iteration = iteration.name;
  Source& source = source_at(iteration.place);
  const MutexLock lock(source.mutex);
  if (!lock.held()) return;
  if (source.iteration.load() != iteration.name) source.clock.reset();
  thread.raise_to(source.clock);
  source.iteration.store(iteration.name, std::memory_order_release);
}

bool doacross_settle(Thread& thread, const IterationKey& iteration) {
  constexpr int kTries = 1000;
  if (iteration.name == omp_of(thread).own_iteration) return false;
  const Source& source = source_at(iteration.place);
  for (int i = 0; i < kTries; ++i) {
    if (source.iteration.load(std::memory_order_acquire) == iteration.name) {
      break;
    }
  }
  return true;
}

void doacross_sink(Thread& thread, const IterationKey& iteration,
                   int64_t now_ns) {
  // In the entry for the wait (ompt/runtime_calls.cc), if the call came through
  // it.
  Source& source = source_at(iteration.place);
  thread.has_waited_for(source.clock);
  if (thread.state() == State::kOmp) {
    serialised_wait_over(thread, State::kOmp, now_ns);
  } else {
    thread.book(now_ns);
  }
  const MutexLock lock(source.mutex);
  if (lock.held() && source.iteration.load() == iteration.name) {
    thread.merge(source.clock);
  }
}

}  // namespace poprt
