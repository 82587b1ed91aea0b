// Recycles objects that many threads use.
//
// A thread takes objects from a list of its own and returns them there.  Only
// whole batches go through the shared list.  So a thread that creates what
// another one finishes does not allocate for ever and takes no lock each time.
// Memory is freed only with the Pool: an object that was returned may still be
// read.  A thread that cannot have the lock (mutex.h) does without the shared
// list.
#ifndef POPRT_BASE_POOL_H_
#define POPRT_BASE_POOL_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace poprt {

template <class T>
class Pool {
 public:
  // The list of one thread.
  using Local = std::vector<T*>;

  Pool() = default;
  ~Pool() {
    for (Block* block = blocks_; block != nullptr;) {
      delete std::exchange(block, block->next);
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  T* take(Local& local) {
    if (local.empty()) refill(local);
    T* const object = local.back();
    local.pop_back();
    return object;
  }

  void recycle(Local& local, T* object) {
    local.push_back(object);
    if (local.size() >= 2 * kBatch) give_back(local);
  }

 private:
  static constexpr size_t kBatch = 64;
  // How many objects are allocated at a time: large ones, of which few are
  // used, one by one.
  static constexpr size_t kNew =
      std::clamp<size_t>(4096 / sizeof(T), 1, kBatch / 4);

  struct Block {
    T objects[kNew];
    Block* next;
  };

  // Not inlined, as a batch takes stack.
  [[gnu::noinline]] void give_back(Local& local) {
    const MutexLock lock(mutex_);
    if (lock.held()) move_batch(local, kBatch, free_);
  }

  [[gnu::noinline]] void refill(Local& local) {
    local.reserve(2 * kBatch);
    if (!take_batch(local)) add_block(local);
  }

  // False: there is none.
  bool take_batch(Local& local) {
    const MutexLock lock(mutex_);
    if (!lock.held() || free_.empty()) return false;
    move_batch(free_, std::min(free_.size(), kBatch), local);
    return true;
  }

  // No object is in both lists at any time: a handler may interrupt this.
  static void move_batch(Local& from, size_t count, Local& to) {
    T* batch[kBatch];
    std::copy(from.end() - static_cast<ptrdiff_t>(count), from.end(), batch);
    from.resize(from.size() - count);
    to.insert(to.end(), batch, batch + count);
  }

  void add_block(Local& local) {
    Block* const block = new Block();
    for (T& object : block->objects) local.push_back(&object);
    block->next = blocks_.load(std::memory_order_relaxed);
    while (!blocks_.compare_exchange_weak(block->next, block,
                                          std::memory_order_relaxed)) {
    }
  }

  std::atomic<Block*> blocks_{nullptr};
  Mutex mutex_;
  Local free_;  // protected by the mutex
};

}  // namespace poprt

#endif  // POPRT_BASE_POOL_H_
