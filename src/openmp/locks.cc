#include "openmp/locks.h"

#include <sched.h>

#include <new>

#include "base/mutex.h"
#include "openmp/tasking_objects.h"

namespace poprt {
namespace {

void set_owner(const Thread& thread, Lock& lock) {
  lock.owner.store(lock_name_of(thread), std::memory_order_relaxed);
  lock.again.store(0, std::memory_order_relaxed);
}

}  // namespace

void lock_wait(Thread& thread, int64_t now_ns) {
  thread.switch_to(State::kOmp, now_ns);
}

void lock_wait_over(Thread& thread, int64_t now_ns) {
  serialised_wait_over(thread, State::kUseful, now_ns);
}

void lock_settle(Lock& lock) {
  // The last holder is between the release and its report: a few instructions,
  // unless it has lost its core.
  constexpr int kTries = 2000;
  constexpr int kSpins = 1000;
  int32_t holder = 0;
  for (int i = 0; i < kTries; ++i) {
    holder = lock.holder.load(std::memory_order_acquire);
    if (holder == 0) return;
    if (i >= kSpins) sched_yield();
  }
  lock.overtaken.store(holder, std::memory_order_relaxed);
}

void lock_acquired(Thread& thread, Lock& lock, int64_t now_ns) {
  const int32_t own = lock_name_of(thread);
  // This thread has released the lock before and has not reported it yet.
  if (lock.overtaken.load(std::memory_order_relaxed) == own) {
    lock.overtaken.store(0, std::memory_order_relaxed);
  }
  lock.holder.store(own, std::memory_order_relaxed);
  serialised_wait_over(thread, State::kUseful, now_ns);
  // The thread's own clocks have nothing new for it.
  if (lock.owner.load(std::memory_order_relaxed) == own) return;
  set_owner(thread, lock);
  thread.merge(lock.released);
}

void lock_released(Thread& thread, Lock& lock, int64_t now_ns) {
  thread.book(now_ns);
  if (lock.overtaken.load(std::memory_order_relaxed) == lock_name_of(thread)) {
    // Other threads have had the lock since, and the present holder will
    // replace these clocks.
    lock.overtaken.store(0, std::memory_order_relaxed);
    if (lock.holder.load(std::memory_order_acquire) == 0) {
      thread.raise_to(lock.released);
      // its clocks are new to all threads
      lock.owner.store(0, std::memory_order_relaxed);
    }
    return;
  }
  thread.store_to(lock.released);
  lock.holder.store(0, std::memory_order_release);
}

void lock_taken(Thread& thread, Lock& lock, int64_t now_ns) {
  thread.book(now_ns);
  set_owner(thread, lock);
  thread.merge(lock.released);
}

void lock_wait_begin(Thread& thread, Lock& lock, int64_t now_ns) {
  lock.waiting.fetch_add(1, std::memory_order_relaxed);
  thread.switch_to(State::kOmp, now_ns);
}

void lock_wait_end(Thread& thread, Lock& lock, int64_t now_ns) {
  lock.waiting.fetch_sub(1, std::memory_order_relaxed);
  serialised_wait_over(thread, State::kUseful, now_ns);
  set_owner(thread, lock);
  thread.merge(lock.released);
}

void lock_handed_on(Thread& thread, Lock& lock, int64_t now_ns) {
  thread.book(now_ns);
  lock.owner.store(lock_name_of(thread), std::memory_order_relaxed);
  thread.store_to(lock.released);
}

std::atomic<Lock*> g_locks[kLockBuckets];

namespace {

constinit Mutex g_locks_mutex;  // for naming and freeing locks

Lock* find_lock(uint64_t wait_id) {
  Lock* node = lock_bucket_of(wait_id).load(std::memory_order_acquire);
  while (node != nullptr &&
         node->wait_id.load(std::memory_order_acquire) != wait_id) {
    node = node->next;
  }
  return node;
}

}  // namespace

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
  node->released.reset();
  for (std::atomic<int32_t>* word :
       {&node->holder, &node->overtaken, &node->owner, &node->waiting}) {
    word->store(0, std::memory_order_relaxed);
  }
  node->again.store(0, std::memory_order_relaxed);
  node->made_at.store(nullptr, std::memory_order_relaxed);
  node->wait_id.store(0, std::memory_order_release);
}

}  // namespace poprt
