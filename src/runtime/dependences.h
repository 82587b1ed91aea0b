// What tasks hand on through depend clauses (openmp-edges.md).
//
// A task starts after those of its siblings that were created before it and
// depend on the same address in a way that excludes it.  For each address three
// clocks stand for the three classes of tasks, raised by each task that ends.
// A task merges whole clocks when it starts: one that was created later and is
// in a clock that matters would itself have had to wait for this task.
#ifndef POPRT_RUNTIME_DEPENDENCES_H_
#define POPRT_RUNTIME_DEPENDENCES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/pool.h"
#include "runtime/sync_clock.h"

namespace poprt {

enum class DependenceType : uint8_t {
  kIn,
  kOut,        // out, inout, mutexinoutset
  kInoutset,   // its tasks run side by side
  kAllMemory,  // of everything that the parent's tasks depend on
};

struct Dependence {
  DependenceType type;
  uint64_t address;
};

using ClockPool = Pool<SyncClock>;

// Of one task, or of one `taskwait depend`.
struct TaskEdges {
  std::vector<const SyncClock*> after;  // to merge when it starts
  std::vector<SyncClock*> feeds;        // to raise when it is complete
  void clear() {
    after.clear();
    feeds.clear();
  }
};

// The addresses that the children of one task depend on.  Thread-compatible:
// the thread that executes that task is the only one to use it.  The clocks are
// merged and raised by all.
class DependenceTable {
 public:
  // Finds what a new child comes after; `feeds`: and what comes after it.
  void add(ClockPool& pool, ClockPool::Local& local,
           const std::vector<Dependence>& dependences, bool feeds,
           TaskEdges& edges);

  // Gives all clocks back.  REQUIRES: no other thread uses them.
  void clear(ClockPool& pool, ClockPool::Local& local);

 private:
  // A class that nothing has depended on yet has no clock.
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

#endif  // POPRT_RUNTIME_DEPENDENCES_H_
