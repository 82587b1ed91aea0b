#include "devices/cuda/buffers.h"

#include "base/memory.h"

namespace poprt::cuda {
namespace {

template <class Buffer>
void push(std::atomic<Buffer*>& list, Buffer* buffer) {
  buffer->next = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(buffer->next, buffer,
                                     std::memory_order_release,
                                     std::memory_order_relaxed)) {
  }
}

}  // namespace

uint8_t* ActivityBuffers::take() {
  if (Buffer* const used = take_free()) return used->bytes;
  if (made_.fetch_add(1, std::memory_order_relaxed) >= kMost) {
    made_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  auto* const made =
      static_cast<Buffer*>(take_memory(sizeof(Buffer), alignof(Buffer)));
  if (made == nullptr) {
    made_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  return made->bytes;
}

void ActivityBuffers::complete(uint8_t* bytes, size_t valid) {
  auto* const buffer =
      reinterpret_cast<Buffer*>(bytes - offsetof(Buffer, bytes));
  buffer->valid = valid < kBytes ? valid : kBytes;
  waiting_.fetch_add(1, std::memory_order_relaxed);
  push(completed_, buffer);
}

ActivityBuffers::Buffer* ActivityBuffers::take_free() {
  if (is_taking_.exchange(true, std::memory_order_acquire)) return nullptr;
  Buffer* first = free_.load(std::memory_order_acquire);
  while (first != nullptr &&
         !free_.compare_exchange_weak(first, first->next,
                                      std::memory_order_acquire)) {
  }
  is_taking_.store(false, std::memory_order_release);
  return first;
}

void ActivityBuffers::recycle(Buffer* buffer) {
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  push(free_, buffer);
}

ActivityBuffers::Buffer* ActivityBuffers::take_completed() {
  Buffer* latest = completed_.exchange(nullptr, std::memory_order_acquire);
  Buffer* oldest = nullptr;
  while (latest != nullptr) {
    Buffer* const next = std::exchange(latest->next, oldest);
    oldest = std::exchange(latest, next);
  }
  return oldest;
}

}  // namespace poprt::cuda
