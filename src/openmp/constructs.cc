#include "openmp/constructs.h"

#include "base/mutex.h"

namespace poprt {
namespace {

// Open addressing.  A place is written once, under the mutex, the key last.
struct Place {
  std::atomic<uintptr_t> key{0};
  int number = 0;
};
constexpr size_t kPlaces = 4 * kMaxConstructs;
Place g_places[kPlaces];

constinit Mutex g_mutex;
Construct g_constructs[kMaxConstructs];  // written under the mutex
int g_count = 1;                         // likewise

// Return addresses have at most 47 bits, sets of regions 9.
uintptr_t key_of(ConstructKind kind, const void* code, int regions) {
  return (reinterpret_cast<uintptr_t>(code) * 2 +
          static_cast<uintptr_t>(kind == ConstructKind::kTask)) ^
         static_cast<uintptr_t>(regions) << 50;
}

// The place of `key`, or the free place for it.
Place& place_of(uintptr_t key) {
  size_t i = (key * 0x9E3779B97F4A7C15u) >> 40;
  for (;; ++i) {
    Place& place = g_places[i % kPlaces];
    const uintptr_t found = place.key.load(std::memory_order_acquire);
    if (found == key || found == 0) return place;
  }
}

}  // namespace

int construct_number(ConstructKind kind, const void* code, int regions) {
  const uintptr_t key = key_of(kind, code, regions);
  if (code == nullptr) return 0;
  {
    const Place& place = place_of(key);
    if (place.key.load(std::memory_order_acquire) == key) return place.number;
  }
  const MutexLock lock(g_mutex);
  if (!lock.held()) return 0;
  Place& place = place_of(key);
  if (place.key.load(std::memory_order_relaxed) == key) return place.number;
  if (g_count == kMaxConstructs) return 0;
  g_constructs[g_count] = {kind, code, regions};
  place.number = g_count++;
  place.key.store(key, std::memory_order_release);
  return place.number;
}

std::vector<Construct> all_constructs() {
  const MutexLock lock(g_mutex);  // even without the lock: entries never change
  return {g_constructs, g_constructs + g_count};
}

ConstructAccounts::~ConstructAccounts() {
  for (std::atomic<Block*>& block : blocks_) delete block.load();
}

ConstructAccount& ConstructAccounts::add_block(unsigned number) {
  Block* const block = new Block;
  blocks_[number / kBlock].store(block, std::memory_order_release);
  return block->accounts[number % kBlock];
}

const ConstructAccount* ConstructAccounts::find(int number) const {
  const auto n = static_cast<unsigned>(number);
  const Block* const block =
      blocks_[n / kBlock].load(std::memory_order_acquire);
  return block == nullptr ? nullptr : &block->accounts[n % kBlock];
}

void ConstructAccounts::reset() {
  for (std::atomic<Block*>& place : blocks_) {
    Block* const block = place.load(std::memory_order_acquire);
    if (block == nullptr) continue;
    for (ConstructAccount& account : block->accounts) {
      for (Cell* cell :
           {&account.visits, &account.time_ns, &account.idle_ns,
            &account.useful_ns, &account.mpi_ns, &account.accelerator_ns}) {
        cell->set(0);
      }
      for (int i = 0; i < kLossSources; ++i) {
        account.losses_ns[i].set(0);
        account.lacking_ns[i].set(0);
      }
    }
  }
}

}  // namespace poprt
