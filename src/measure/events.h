// The interface by which the MPI, OpenMP and region layers raise events.  An
// event is a call for the calling thread's Thread with a time stamp:
//
//   if (Thread* thread = measured_thread()) {
//     barrier_begin(*thread, task, now_ns());
//   }
//
// There is no Thread while nothing is measured (before the start, after the
// end, in a process without MPI and OpenMP).  Then an event costs a load and a
// branch.
#ifndef POPRT_MEASURE_EVENTS_H_
#define POPRT_MEASURE_EVENTS_H_

#include <atomic>
#include <cstdint>

#include "measure/call_cost.h"
#include "measure/process.h"
#include "measure/thread.h"
#include "measure/time_source.h"

namespace poprt {

// The time stamp for an event that ends useful time: earlier by what calls take
// outside of their time stamps.  Thread::book() takes care that it is not
// before the thread's last event.
inline int64_t leave_ns() { return now_ns() - g_call_outside_ns; }

// A time stamp that is taken after all earlier reads are complete.
inline int64_t strict_now_ns() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
#endif
  return now_ns();
}

enum class Phase : int { kDormant, kMeasuring, kFinished };
extern std::atomic<Phase> g_phase;
// The library's only thread-local variable, and a plain pointer: a larger one
// has no room in the static TLS block when a runtime loads the library with
// dlopen(), and one with a constructor costs a call at each use.
extern thread_local constinit Thread* t_thread;

inline bool measuring() {
  return g_phase.load(std::memory_order_relaxed) == Phase::kMeasuring;
}

// The calling thread's Thread while measurement runs, else null.  Also null for
// a thread that is not registered yet.
inline Thread* measured_thread() { return measuring() ? t_thread : nullptr; }

// Merging the clocks of up to this many regions takes less time than another
// time stamp, so the tool's own work is not timed then.
inline constexpr int kFewRegions = 5;

// The process that is measured, or null before it is made.
Process* known_process();
// Makes it, with these arguments of its constructor.  Does nothing if it exists
// already. Thread-safe.
Process& make_process(RegionSelection selection, PathChoice path = {},
                      const WindowSpec& windows = {}, bool thread_rows = false);
// REQUIRES: the process was made, as it is when measurement starts.
Process& measured_process();

// Makes a Thread for the calling thread if it has none.  Thread-safe.
// REQUIRES: measurement has started.
Thread& register_thread(ThreadKind kind);
// For register_thread(): the Thread of the calling thread, which is foreign.
// It is another one's after its end.
Thread& foreign_thread(Process& process, int64_t now_ns);
// The same for a thread that counts as a member soon: it takes the core of a
// member that has ended, if there is one.
Thread& register_on_core(ThreadKind kind, int64_t now_ns);
// The calling thread, a member or about to be one, gives its core back.
void leave_core(Thread& core, int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_MEASURE_EVENTS_H_
