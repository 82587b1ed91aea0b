// Mutual exclusion of every kind: what OpenMP's locks, critical, atomic and
// ordered regions mean for a thread's state and clocks (openmp-edges.md).
//
// Like tasking.h: no OMPT here, and each function with a time is an event of
// `thread`, which leaves it in the state that follows.
#ifndef POPRT_RUNTIME_LOCKS_H_
#define POPRT_RUNTIME_LOCKS_H_

#include <atomic>
#include <cstdint>

#include "runtime/sync_clock.h"
#include "runtime/thread.h"

namespace poprt {

// What threads hand on by holding the same lock.
// All that is handed on fills two cache lines.
struct alignas(64) Lock {
  // A runtime reports a release after the lock is free: the next holder's
  // report may come first, and waits (a bounded time) until there is no holder.
  // A thread's number and 1; 0: none.
  std::atomic<int32_t> holder{0};
  // Whose report was waited for in vain; such a one may still come.
  std::atomic<int32_t> overtaken{0};
  SyncClock released;
};

void lock_wait(Thread& thread, int64_t now_ns);
// Before the event: lets the last holder's release be reported.
void lock_settle(Lock& lock);
void lock_acquired(Thread& thread, Lock& lock, int64_t now_ns);
void lock_released(Thread& thread, Lock& lock, int64_t now_ns);
// The wait is over without an edge: a nested lock taken again.
void lock_wait_over(Thread& thread, int64_t now_ns);

// The lock that the runtime calls `wait_id`; never fails.  Thread-safe.
Lock& lock_of(uint64_t wait_id);
// The lock is no more: the next one of that name is another.  REQUIRES: nobody
// uses it.
void forget_lock(uint64_t wait_id);

}  // namespace poprt

#endif  // POPRT_RUNTIME_LOCKS_H_
