// ActivityBuffers: the memory in which CUPTI writes its records.
//
// A buffer is CUPTI's from take() to complete(), which any thread may call,
// also CUPTI's own and several at a time: neither takes a lock.  Then it waits
// until harvest() has read it, and is used again.  What CUPTI has not given
// back when the process ends is never freed.
//
// From the tool's own memory, at most kMost buffers.
#ifndef POPRT_DEVICES_CUDA_BUFFERS_H_
#define POPRT_DEVICES_CUDA_BUFFERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace poprt::cuda {

class ActivityBuffers {
 public:
  static constexpr size_t kBytes = size_t{64} << 10;  // 300 kernels
  static constexpr int kMost = 1024;

  ActivityBuffers() = default;
  ActivityBuffers(const ActivityBuffers&) = delete;
  ActivityBuffers& operator=(const ActivityBuffers&) = delete;

  // Null: there is no memory, or there are too many.
  uint8_t* take();
  // The first `valid` bytes are records.
  void complete(uint8_t* bytes, size_t valid);
  // How many wait to be read, at least.
  int waiting() const { return waiting_.load(std::memory_order_relaxed); }

  // Calls `read(bytes, valid)` for each that is complete, in the order in which
  // they were.  False: another thread does so just now.
  template <class Read>
  bool harvest(Read read) {
    if (is_harvesting_.exchange(true, std::memory_order_acquire)) return false;
    for (Buffer* at = take_completed(); at != nullptr;) {
      Buffer* const buffer = at;
      at = buffer->next;
      read(buffer->bytes, buffer->valid);
      recycle(buffer);
    }
    is_harvesting_.store(false, std::memory_order_release);
    return true;
  }

 private:
  struct Buffer {
    Buffer* next;
    size_t valid;
    alignas(64) uint8_t bytes[kBytes];
  };
  // Null: there is none, or another thread takes one just now.
  Buffer* take_free();
  void recycle(Buffer* buffer);
  // All that are complete, the oldest first.
  Buffer* take_completed();

  std::atomic<Buffer*> completed_{nullptr};  // the latest first
  std::atomic<Buffer*> free_{nullptr};
  // Only one thread at a time takes from the list, so that the buffer behind
  // its first one stays the same meanwhile.
  std::atomic<bool> is_taking_{false};
  std::atomic<int> waiting_{0};
  std::atomic<int> made_{0};
  std::atomic<bool> is_harvesting_{false};
};

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_BUFFERS_H_
