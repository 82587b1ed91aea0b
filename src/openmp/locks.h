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

// One lock.  A thread that waits for the lock announces the wait here, and only
// then the holder leaves its clocks here when it releases the lock.  An acquire
// without a wait depends on nobody.  So without waits nothing is written here,
// and the cache line stays in the caches of all threads that use the lock.  The
// clocks of two running regions end with the second line.
struct alignas(64) Lock {
  // The runtime's name of the lock; see lock_of().
  std::atomic<uint64_t> wait_id{0};  // 0: free for another lock
  // Lower half: how many threads wait.  Upper half: how many waits have been
  // announced.
  std::atomic<uint64_t> waits{0};
  // The upper half of `waits` when clocks were left last.
  std::atomic<uint32_t> answered{0};
  // Number of the thread plus 1; 0: none.  A runtime may report a release after
  // the next acquire, for which the acquiring thread waits a bounded time.
  std::atomic<int32_t> holder{0};
  std::atomic<int64_t> left_ns{0};  // when clocks were left last
  // For `ordered`: the loop that the clocks are of (OmpThread::loops).
  std::atomic<uint64_t> loop{0};
  SyncClock released;
  Lock* next = nullptr;  // in the list
  // With construct sites: which thread released the lock last, and where the
  // program initialised it (null: not known).
  LastOne left;
  std::atomic<const void*> made_at{nullptr};
};

// A thread's wait for a lock.
struct LockWait {
  Lock* lock = nullptr;           // null: the wait was not announced
  uint32_t number = 0;            // of the announcement
  State before = State::kUseful;  // the state to which the thread returns
  bool lasts = false;             // the thread has not returned yet
};

// Failed attempts of a thread to take a lock, one after the other.
struct LockPolling {
  LockWait since;     // announced at the first attempt
  uint32_t last = 0;  // the number of the last announcement
};

inline uint32_t threads_waiting_for(const Lock& lock) {
  return static_cast<uint32_t>(lock.waits.load(std::memory_order_relaxed));
}
// Whether clocks are to be left: threads wait, or have announced a wait since
// clocks were left last.
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

// leave_in() leaves the clocks of the thread's last event for the waiting
// threads.  merge_left() merges all clocks that were left.  If some were left
// after the thread's last event, the thread has waited until then.
void leave_in(SyncClock::Raising& raising, Thread& thread, Lock& lock);
void merge_left(Thread& thread, Lock& lock);

// For entries of this library (ompt/lock_calls.cc, modules/threads), which
// first try to take the lock.  If the try succeeds, the thread has not waited,
// and there is no event.
//
// A wait begins, and ends with the lock.  If the holder has looked for waits
// before the wait was announced, it has left no clocks; then the wait has no
// edge and is counted.  `lock`: null if not known.
LockWait lock_wait_begin(Thread& thread, Lock* lock, int64_t now_ns);
void lock_wait_end(Thread& thread, const LockWait& wait, int64_t now_ns);
// A wait ends without the lock.
void lock_wait_in_vain(Thread& thread, const LockWait& wait, int64_t now_ns);
// The thread is about to release a lock that is_awaited().
void lock_left(Thread& thread, Lock& lock, int64_t now_ns);
// An attempt to take the lock has failed, and the thread announces a wait, anew
// after each release: the lock may have another holder then.
void attempt_failed(Lock& lock, LockPolling* polls);
// An attempt after failed ones for the same lock has succeeded: a wait is over.
void attempt_succeeded(Thread& thread, LockPolling* polls, int64_t now_ns);

// For locks and `critical` whose events the runtime reports.  Each thread
// announces a wait from acquire to acquired.  A thread for which that took
// clearly longer than an uncontended acquire has waited.
void lock_acquire(Thread& thread, Lock* lock, int64_t now_ns);
// To be called before lock_acquired(): waits for the report of the last
// holder's release.
void lock_settle(const Lock& lock);
void lock_acquired(Thread& thread, Lock& lock, int64_t now_ns);
void lock_released(Thread& thread, Lock& lock, int64_t now_ns);
// The thread takes a nested lock once more: no edge.
void lock_again(Thread& thread, int64_t now_ns);
// A wait for an unknown lock ends.
void lock_wait_over(Thread& thread, State before, int64_t now_ns);

// `ordered`: the program defines the order, so there is an edge with a wait and
// without.  The runtime gives one name to all loops of a team, of which its
// threads may be in several at once with `nowait`: in 7, unless the user sets
// more (KMP_DISP_NUM_BUFFERS).  Each loop has its own Lock.  `loops`:
// OmpThread::loops.
inline constexpr uint64_t kLoopsAtOnce = 8;
inline constexpr uint64_t kLoopStep = 2;
inline uint64_t name_of_loop(uint64_t wait_id, uint64_t loops) {
  return wait_id + loops / kLoopStep % kLoopsAtOnce;
}
void turn_wait(Thread& thread, int64_t now_ns);
void turn_begin(Thread& thread, Lock& turns, uint64_t loops, int64_t now_ns);
void turn_end(Thread& thread, Lock& turns, uint64_t loops, int64_t now_ns);

// All locks by the runtime's name, in lists that only grow and are read without
// a lock.  The table is large, because a program may have a lock for each point
// of its grid; its pages take memory only when they are used.
inline constexpr uint64_t kLockBuckets = 1 << 16;
extern std::atomic<Lock*> g_locks[kLockBuckets];
inline std::atomic<Lock*>& lock_bucket_of(uint64_t wait_id) {
  // Locks that are neighbours in memory use neighbouring buckets, so few cache
  // lines.
  return g_locks[((wait_id >> 3) ^ (wait_id >> 12)) % kLockBuckets];
}
Lock* find_or_add_lock(uint64_t wait_id);
Lock* find_lock(uint64_t wait_id);

// The Lock that the runtime calls `wait_id`.  Null if it is not known and
// cannot be added: the caller is a signal handler that has interrupted this
// function, or there is no memory.  Then the event has no edge.  Thread-safe.
inline Lock* lock_of(uint64_t wait_id) {
  Lock* const first = lock_bucket_of(wait_id).load(std::memory_order_acquire);
  return first != nullptr &&
                 first->wait_id.load(std::memory_order_acquire) == wait_id
             ? first
             : find_or_add_lock(wait_id);
}
// The same if the lock is known, else null.  A lock for which a thread has
// waited is known.  Only reads.
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

// How long taking and releasing a lock takes that no other thread wants: the
// tool's part of it, and all of it.  0 until they are measured.
inline constinit std::atomic<int64_t> g_lock_tool_ps{0};
inline constinit std::atomic<int64_t> g_lock_all_ps{0};

// The shortest time from acquire to acquired so far, or 1 us.  An acquire that
// takes more than twice as long has waited.
inline constinit std::atomic<int64_t> g_uncontended_ns{1000};

inline constexpr uint32_t kSeldom = 256;

inline int32_t lock_name_of(const Thread& thread) {
  return static_cast<int32_t>(thread.number()) + 1;
}

}  // namespace poprt

#endif  // POPRT_OPENMP_LOCKS_H_
