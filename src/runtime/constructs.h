// What each parallel region and each task construct of the program did, by its
// place in the code.
#ifndef POPRT_RUNTIME_CONSTRUCTS_H_
#define POPRT_RUNTIME_CONSTRUCTS_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "runtime/cell.h"

namespace poprt {

enum class ConstructKind : uint8_t { kParallel, kTask };

// What one thread knows of one construct.  The thread is the only writer; who
// reports reads it at the end.
struct ConstructAccount {
  Cell visits;     // instances; of a task: those it has finished
  Cell time_ns;    // of parallel regions that the primary thread encountered
  Cell idle_ns;    // the part of it in which all threads were idle
  Cell useful_ns;  // of this thread, in its instances
  Cell mpi_ns;     // likewise; parallel regions only
};

// All constructs, by number.  0 stands for those that are too many.
inline constexpr int kMaxConstructs = 1024;

// The number of the construct with this return address.  Thread-safe; takes a
// lock when it sees one for the first time.
int construct_number(ConstructKind kind, const void* code);

struct Construct {
  ConstructKind kind = ConstructKind::kParallel;
  const void* code = nullptr;  // null: number 0
};
// By number.  Thread-safe.
std::vector<Construct> all_constructs();

// The accounts of one thread: made on first use, kept for good.
class ConstructAccounts {
 public:
  ConstructAccounts() = default;
  ~ConstructAccounts();
  ConstructAccounts(const ConstructAccounts&) = delete;
  ConstructAccounts& operator=(const ConstructAccounts&) = delete;

  ConstructAccount& at(int number);                // its thread
  const ConstructAccount* find(int number) const;  // anybody
  // All to zero; what the thread adds meanwhile may be lost.
  void reset();

 private:
  static constexpr int kBlock = 16;
  struct Block {
    ConstructAccount accounts[kBlock];
  };
  std::atomic<Block*> blocks_[kMaxConstructs / kBlock] = {};
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_CONSTRUCTS_H_
