// How clocks travel along depend clauses (docs/edges.md).
//
// A task starts after those siblings that were created before it and depend on
// the same address in a conflicting way.  For each address there are three
// clocks, one for each class of dependence.  A task that ends raises the clock
// of its class; a task that starts merges the clocks of the conflicting
// classes.  A merge never takes too much: a task that was created later, and
// has raised one of these clocks, has itself waited for this task.
#ifndef POPRT_OPENMP_DEPENDENCES_H_
#define POPRT_OPENMP_DEPENDENCES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/pool.h"
#include "clocks/sync_clock.h"

namespace poprt {

enum class DependenceType : uint8_t {
  kIn,
  kOut,        // out, inout, mutexinoutset
  kInoutset,   // tasks of this class may run at the same time
  kAllMemory,  // of everything that tasks of the parent depend on
};

struct Dependence {
  DependenceType type;
  uint64_t address;
};

using ClockPool = Pool<SyncClock>;

// The clocks of one task, or of one `taskwait depend`.
struct TaskEdges {
  std::vector<const SyncClock*> after;  // clocks to merge when it starts
  std::vector<SyncClock*> feeds;        // clocks to raise when it is complete
  void clear() {
    after.clear();
    feeds.clear();
  }
};

// The addresses that the children of one task depend on.  Only the thread that
// executes this task uses the table; all threads merge and raise its clocks.
class DependenceTable {
 public:
  // Finds the clocks that a new child must merge, and if `feeds`, those it must
  // raise.
  void add(ClockPool& pool, ClockPool::Local& local,
           const std::vector<Dependence>& dependences, bool feeds,
           TaskEdges& edges);

  // Gives all clocks back to the pool.  REQUIRES: no other thread uses them.
  void clear(ClockPool& pool, ClockPool::Local& local);

 private:
  // A clock is null until a task of its class has depended on the address.
  struct Entry {
    uint64_t address = 0;
    bool used = false;
    SyncClock* in = nullptr;
    SyncClock* out = nullptr;
    SyncClock* inoutset = nullptr;
  };

  Entry& find(uint64_t address);
  void grow();

  std::vector<Entry> entries_;  // open addressing; a power of two
  size_t used_ = 0;
  SyncClock* all_memory_ = nullptr;
};

}  // namespace poprt

#endif  // POPRT_OPENMP_DEPENDENCES_H_
