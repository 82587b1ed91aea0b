#include "openmp/doacross.h"

#include "base/mix.h"
#include "base/mutex.h"
#include "base/publish.h"
#include "measure/process.h"
#include "openmp/tasking_objects.h"

namespace poprt {
namespace {

// The clocks that a sink may still need, by iteration.  Each place holds those
// of the latest of the iterations that map to it.  Loops wait for nearby
// iterations.  If thousands of others came after an iteration, it ended long
// ago, and its edge is left out.
struct Source {
  std::atomic<uint64_t> iteration{0};
  Mutex mutex;
  SyncClock clock;
};
constexpr uint64_t kSources = 4096;

struct Sources {
  Source places[kSources];
};

Source& source_of(const Iteration& iteration) {
  static constinit std::atomic<Sources*> all{nullptr};
  Sources* const known = all.load(std::memory_order_acquire);
  return (known != nullptr ? *known : publish(all, new Sources))
      .places[iteration.place() % kSources];
}

}  // namespace

std::atomic<bool> g_doacross_has_entries{false};
constinit std::atomic<uint32_t> g_iterations[kIterationWords] = {};

void doacross_loop_begin(Thread& thread, uint32_t depth) {
  if (!doacross_has_entries()) g_doacross_has_entries = true;
  OmpThread& omp = omp_of(thread);
  // Outside of all parallel regions nobody waits.
  if (omp.doacross.name == 0) return;
  omp.doacross = {mix(omp.doacross.name), depth};
  omp.sources.begin_anew();
}

void doacross_source(Thread& thread, const Iteration& iteration,
                     int64_t now_ns) {
  thread.book(now_ns);
  OmpThread& omp = omp_of(thread);
  if (omp.sources.left <= 0) omp.sources.next(now_ns);
  omp.own_iteration = iteration.name();
  Source& source = source_of(iteration);
  const MutexLock lock(source.mutex);
  if (lock.held()) {
    if (source.iteration.load() != iteration.name()) source.clock.reset();
    thread.raise_to(source.clock);
    source.iteration.store(iteration.name(), std::memory_order_release);
  }
  word_at(iteration).store(
      word_of(iteration, lock.held() ? kLeftClocks : kPassed),
      std::memory_order_release);
}

void doacross_announce(const Iteration& iteration) {
  std::atomic<uint32_t>& word = word_at(iteration);
  uint32_t before = word.load(std::memory_order_relaxed);
  if (before == word_of(iteration, kPassed) ||
      before == word_of(iteration, kLeftClocks)) {
    return;
  }
  // If it has changed, most likely the iteration has just passed.
  word.compare_exchange_strong(before, word_of(iteration, kAwaited),
                               std::memory_order_relaxed);
}

void doacross_sink(Thread& thread, const Iteration& iteration, State before,
                   int64_t now_ns) {
  Source& source = source_of(iteration);
  const bool waited = thread.state() != before;
  if (waited) {
    thread.has_waited_for(source.clock);
    serialised_wait_over(thread, before, now_ns);
  } else {
    thread.book(now_ns);
  }
  const MutexLock lock(source.mutex);
  if (lock.held() && source.iteration.load() == iteration.name()) {
    thread.merge(source.clock);
  } else if (waited && word_at(iteration).load(std::memory_order_relaxed) ==
                           word_of(iteration, kPassed)) {
    // It has passed between the thread's look and its announcement.
    thread.process().lost_lock_clocks.fetch_add(1, std::memory_order_relaxed);
  }
}

bool doacross_settle(Thread& thread, const Iteration& iteration) {
  constexpr int kTries = 1000;
  if (iteration.name() == omp_of(thread).own_iteration) return false;
  const Source& source = source_of(iteration);
  for (int i = 0; i < kTries; ++i) {
    if (source.iteration.load(std::memory_order_acquire) == iteration.name()) {
      break;
    }
  }
  return true;
}

}  // namespace poprt
