#include "runtime/locks.h"

#include <sched.h>

#include <mutex>

namespace poprt {
namespace {

int32_t name_of(const Thread& thread) {
  return static_cast<int32_t>(thread.number()) + 1;
}

}  // namespace

void lock_wait(Thread& thread, int64_t now_ns) {
  thread.switch_to(State::kOmp, now_ns);
}

void lock_wait_over(Thread& thread, int64_t now_ns) {
  thread.switch_to(State::kUseful, now_ns);
}

void lock_settle(Lock& lock) {
  // The releaser is between the release and its report: a few instructions,
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
  const int32_t own = name_of(thread);
  // It has released the lock before, and never said so.
  if (lock.overtaken.load(std::memory_order_relaxed) == own) {
    lock.overtaken.store(0, std::memory_order_relaxed);
  }
  lock.holder.store(own, std::memory_order_relaxed);
  thread.switch_to(State::kUseful, now_ns);
  thread.merge(lock.released);
}

void lock_released(Thread& thread, Lock& lock, int64_t now_ns) {
  thread.book(now_ns);
  if (lock.overtaken.load(std::memory_order_relaxed) == name_of(thread)) {
    // Others have had the lock since.  Who has it now replaces these clocks.
    lock.overtaken.store(0, std::memory_order_relaxed);
    if (lock.holder.load(std::memory_order_acquire) == 0) {
      thread.raise_to(lock.released);
    }
    return;
  }
  thread.store_to(lock.released);
  lock.holder.store(0, std::memory_order_release);
}

namespace {

// The locks by name: lists that only grow, read without a lock.
struct LockNode {
  std::atomic<uint64_t> wait_id{0};  // 0: free, for the next lock of the list
  Lock lock;
  LockNode* next = nullptr;
};
constexpr int kBucketBits = 12;
std::atomic<LockNode*> g_locks[1 << kBucketBits];
std::mutex g_locks_mutex;  // to name and to free a node

std::atomic<LockNode*>& bucket_of(uint64_t wait_id) {
  return g_locks[(wait_id * 0x9E3779B97F4A7C15u) >> (64 - kBucketBits)];
}

LockNode* find_lock(uint64_t wait_id) {
  LockNode* node = bucket_of(wait_id).load(std::memory_order_acquire);
  while (node != nullptr &&
         node->wait_id.load(std::memory_order_acquire) != wait_id) {
    node = node->next;
  }
  return node;
}

}  // namespace

Lock& lock_of(uint64_t wait_id) {
  if (LockNode* const known = find_lock(wait_id)) return known->lock;
  const std::lock_guard<std::mutex> guard(g_locks_mutex);
  LockNode* node = find_lock(wait_id);
  if (node == nullptr) {
    std::atomic<LockNode*>& bucket = bucket_of(wait_id);
    node = bucket.load(std::memory_order_relaxed);
    while (node != nullptr &&
           node->wait_id.load(std::memory_order_relaxed) != 0) {
      node = node->next;
    }
    if (node != nullptr) {
      node->wait_id.store(wait_id, std::memory_order_release);
    } else {
      node = new LockNode;
      node->wait_id.store(wait_id, std::memory_order_relaxed);
      node->next = bucket.load(std::memory_order_relaxed);
      bucket.store(node, std::memory_order_release);
    }
  }
  return node->lock;
}

void forget_lock(uint64_t wait_id) {
  const std::lock_guard<std::mutex> guard(g_locks_mutex);
  LockNode* const node = find_lock(wait_id);
  if (node == nullptr) return;
  node->lock.released.reset();
  node->lock.holder.store(0, std::memory_order_relaxed);
  node->lock.overtaken.store(0, std::memory_order_relaxed);
  node->wait_id.store(0, std::memory_order_release);
}

}  // namespace poprt
