// The seam: all that the wrappers, ompt and region layers need to raise an
// event.  An event is a call on the calling thread's Thread with a stamp:
//
//   if (Thread* thread = measured_thread()) barrier_begin(*thread, task,
//   now_ns());
//
// There is no Thread while nothing is measured (before the start, after the
// end, in a process that is neither an MPI nor an OpenMP program): then an
// event costs a load and a branch.
#ifndef POPRT_RUNTIME_EVENTS_H_
#define POPRT_RUNTIME_EVENTS_H_

#include <atomic>
#include <cstdint>

#include "runtime/call_cost.h"
#include "runtime/process.h"
#include "runtime/thread.h"
#include "runtime/time_source.h"

namespace poprt {

using time_source::now_ns;

// The stamp of an event by which the program leaves its work for a call: what
// the call takes outside of its stamps is not the program's.  Never before the
// last event of the thread (Thread::book).
inline int64_t leave_ns() { return now_ns() - call_cost::g_outside_ns; }

enum class Phase : int { kDormant, kMeasuring, kFinished };
extern std::atomic<Phase> g_phase;
// The one pointer of thread-local storage (architecture.md, section 4).
extern thread_local constinit Thread* t_thread;

inline bool measuring() {
  return g_phase.load(std::memory_order_relaxed) == Phase::kMeasuring;
}

// The calling thread while measurement runs, else null.  A thread that was
// never heard of has none; see register_thread().
inline Thread* measured_thread() { return measuring() ? t_thread : nullptr; }

// Clocks of this many regions are merged in less time than a stamp takes: then
// the stamp of an event serves as the last one as well.
inline constexpr int kFewRegions = 5;

// The process that is measured.  REQUIRES: measurement has started.
Process& measured_process();

// Gives the calling thread a Thread, if it has none.  Thread-safe.
// REQUIRES: measurement has started.
Thread& register_thread(ThreadKind kind);

}  // namespace poprt

#endif  // POPRT_RUNTIME_EVENTS_H_
