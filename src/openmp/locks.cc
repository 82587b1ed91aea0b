#include "openmp/locks.h"

#include <sched.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/mutex.h"
#include "measure/process.h"
#include "openmp/tasking_objects.h"

namespace poprt {
namespace {

constexpr uint64_t kAnnouncement = uint64_t{1} << 32;

uint32_t announcements_in(uint64_t waits) {
  return static_cast<uint32_t>(waits >> 32);
}

// Several threads that hold a read-write lock may call this at once.
void leave_clocks(Thread& thread, Lock& lock) {
  SyncClock::Raising raising(lock.released);
  const uint32_t announced =
      announcements_in(lock.waits.load(std::memory_order_acquire));
  // If no wait was announced since clocks were left last, all threads that wait
  // now have also waited for the threads that left these, so the clocks stay.
  if (announced != lock.answered.load(std::memory_order_relaxed)) {
    raising.object().reset();
  }
  leave_in(raising, thread, lock);
  lock.answered.store(announced, std::memory_order_release);
}

void merge_answer(Thread& thread, const LockWait& wait) {
  if (is_answered(wait)) {
    merge_left(thread, *wait.lock);
  } else {
    thread.process().lost_lock_clocks.fetch_add(1, std::memory_order_relaxed);
  }
}

// When the thread that was waited for released the lock; `now_ns` if not known.
int64_t released_ns(const Thread& thread, const LockWait& wait,
                    int64_t now_ns) {
  if (!thread.needs_wait() || !is_answered(wait)) return now_ns;
  return wait.lock->released.came_ns();
}

// Whether an acquire that took so long has waited.
bool has_waited(int64_t took_ns) {
  const int64_t least = g_uncontended_ns.load(std::memory_order_relaxed);
  if (took_ns < least) {
    g_uncontended_ns.store(took_ns, std::memory_order_relaxed);
  }
  return took_ns > 2 * least;
}

// The state after a wait.  Without `lasts` the wait had no begin: an attempt
// has succeeded.  A wait that lasts when the next begins was left by
// siglongjmp().
State state_after(const Thread& thread, const LockWait& wait) {
  return wait.lasts ? wait.before : state_at_begin(thread);
}

}  // namespace

void leave_in(SyncClock::Raising& raising, Thread& thread, Lock& lock) {
  const int64_t before_ns =
      raising.is_empty() ? 0 : lock.left_ns.load(std::memory_order_relaxed);
  thread.raise_to(raising);
  lock.left_ns.store(std::max(before_ns, thread.last_event_ns()),
                     std::memory_order_relaxed);
}

void merge_left(Thread& thread, Lock& lock) {
  const SyncClock::Raising nobody_leaves(lock.released);
  const int64_t left_ns = lock.left_ns.load(std::memory_order_relaxed);
  if (left_ns > thread.last_event_ns()) thread.book_own_work(left_ns);
  thread.merge(lock.released);
}

LockWait announce_wait(Lock& lock) {
  const uint64_t before = lock.waits.fetch_add(kAnnouncement + 1);
  return {.lock = &lock, .number = announcements_in(before + kAnnouncement)};
}

void end_wait(const LockWait& wait) {
  // 0 if the lock was destroyed meanwhile.
  if (wait.lock != nullptr && threads_waiting_for(*wait.lock) != 0) {
    wait.lock->waits.fetch_sub(1, std::memory_order_relaxed);
  }
}

bool is_answered(const LockWait& wait) {
  if (wait.lock == nullptr) return false;
  // The difference, because numbers may begin anew.
  return static_cast<int32_t>(
             wait.lock->answered.load(std::memory_order_acquire) -
             wait.number) >= 0;
}

LockWait lock_wait_begin(Thread& thread, Lock* lock, int64_t now_ns) {
  LockWait wait = lock == nullptr ? LockWait() : announce_wait(*lock);
  wait.before = thread.state();
  thread.switch_to(State::kOmp, now_ns);
  return wait;
}

void lock_wait_end(Thread& thread, const LockWait& wait, int64_t now_ns) {
  thread.has_waited(released_ns(thread, wait, now_ns));
  serialised_wait_over(thread, wait.before, now_ns);
  merge_answer(thread, wait);
  end_wait(wait);
}

void lock_wait_in_vain(Thread& thread, const LockWait& wait, int64_t now_ns) {
  end_wait(wait);
  lock_wait_over(thread, wait.before, now_ns);
}

void lock_left(Thread& thread, Lock& lock, int64_t now_ns) {
  thread.book(now_ns);
  leave_clocks(thread, lock);
}

void attempt_failed(Lock& lock, LockPolling* polls) {
  const bool again = polls->since.lock == &lock;
  if (again && !is_answered({.lock = &lock, .number = polls->last})) return;
  const uint64_t before = lock.waits.fetch_add(kAnnouncement);
  polls->last = announcements_in(before + kAnnouncement);
  if (!again) polls->since = {.lock = &lock, .number = polls->last};
}

void attempt_succeeded(Thread& thread, LockPolling* polls, int64_t now_ns) {
  thread.book(now_ns);
  merge_answer(thread, std::exchange(*polls, {}).since);
}

void lock_wait_over(Thread& thread, State before, int64_t now_ns) {
  serialised_wait_over(thread, before, now_ns);
}

void lock_acquire(Thread& thread, Lock* lock, int64_t now_ns) {
  const State outside = state_at_begin(thread);
  OmpThread& omp = omp_of(thread);
  const State before = omp.waits.lasts ? omp.waits.before : outside;
  end_wait(omp.waits);
  omp.waits = lock_wait_begin(thread, lock, now_ns);
  omp.waits.before = before;
  omp.waits.lasts = true;
}

void lock_settle(const Lock& lock) {
  // The last holder is between the release and its report: a few instructions,
  // unless it has lost its core.
  constexpr int kTries = 2000;
  constexpr int kSpins = 1000;
  for (int i = 0; i < kTries; ++i) {
    if (lock.holder.load(std::memory_order_acquire) == 0) return;
    if (i >= kSpins) sched_yield();
  }
}

void lock_acquired(Thread& thread, Lock& lock, int64_t now_ns) {
  OmpThread& omp = omp_of(thread);
  const LockWait wait = std::exchange(omp.waits, {});
  const int64_t took_ns = now_ns - thread.last_event_ns();
  bool waited = wait.lock == &lock && has_waited(took_ns);
  // Without clocks that were left the thread has not waited for another one.
  if (waited && lock.holder.load(std::memory_order_relaxed) == 0) {
    waited = is_answered(wait);
  }
  if (waited) thread.has_waited(released_ns(thread, wait, now_ns));
  serialised_wait_over(thread, state_after(thread, wait), now_ns);
  if (waited) merge_answer(thread, wait);
  end_wait(wait);
  lock.holder.store(lock_name_of(thread), std::memory_order_relaxed);
}

void lock_released(Thread& thread, Lock& lock, int64_t now_ns) {
  thread.book(now_ns);
  // Others have had the lock since, and did not wait for this report.
  if (lock.holder.load(std::memory_order_relaxed) != lock_name_of(thread)) {
    return;
  }
  if (is_awaited(lock)) leave_clocks(thread, lock);
  lock.holder.store(0, std::memory_order_release);
  LockPolling& polled = omp_of(thread).polled;
  if (polled.since.lock == &lock) polled = {};
}

void lock_again(Thread& thread, int64_t now_ns) {
  const LockWait wait = std::exchange(omp_of(thread).waits, {});
  end_wait(wait);
  lock_wait_over(thread, state_after(thread, wait), now_ns);
}

void turn_wait(Thread& thread, int64_t now_ns) {
  lock_acquire(thread, nullptr, now_ns);
}

void turn_begin(Thread& thread, Lock& turns, uint64_t loops, int64_t now_ns) {
  if (turns.loop.load(std::memory_order_relaxed) == loops) {
    thread.has_waited_for(turns.released);
  }
  const LockWait wait = std::exchange(omp_of(thread).waits, {});
  serialised_wait_over(thread, state_after(thread, wait), now_ns);
  if (turns.loop.load(std::memory_order_relaxed) == loops) {
    thread.merge(turns.released);
  }
  turns.holder.store(lock_name_of(thread), std::memory_order_relaxed);
}

void turn_end(Thread& thread, Lock& turns, uint64_t loops, int64_t now_ns) {
  thread.book(now_ns);
  if (turns.holder.load(std::memory_order_relaxed) != lock_name_of(thread)) {
    return;
  }
  turns.loop.store(loops, std::memory_order_relaxed);
  thread.store_to(turns.released);
  turns.holder.store(0, std::memory_order_release);
}

std::atomic<Lock*> g_locks[kLockBuckets];

namespace {

constinit Mutex g_locks_mutex;  // for naming and freeing locks

}  // namespace

Lock* find_lock(uint64_t wait_id) {
  Lock* node = lock_bucket_of(wait_id).load(std::memory_order_acquire);
  while (node != nullptr &&
         node->wait_id.load(std::memory_order_acquire) != wait_id) {
    node = node->next;
  }
  return node;
}

Lock* find_or_add_lock(uint64_t wait_id) {
  if (Lock* const known = find_lock(wait_id)) return known;
  const MutexLock guard(g_locks_mutex);
  if (!guard.held()) return nullptr;
  if (Lock* const known = find_lock(wait_id)) return known;
  std::atomic<Lock*>& bucket = lock_bucket_of(wait_id);
  Lock* node = bucket.load(std::memory_order_relaxed);
  while (node != nullptr &&
         node->wait_id.load(std::memory_order_relaxed) != 0) {
    node = node->next;
  }
  if (node != nullptr) {
    node->wait_id.store(wait_id, std::memory_order_release);
    return node;
  }
  node = new (std::nothrow) Lock;
  if (node == nullptr) return nullptr;
  node->wait_id.store(wait_id, std::memory_order_relaxed);
  node->next = bucket.load(std::memory_order_relaxed);
  bucket.store(node, std::memory_order_release);
  return node;
}

void forget_lock(uint64_t wait_id) {
  const MutexLock guard(g_locks_mutex);
  Lock* const node = guard.held() ? find_lock(wait_id) : nullptr;
  if (node == nullptr) return;
  // Numbers go on, so that an earlier wait counts as answered, without clocks.
  const uint64_t announced =
      announcements_in(node->waits.load(std::memory_order_relaxed));
  node->waits.store(announced * kAnnouncement, std::memory_order_relaxed);
  node->answered.store(static_cast<uint32_t>(announced),
                       std::memory_order_relaxed);
  node->released.reset();
  node->left_ns.store(0, std::memory_order_relaxed);
  node->holder.store(0, std::memory_order_relaxed);
  node->loop.store(0, std::memory_order_relaxed);
  node->made_at.store(nullptr, std::memory_order_relaxed);
  node->wait_id.store(0, std::memory_order_release);
}

}  // namespace poprt
