#include "runtime/sync_clock.h"

namespace poprt {

SyncClock::~SyncClock() {
  for (Block* block = more_.load(); block != nullptr;) {
    Block* const next = block->next.load();
    delete block;
    block = next;
  }
}

const std::atomic<int64_t>* SyncClock::find(int slot) const {
  if (slot < kInline) return first_[slot];
  const Block* block = more_.load(std::memory_order_acquire);
  slot -= kInline;
  for (; block != nullptr && slot >= kBlock; slot -= kBlock) {
    block = block->next.load(std::memory_order_acquire);
  }
  return block == nullptr ? nullptr : block->slots[slot];
}

std::atomic<int64_t>* SyncClock::obtain(int slot) {
  if (slot < kInline) return first_[slot];
  slot -= kInline;
  std::atomic<Block*>* link = &more_;
  for (;;) {
    Block* block = link->load(std::memory_order_acquire);
    if (block == nullptr) {
      Block* const added = new Block;
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

ClockSet SyncClock::get(int slot) const {
  ClockSet clocks;
  const std::atomic<int64_t>* const values = find(slot);
  if (values == nullptr) return clocks;
  for (int i = 0; i < kClocks; ++i) {
    clocks.ns[i] = values[i].load(std::memory_order_relaxed);
  }
  return clocks;
}

void SyncClock::store(int slot, const ClockSet& clocks) {
  std::atomic<int64_t>* const values = obtain(slot);
  for (int i = 0; i < kClocks; ++i) {
    values[i].store(clocks.ns[i], std::memory_order_relaxed);
  }
}

void SyncClock::raise(int slot, const ClockSet& clocks) {
  std::atomic<int64_t>* const values = obtain(slot);
  for (int i = 0; i < kClocks; ++i) raise_shared(values[i], clocks.ns[i]);
}

void SyncClock::raise(const SyncClock& other) {
  const int count = other.size();
  for (int slot = 0; slot < count; ++slot) raise(slot, other.get(slot));
  publish(count);
}

void SyncClock::publish(int size) {
  int seen = size_.load(std::memory_order_relaxed);
  while (seen < size &&
         !size_.compare_exchange_weak(seen, size, std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
}

void SyncClock::reset() {
  const int size = size_.load(std::memory_order_relaxed);
  if (size == 0) return;
  for (int slot = 0; slot < size; ++slot) store(slot, ClockSet{});
  size_.store(0, std::memory_order_relaxed);
}

}  // namespace poprt
