// Doacross loops: `ordered depend(source)` and `depend(sink: ...)`.
//
// Thread-safe.  As in tasking.h, nothing here depends on OMPT, and each
// function with a time is an event of `thread`.
#ifndef POPRT_OPENMP_DOACROSS_H_
#define POPRT_OPENMP_DOACROSS_H_

#include <cstdint>

#include "openmp/tasking.h"

namespace poprt {

// An iteration of the loop nest that the construct orders.
class Iteration {
 public:
  // Adds the index of the next inner loop, beginning with the outermost one.
  void add(uint64_t index);

  uint64_t name() const { return name_; }
  uint64_t place() const { return place_; }

 private:
  uint64_t name_ = 0;
  uint64_t place_ = 0;
};

// An iteration among those of all loops.
struct IterationKey {
  uint64_t name;
  uint64_t place;  // where its clocks are
};

// The thread begins such a loop.  Not an event.
void doacross_loop_begin(Thread& thread);
// For the implicit task `task` of the thread.
IterationKey iteration_key(Thread& thread, Task* task,
                           const Iteration& iteration);
// The thread has reached depend(source) of the iteration.
void doacross_source(Thread& thread, const IterationKey& iteration,
                     int64_t now_ns);
// Before the event that the thread has waited for depend(sink) of the
// iteration.  A runtime may report a source after the threads that wait for it
// have gone on, so this waits a bounded time for that report.  False: the
// thread's own last iteration, on which it depends anyway: no event is needed.
bool doacross_settle(Thread& thread, const IterationKey& iteration);
void doacross_sink(Thread& thread, const IterationKey& iteration,
                   int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_OPENMP_DOACROSS_H_
