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
// What its holder looks at each time lies in one cache line.
struct alignas(64) Lock {
  // As the runtime calls it, and the next one of its list; see lock_of().
  std::atomic<uint64_t> wait_id{0};  // 0: free, for the next lock of the list
  Lock* next = nullptr;
  // A runtime reports a release after the lock is free: the next holder's
  // report may come first, and waits (a bounded time) until there is no holder.
  // A thread's number and 1; 0: none.
  std::atomic<int32_t> holder{0};
  // Whose report was waited for in vain; such a one may still come.
  std::atomic<int32_t> overtaken{0};
  // Who had it last, and how often in a row before, up to kOwnLock: what does
  // not change stays in many caches.  The holder's.
  std::atomic<int32_t> owner{0};
  std::atomic<uint32_t> again{0};
  // Threads that wait for it.
  std::atomic<int32_t> waiting{0};
  SyncClock released;
};

// Locks of which the runtime reports events.
void lock_wait(Thread& thread, int64_t now_ns);
// Before the event: lets the last holder's release be reported.
void lock_settle(Lock& lock);
void lock_acquired(Thread& thread, Lock& lock, int64_t now_ns);
void lock_released(Thread& thread, Lock& lock, int64_t now_ns);
// The wait is over without an edge: a nested lock taken again.
void lock_wait_over(Thread& thread, int64_t now_ns);

// Locks whose calls come through entries of this library (ompt/lock_calls.cc),
// which knows at once whether a thread has to wait, and speaks before the lock
// is free.  Where nobody waits and nobody else had the lock, there is no event.
//
// The thread has the lock without a wait: whether another one has had it, whose
// clocks are to be taken.
inline bool lock_changes_hands(const Thread& thread, Lock& lock);
void lock_taken(Thread& thread, Lock& lock, int64_t now_ns);
// Around a wait.
void lock_wait_begin(Thread& thread, Lock& lock, int64_t now_ns);
void lock_wait_end(Thread& thread, Lock& lock, int64_t now_ns);
// The thread is about to free the lock: whether it has to leave its clocks
// there.  A lock that one thread has had many times in a row is its own until
// another one waits for it: it leaves clocks now and then only (`count` is of
// its locks), and one that comes without having waited may find old ones.
inline bool lock_is_handed_on(const Thread& thread, const Lock& lock,
                              uint32_t count);
void lock_handed_on(Thread& thread, Lock& lock, int64_t now_ns);

// The locks by name: lists that only grow, read without a lock.  A program may
// have one for each point of its grid; of the table, only what is used lies in
// memory.
inline constexpr uint64_t kLockBuckets = 1 << 16;
extern std::atomic<Lock*> g_locks[kLockBuckets];
inline std::atomic<Lock*>& lock_bucket_of(uint64_t wait_id) {
  // Locks side by side have their buckets side by side, in few cache lines.
  return g_locks[((wait_id >> 3) ^ (wait_id >> 12)) % kLockBuckets];
}
Lock& find_or_add_lock(uint64_t wait_id);

// The lock that the runtime calls `wait_id`; never fails.  Thread-safe.
inline Lock& lock_of(uint64_t wait_id) {
  Lock* const first = lock_bucket_of(wait_id).load(std::memory_order_acquire);
  return first != nullptr &&
                 first->wait_id.load(std::memory_order_acquire) == wait_id
             ? *first
             : find_or_add_lock(wait_id);
}
// The lock is no more: the next one of that name is another.  REQUIRES: nobody
// uses it.
void forget_lock(uint64_t wait_id);

// What the tool, and what a thread in all takes for a lock that nobody waits
// for, to take and to leave it.  0 until they are measured.
namespace lock_cost {
inline constinit std::atomic<int64_t> g_tool_ps{0};
inline constinit std::atomic<int64_t> g_all_ps{0};
}  // namespace lock_cost

inline constexpr uint32_t kOwnLock = 16;
inline constexpr uint32_t kSeldom = 256;

inline int32_t lock_name_of(const Thread& thread) {
  return static_cast<int32_t>(thread.number()) + 1;
}

inline bool lock_changes_hands(const Thread& thread, Lock& lock) {
  if (lock.owner.load(std::memory_order_relaxed) != lock_name_of(thread)) {
    return true;
  }
  const uint32_t again = lock.again.load(std::memory_order_relaxed);
  if (again < kOwnLock) {
    lock.again.store(again + 1, std::memory_order_relaxed);
  }
  return false;
}

inline bool lock_is_handed_on(const Thread& thread, const Lock& lock,
                              uint32_t count) {
  return lock.waiting.load(std::memory_order_relaxed) != 0 ||
         lock.again.load(std::memory_order_relaxed) < kOwnLock ||
         count % kSeldom == 0 ||
         lock.owner.load(std::memory_order_relaxed) != lock_name_of(thread);
}

}  // namespace poprt

#endif  // POPRT_RUNTIME_LOCKS_H_
