// Doacross loops: `ordered depend(source)` and `depend(sink: ...)`.
//
// Thread-safe.  Like tasking.h: no OMPT here, and each function with a time is
// an event of `thread`.
#ifndef POPRT_RUNTIME_DOACROSS_H_
#define POPRT_RUNTIME_DOACROSS_H_

#include <cstdint>

#include "runtime/tasking.h"

namespace poprt {

// An iteration of the loops that the construct orders.
class Iteration {
 public:
  // Outermost loop first.
  void add(uint64_t index);

  uint64_t name() const { return name_; }
  uint64_t place() const { return place_; }

 private:
  uint64_t name_ = 0;
  uint64_t place_ = 0;
};

// The thread begins such a loop; not an event.
void doacross_loop_begin(Thread& thread);
// `task`, an implicit one, has finished what the iteration's successors wait
// for.
void doacross_source(Thread& thread, Task* task, const Iteration& iteration,
                     int64_t now_ns);
// It has waited for the iteration.  A runtime reports a source after those who
// wait for it go on: before the event, doacross_settle() lets that be reported,
// for a bounded time.
void doacross_settle(Thread& thread, Task* task, const Iteration& iteration);
void doacross_sink(Thread& thread, Task* task, const Iteration& iteration,
                   int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_RUNTIME_DOACROSS_H_
