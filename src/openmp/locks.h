// Mutual exclusion: what OpenMP's locks and its critical, atomic and ordered
// regions mean for a thread's state and clocks (docs/edges.md).
//
// As in tasking.h, nothing here depends on OMPT.  Each function with a time is
// an event of `thread` and leaves it in the state that follows.
#ifndef POPRT_OPENMP_LOCKS_H_
#define POPRT_OPENMP_LOCKS_H_

#include <atomic>
#include <cstdint>

#include "measure/sync_clock.h"
#include "measure/thread.h"
#include "openmp/last_one.h"

namespace poprt {

// One lock.  What its holder reads each time lies in one cache line, and the
// usual clocks of two regions that run end with the second one.
struct alignas(64) Lock {
  // The runtime's name of the lock; see lock_of().
  std::atomic<uint64_t> wait_id{0};  // 0: free for another lock
  // A runtime reports a release after the lock is free, so the next holder's
  // report may come first.  It waits a bounded time until there is no holder.
  // Number of the thread plus 1; 0: none.
  std::atomic<int32_t> holder{0};
  // A holder whose report did not come in that time; it may still come.
  std::atomic<int32_t> overtaken{0};
  // The last holder, and how many times in a row it had the lock before, up to
  // kOwnLock.  Unchanged values stay in the caches of several cores.  Written
  // by the holder.
  std::atomic<int32_t> owner{0};
  std::atomic<uint32_t> again{0};
  // How many threads wait for it.
  std::atomic<int32_t> waiting{0};
  SyncClock released;
  Lock* next = nullptr;  // in the list
  // Who released it last, and where the program initialised it (null: not
  // known); only where constructs are told apart.
  LastOne left;
  std::atomic<const void*> made_at{nullptr};
};

// For locks whose events the runtime reports.
void lock_wait(Thread& thread, int64_t now_ns);
// To be called before the event: waits for the report of the last holder's
// release.
void lock_settle(Lock& lock);
void lock_acquired(Thread& thread, Lock& lock, int64_t now_ns);
void lock_released(Thread& thread, Lock& lock, int64_t now_ns);
// A nested lock is taken again: the wait ends without an edge.
void lock_wait_over(Thread& thread, int64_t now_ns);

// For locks whose calls go through the entries of ompt/lock_calls.cc.  An entry
// knows at once whether a thread has to wait, and leaves clocks before the lock
// is free.  There is no event if no thread waits and the last holder was the
// same thread.
//
// The thread has the lock without a wait: whether another thread had it before,
// so that its clocks must be merged.
inline bool lock_changes_hands(const Thread& thread, Lock& lock);
void lock_taken(Thread& thread, Lock& lock, int64_t now_ns);
// Begin and end of a wait.
void lock_wait_begin(Thread& thread, Lock& lock, int64_t now_ns);
void lock_wait_end(Thread& thread, Lock& lock, int64_t now_ns);
// The thread is about to release the lock: whether it has to leave its clocks
// there.  A lock that one thread has had many times in a row is taken as its
// own until another thread waits for it.  The owner then leaves clocks only now
// and then (`count` is the number of its locks), and another thread that takes
// the lock without a wait may find old ones.
inline bool lock_is_handed_on(const Thread& thread, const Lock& lock,
                              uint32_t count);
void lock_handed_on(Thread& thread, Lock& lock, int64_t now_ns);

// All locks by the runtime's name: lists that only grow and are read without a
// lock.  A program may have a lock for each point of its grid.  Pages of the
// table take memory only when they are used.
inline constexpr uint64_t kLockBuckets = 1 << 16;
extern std::atomic<Lock*> g_locks[kLockBuckets];
inline std::atomic<Lock*>& lock_bucket_of(uint64_t wait_id) {
  // Locks that are neighbours in memory use neighbouring buckets, so few cache
  // lines.
  return g_locks[((wait_id >> 3) ^ (wait_id >> 12)) % kLockBuckets];
}
Lock* find_or_add_lock(uint64_t wait_id);

// The lock that the runtime calls `wait_id`.  Null if it is not known and
// cannot be added: a signal handler has interrupted its thread in this
// function, or there is no memory.  Then the event has no edge.  Thread-safe.
inline Lock* lock_of(uint64_t wait_id) {
  Lock* const first = lock_bucket_of(wait_id).load(std::memory_order_acquire);
  return first != nullptr &&
                 first->wait_id.load(std::memory_order_acquire) == wait_id
             ? first
             : find_or_add_lock(wait_id);
}
// The lock is destroyed: the next one of that name is another lock.  REQUIRES:
// no thread uses it.
void forget_lock(uint64_t wait_id);

// How long it takes to take and release a lock that no other thread wants: the
// tool's part, and all. 0 until they are measured.
inline constinit std::atomic<int64_t> g_lock_tool_ps{0};
inline constinit std::atomic<int64_t> g_lock_all_ps{0};

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

#endif  // POPRT_OPENMP_LOCKS_H_
