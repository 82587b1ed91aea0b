// The parallel regions and task constructs of the program, by their place in
// the code, and what each thread did in them.
#ifndef POPRT_OPENMP_CONSTRUCTS_H_
#define POPRT_OPENMP_CONSTRUCTS_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/cell.h"
#include "openmp/loss_parts.h"

namespace poprt {

enum class ConstructKind : uint8_t { kParallel, kTask };

// One thread's account of one construct.  Written by this thread only, read at
// the end.
struct ConstructAccount {
  Cell visits;     // instances; for tasks: those that the thread finished
  Cell time_ns;    // of parallel regions that the primary thread encountered
  Cell idle_ns;    // the part of that in which all threads were idle
  Cell useful_ns;  // useful time of this thread in its instances
  // The rest is for parallel regions only.
  Cell mpi_ns;  // MPI time likewise
  Cell accelerator_ns;
  // By LossSource (loss_parts.h): what is booked for threads of the team; and
  // what one thread loses that is in no team.
  Cell losses_ns[kLossSources];
  Cell lacking_ns[kLossSources];
};

// How many constructs are kept apart.  Number 0 is the sum of all further ones.
inline constexpr int kMaxConstructs = 1024;

// The number of the construct with this return address, while this set of
// regions is open (RegionSets).  Thread-safe; takes a lock the first time.
int construct_number(ConstructKind kind, const void* code, int regions = 0);

struct Construct {
  ConstructKind kind = ConstructKind::kParallel;
  const void* code = nullptr;  // null for number 0
  int regions = 0;             // of parallel regions
};
// The constructs by number.  Thread-safe.
std::vector<Construct> all_constructs();

// The accounts of one thread.  Made on first use and never freed.
class ConstructAccounts {
 public:
  ConstructAccounts() = default;
  ~ConstructAccounts();
  ConstructAccounts(const ConstructAccounts&) = delete;
  ConstructAccounts& operator=(const ConstructAccounts&) = delete;

  // For its own thread.
  ConstructAccount& at(int number) {
    const auto n = static_cast<unsigned>(number);  // divides by shifting
    Block* const block = blocks_[n / kBlock].load(std::memory_order_relaxed);
    return block != nullptr ? block->accounts[n % kBlock] : add_block(n);
  }
  const ConstructAccount* find(int number) const;  // for any thread
  // Sets all to zero.  What the thread adds at the same time may be lost.
  void reset();

 private:
  static constexpr unsigned kBlock = 16;
  struct Block {
    ConstructAccount accounts[kBlock];
  };
  ConstructAccount& add_block(unsigned number);
  std::atomic<Block*> blocks_[kMaxConstructs / kBlock] = {};
};

}  // namespace poprt

#endif  // POPRT_OPENMP_CONSTRUCTS_H_
