// Mutual exclusion: what OpenMP's locks and its critical, atomic and ordered
// regions mean for a thread's state and clocks (docs/edges.md).
//
// As in tasking.h, nothing here depends on OMPT.  Each function with a time is
// an event of `thread` and leaves it in the state that follows.
#ifndef POPRT_OPENMP_LOCKS_H_
#define POPRT_OPENMP_LOCKS_H_

#include <atomic>
#include <cstdint>

#include "clocks/sync_clock.h"
#include "measure/thread.h"
#include "openmp/last_one.h"

namespace poprt {

// One lock.  Who waits for it announces that here, and only then the thread
// that has it leaves its clocks.  An acquire that does not wait depends on
// nobody: without waits nobody writes here, and the line stays in the caches of
// all that use the lock.  The usual clocks of two regions that run end with the
// second line.
struct alignas(64) Lock {
  // The runtime's name of the lock; see lock_of().
  std::atomic<uint64_t> wait_id{0};  // 0: free for another lock
  // Lower half: how many threads wait.  Upper half: how many waits have been
  // announced.
  std::atomic<uint64_t> waits{0};
  // The upper half, when clocks were left last, and when that was.
  std::atomic<uint32_t> answered{0};
  // A runtime reports a release after the lock is free, so the next holder's
  // report may come first.  It waits a bounded time until there is no holder.
  // Number of the thread plus 1; 0: none.
  std::atomic<int32_t> holder{0};
  std::atomic<int64_t> left_ns{0};
  // For `ordered`: the loop that the clocks are of (OmpThread::loops).
  std::atomic<uint64_t> loop{0};
  SyncClock released;
  Lock* next = nullptr;  // in the list
  // Who released it last, and where the program initialised it (null: not
  // known); only where constructs are told apart.
  LastOne left;
  std::atomic<const void*> made_at{nullptr};
};

// A thread's wait, as it was announced.
struct LockWait {
  Lock* lock = nullptr;           // null: it was not
  uint32_t number = 0;            // how many had been announced then
  State before = State::kUseful;  // the thread's, to which it returns
  bool lasts = false;             // the thread has not returned to it yet
};

// Attempts to take a lock that have failed, one after the other.
struct LockPolling {
  LockWait since;     // as of the first one
  uint32_t last = 0;  // the number of the last announcement
};

inline uint32_t threads_waiting_for(const Lock& lock) {
  return static_cast<uint32_t>(lock.waits.load(std::memory_order_relaxed));
}
// Whether clocks are to be left: threads wait, or have announced themselves
// since clocks were left last.
inline bool is_awaited(const Lock& lock) {
  const uint64_t waits = lock.waits.load(std::memory_order_relaxed);
  return static_cast<uint32_t>(waits) != 0 ||
         static_cast<uint32_t>(waits >> 32) !=
             lock.answered.load(std::memory_order_relaxed);
}

LockWait announce_wait(Lock& lock);
// The thread does not wait any more.
void end_wait(const LockWait& wait);
// Whether clocks were left since the wait was announced.
bool is_answered(const LockWait& wait);

// Clocks of the thread's last event are left for those that wait, and merged.
// Several threads may leave theirs, also between an event of the one that
// merges and the merge, which takes time where counters are read: then they are
// later than its event, and it has waited until then.
void leave_in(SyncClock::Raising& raising, Thread& thread, Lock& lock);
void merge_left(Thread& thread, Lock& lock);

// Calls of entries of this library, which try to take the lock first
// (ompt/lock_calls.cc, modules/threads).  An acquire for which the try succeeds
// has not waited and is no event.
//
// Begin and end of a wait.  A releaser that has looked before the wait was
// announced has left no clocks: then the wait has no edge, and is counted.
// Null: what is waited for is not known.
LockWait lock_wait_begin(Thread& thread, Lock* lock, int64_t now_ns);
void lock_wait_end(Thread& thread, const LockWait& wait, int64_t now_ns);
// It ends without the lock.
void lock_wait_in_vain(Thread& thread, const LockWait& wait, int64_t now_ns);
// The thread is about to release the lock, and is_awaited().
void lock_left(Thread& thread, Lock& lock, int64_t now_ns);
// An attempt has failed: if the thread's next attempt for this lock succeeds,
// it has waited.  Each announcement is answered by one release, after which the
// lock may still not be free for a while, or have another holder.
void attempt_failed(Lock& lock, LockPolling* polls);
// One for that lock has succeeded.
void attempt_succeeded(Thread& thread, LockPolling* polls, int64_t now_ns);

// Locks and `critical`, where the runtime reports the events and there is no
// try: each thread announces itself from acquire to acquired.  One for which
// that took clearly longer than an uncontended acquire has waited.
void lock_acquire(Thread& thread, Lock* lock, int64_t now_ns);
// To be called before the event: waits for the report of the last holder's
// release.
void lock_settle(const Lock& lock);
void lock_acquired(Thread& thread, Lock& lock, int64_t now_ns);
void lock_released(Thread& thread, Lock& lock, int64_t now_ns);
// A nested lock is taken again: no edge.
void lock_again(Thread& thread, int64_t now_ns);
// A wait ends of which nothing is known, but in which state it began.
void lock_wait_over(Thread& thread, State before, int64_t now_ns);

// `ordered`: the order is the program's, so there is an edge with a wait and
// without.  All loops of a team have one name, and with `nowait` its threads
// may be in several of them: in 7, unless the user has more
// (KMP_DISP_NUM_BUFFERS). Each loop has its own object; `loops` is the thread's
// OmpThread::loops.
inline constexpr uint64_t kLoopsAtOnce = 8;
inline constexpr uint64_t kLoopStep = 2;
inline uint64_t name_of_loop(uint64_t wait_id, uint64_t loops) {
  return wait_id + loops / kLoopStep % kLoopsAtOnce;
}
void turn_wait(Thread& thread, int64_t now_ns);
void turn_begin(Thread& thread, Lock& turns, uint64_t loops, int64_t now_ns);
void turn_end(Thread& thread, Lock& turns, uint64_t loops, int64_t now_ns);

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
Lock* find_lock(uint64_t wait_id);

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
// The same if it is known, which a lock is that a thread has waited for; else
// null.  Reads only.
inline Lock* known_lock(uint64_t wait_id) {
  Lock* const first = lock_bucket_of(wait_id).load(std::memory_order_acquire);
  return first == nullptr ||
                 first->wait_id.load(std::memory_order_acquire) == wait_id
             ? first
             : find_lock(wait_id);
}
// The lock is destroyed: the next one of that name is another lock.  REQUIRES:
// no thread uses it.
void forget_lock(uint64_t wait_id);

// How long it takes to take and release a lock that no other thread wants: the
// tool's part, and all. 0 until they are measured.
inline constinit std::atomic<int64_t> g_lock_tool_ps{0};
inline constinit std::atomic<int64_t> g_lock_all_ps{0};

// The shortest time from acquire to acquired so far.  An uncontended acquire
// takes no longer than what it begins with; more is a wait.
inline constinit std::atomic<int64_t> g_uncontended_ns{1000};

inline constexpr uint32_t kSeldom = 256;

inline int32_t lock_name_of(const Thread& thread) {
  return static_cast<int32_t>(thread.number()) + 1;
}

}  // namespace poprt

#endif  // POPRT_OPENMP_LOCKS_H_
