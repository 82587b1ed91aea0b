// OperationQueue: operations that threads of a device's library hand over to
// whoever follows the device.
//
// Any thread may add, at any time, and waits for nobody.  One thread at a time
// takes.  The queue is bounded: who cannot add has to help, or counts.
//
// Takes memory that the process can do without, 256 KiB.
#ifndef POPRT_DEVICES_OPERATION_QUEUE_H_
#define POPRT_DEVICES_OPERATION_QUEUE_H_

#include <atomic>
#include <cstdint>

#include "base/cache_line.h"
#include "devices/operation.h"

namespace poprt {

class OperationQueue {
 public:
  static constexpr uint32_t kMost = 4096;

  struct Item {
    int device = 0;
    Operation operation;
    int64_t heard_ns = 0;  // when it was added
  };

  OperationQueue();
  ~OperationQueue() { delete[] slots_; }
  OperationQueue(const OperationQueue&) = delete;
  OperationQueue& operator=(const OperationQueue&) = delete;

  // False: there is no room.
  bool add(const Item& item);
  // False: there is none, or the next one is being added.  Items of one thread
  // come in order.
  bool take(Item* item);
  // As it was a moment ago.
  uint32_t count() const {
    return added_.load(std::memory_order_relaxed) -
           taken_.load(std::memory_order_relaxed);
  }

 private:
  // `turn` is the number of the item that may be added to the slot next, or one
  // more when it is there.
  struct Slot {
    std::atomic<uint32_t> turn;
    Item item;
  };

  Slot* slots_;
  alignas(kCacheLine) std::atomic<uint32_t> added_{0};
  alignas(kCacheLine) std::atomic<uint32_t> taken_{0};
};

}  // namespace poprt

#endif  // POPRT_DEVICES_OPERATION_QUEUE_H_
