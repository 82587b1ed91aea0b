// What both ways of sending clocks need: with messages (message_clocks.cc) and
// with collectives (collective_clocks.cc).
#ifndef POPRT_WRAPPERS_EXCHANGE_TOOLS_H_
#define POPRT_WRAPPERS_EXCHANGE_TOOLS_H_

#include <atomic>
#include <cstdint>

#include "wrappers/state.h"

namespace poprt::mpi {

// Clocks that have come in, to be merged when the call ends.
inline void add_arrived(MpiThread& thread, const ClockMessage& message) {
  merge(thread.arrived, message, ClockMessage::kCapacity);
}

// Every so many messages are timed: how much of the run is the tool's.
class Cost {
 public:
  explicit Cost(MpiThread& thread)
      : thread_(thread), timed_(++thread.messages % Thread::kEachMessage == 0) {
    if (timed_) begin_ = now_ns();
  }
  ~Cost() {
    if (!timed_) return;
    thread_.thread.messages.add(now_ns() - begin_);
  }
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;

 private:
  MpiThread& thread_;
  const bool timed_;
  int64_t begin_ = 0;
};

// Tests a request until it is complete (true) or `patience_ns` are over.
bool complete_within(MPI_Request* request, int64_t patience_ns);

// Operations on the shadow, recycled.  free_op() may end the communicator.
ShadowOp* new_op(MpiThread& thread, CommInfo& comm);
void free_op(MpiThread& thread, ShadowOp* op);
// What could not be waited for belongs to the thread's last event.
void put_off(MpiThread& thread, ShadowOp* op);

// Halves a patience after a wait in vain; a short one becomes none.
void lose_patience(std::atomic<int64_t>& patience_ns);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EXCHANGE_TOOLS_H_
