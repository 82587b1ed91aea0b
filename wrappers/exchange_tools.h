// Used by both ways of sending clocks: messages (message_clocks.cc) and
// collectives (collective_clocks.cc).
#ifndef POPRT_WRAPPERS_EXCHANGE_TOOLS_H_
#define POPRT_WRAPPERS_EXCHANGE_TOOLS_H_

#include <atomic>
#include <cstdint>

#include "measure/due_work.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// The thread's late operations of this call do not count again what it has
// waited.
void shorten_late(MpiThread& thread, int64_t waited_ns);

// Merges the clocks that have arrived, as of the thread's last event.
inline void merge_arrived(MpiThread& thread) {
  const int64_t waited_ns = thread.waits.merge(thread.arrived);
  thread.arrived.count = 0;
  if (!thread.late.empty()) [[unlikely]]
    shorten_late(thread, waited_ns);
}

// The clocks of a partner have not come, or there are none: what the call has
// taken so far is time of which it is not known whether it waited.
void lose_partner(MpiThread& thread);
// Whether a communicator without clocks has other processes. REQUIRES: MPI has
// accepted it.
bool has_others(MPI_Comm comm);
// The partner of a call on a communicator without clocks, which returned
// `code`, is lost if there is one. `thread` may be null.
void lose_partner_on(MpiThread* thread, MPI_Comm comm, int code);

// Adds clocks that have arrived; they are merged when the call ends.
inline void add_arrived(MpiThread& thread, const ClockMessage& message) {
  merge(thread.arrived, message, ClockMessage::kCapacity);
}

// Times one in Thread::kEachMessage clocks that are sent or taken, to estimate
// what that costs.
class Cost {
 public:
  explicit Cost(MpiThread& thread)
      : thread_(thread), timed_(--thread.thread.next_message == 0) {
    if (!timed_) [[likely]]
      return;
    thread.thread.next_message = Thread::kEachMessage;
    begin_ = now_ns();
  }
  ~Cost() {
    if (!timed_) [[likely]]
      return;
    const int64_t now_ns = strict_now_ns();
    thread_.thread.messages.add(now_ns - begin_);
    look_for_due_work(now_ns);
  }
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;

  bool timed() const { return timed_; }

 private:
  MpiThread& thread_;
  const bool timed_;
  int64_t begin_ = 0;
};

// Tests a request until it is complete (true) or `patience_ns` have passed
// (false).
bool complete_within(MPI_Request* request, int64_t patience_ns);

// Objects for shadow operations, recycled. free_op() may free the communicator.
ShadowOp* new_op(MpiThread& thread, CommInfo& comm);
void free_op(MpiThread& thread, ShadowOp* op);
// Leaves an operation for later; its result will be merged for the thread's
// last event (rule R4 of docs/edges.md).
void put_off(MpiThread& thread, ShadowOp* op);

// Halves the patience after a wait without result; below a millisecond it
// becomes 0.
void lose_patience(std::atomic<int64_t>& patience_ns);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EXCHANGE_TOOLS_H_
