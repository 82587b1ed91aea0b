// Recycles objects that many threads use.
//
// A thread takes objects from a list of its own and returns them there.  Only
// whole batches go through the shared list.  So a thread that creates what
// another one finishes does not allocate for ever and takes no lock each time.
// Memory is freed only with the Pool: an object that was returned may still be
// read.
#ifndef POPRT_BASE_POOL_H_
#define POPRT_BASE_POOL_H_

#include <algorithm>
#include <deque>
#include <mutex>
#include <vector>

namespace poprt {

template <class T>
class Pool {
 public:
  // The list of one thread.
  using Local = std::vector<T*>;

  T* take(Local& local) {
    if (local.empty()) refill(local);
    T* const object = local.back();
    local.pop_back();
    return object;
  }

  void recycle(Local& local, T* object) {
    local.push_back(object);
    if (local.size() < 2 * kBatch) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.insert(free_.end(), local.end() - kBatch, local.end());
    local.resize(local.size() - kBatch);
  }

 private:
  static constexpr size_t kBatch = 64;
  // How many objects are allocated at a time: large ones, of which few are
  // used, one by one.
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

#endif  // POPRT_BASE_POOL_H_
