#include "devices/operation_queue.h"

#include <new>

namespace poprt {

OperationQueue::OperationQueue() : slots_(new (std::nothrow) Slot[kMost]) {
  if (slots_ == nullptr) return;
  for (uint32_t i = 0; i < kMost; ++i) slots_[i].turn = i;
}

bool OperationQueue::add(const Item& item) {
  if (slots_ == nullptr) return false;
  uint32_t number = added_.load(std::memory_order_relaxed);
  for (;;) {
    Slot& slot = slots_[number % kMost];
    const uint32_t turn = slot.turn.load(std::memory_order_acquire);
    if (turn == number) {
      if (added_.compare_exchange_weak(number, number + 1,
                                       std::memory_order_relaxed)) {
        slot.item = item;
        slot.turn.store(number + 1, std::memory_order_release);
        return true;
      }
    } else if (static_cast<int32_t>(turn - number) < 0) {
      return false;  // what was added before is not taken yet
    } else {
      number = added_.load(std::memory_order_relaxed);
    }
  }
}

bool OperationQueue::take(Item* item) {
  if (slots_ == nullptr) return false;
  const uint32_t number = taken_.load(std::memory_order_relaxed);
  Slot& slot = slots_[number % kMost];
  if (slot.turn.load(std::memory_order_acquire) != number + 1) return false;
  *item = slot.item;
  slot.turn.store(number + kMost, std::memory_order_release);
  taken_.store(number + 1, std::memory_order_relaxed);
  return true;
}

}  // namespace poprt
