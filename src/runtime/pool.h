// Objects that are used again and again by many threads.
//
// A thread takes from and gives to a list of its own; only whole batches go
// through the shared list, so that a thread that creates what another one
// finishes neither allocates for ever nor takes a lock each time.  Memory
// goes back to the system with the Pool only: a late touch of a finished
// object is never a touch of freed memory.
#ifndef POPRT_RUNTIME_POOL_H_
#define POPRT_RUNTIME_POOL_H_

#include <algorithm>
#include <deque>
#include <mutex>
#include <vector>

namespace poprt {

template <class T>
class Pool {
 public:
  // One thread's part.
  using Local = std::vector<T*>;

  T* take(Local& local) {
    if (local.empty()) refill(local);
    T* const object = local.back();
    local.pop_back();
    return object;
  }

  void give(Local& local, T* object) {
    local.push_back(object);
    if (local.size() < 2 * kBatch) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.insert(free_.end(), local.end() - kBatch, local.end());
    local.resize(local.size() - kBatch);
  }

 private:
  static constexpr size_t kBatch = 64;
  // Large objects, of which few are used, are made one by one.
  static constexpr size_t kNew =
      std::clamp<size_t>(4096 / sizeof(T), 1, kBatch / 4);

  void refill(Local& local) {
    local.reserve(2 * kBatch);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
      for (size_t i = 0; i < kNew; ++i) local.push_back(&all_.emplace_back());
      return;
    }
    const size_t count = free_.size() < kBatch ? free_.size() : kBatch;
    local.insert(local.end(), free_.end() - static_cast<long>(count),
                 free_.end());
    free_.resize(free_.size() - count);
  }

  std::mutex mutex_;
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_POOL_H_
