#include "measure/sync_clock.h"

#include <sched.h>
#include <time.h>

#include <new>

#include "base/memory.h"

namespace poprt {

SyncClock::~SyncClock() {
  for (Block* block = more_.load(); block != nullptr;) {
    Block* const next = block->next.load();
    delete block;
    block = next;
  }
}

const std::atomic<int64_t>* SyncClock::find_more(int slot) const {
  const Block* block = more_.load(std::memory_order_acquire);
  for (; block != nullptr && slot >= kBlock; slot -= kBlock) {
    block = block->next.load(std::memory_order_acquire);
  }
  return block == nullptr ? nullptr : block->slots[slot];
}

std::atomic<int64_t>* SyncClock::obtain_more(int slot) {
  std::atomic<Block*>* link = &more_;
  for (;;) {
    Block* block = link->load(std::memory_order_acquire);
    if (block == nullptr) {
      Block* const added = new (std::nothrow) Block;
      if (added == nullptr) {
        // The clocks of these regions are left out here: readers find no place.
        if (slot == 0) attempt_with_memory([] { run_out_of_memory(); });
        static constinit Slot nowhere = {};
        return nowhere;
      }
      if (link->compare_exchange_strong(block, added)) {
        block = added;
      } else {
        delete added;  // another thread was first; `block` is its block
      }
    }
    if (slot < kBlock) return block->slots[slot];
    slot -= kBlock;
    link = &block->next;
  }
}

// Another thread is between a few stores, unless it has lost its core: sleep,
// so that it gets one whatever the priorities are.
void SyncClock::wait() {
  constexpr int kSpins = 200;
  constexpr int kYields = 1000;
  for (int i = 0; raising_.load(std::memory_order_relaxed) ||
                  raising_.exchange(true, std::memory_order_acquire);
       ++i) {
    if (i < kSpins) continue;
    if (i < kYields) {
      sched_yield();
    } else {
      const timespec moment = {0, 20'000};
      nanosleep(&moment, nullptr);
    }
  }
}

void SyncClock::raise(const SyncClock& other) {
  const int count = other.size();
  Raising raising(*this);
  for (int slot = 0; slot < count; ++slot) raising.raise(slot, other.get(slot));
  raising.publish(count);
}

}  // namespace poprt
