// Used by both ways of sending clocks: messages (message_clocks.cc) and
// collectives (collective_clocks.cc).
#ifndef POPRT_WRAPPERS_EDGES_EXCHANGE_TOOLS_H_
#define POPRT_WRAPPERS_EDGES_EXCHANGE_TOOLS_H_

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
  const int64_t waited_ns = thread.waits.merge(thread.edges.arrived);
  thread.edges.arrived.count = 0;
  if (!thread.edges.late.empty()) [[unlikely]]
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
  if (&message != &thread.edges.arrived) {
    merge(thread.edges.arrived, message, ClockMessage::kCapacity);
  }
}

// Where clocks are to be put that arrive: directly at their destination, if
// nothing else has arrived in this call. add_arrived() has to follow.
inline ClockMessage& place_for_arrival(MpiThread& thread) {
  return thread.edges.arrived.count == 0 ? thread.edges.arrived
                                         : thread.edges.scratch;
}

// How far the longest path is in this message; less than any time if it is not
// there.
inline int64_t latest_of(const ClockMessage& message) {
  for (int i = 0; i < message.count; ++i) {
    if (message.entries[i].region == kGlobalKey) {
      return message.entries[i].all_ns;
    }
  }
  return INT64_MIN;
}

// The work of sending or taking clocks.  Some of it is timed (turns.h), to
// estimate what that costs.  Where calls are told apart (sited_call.h), each
// of them goes the same rare way, to note whose clocks are the latest.
class Cost {
 public:
  static constexpr int64_t kNotTimed = -1;
  explicit Cost(MpiThread& thread)
      : thread_(thread), is_rare_(thread.thread.cost.messages.turns.take()) {
    if (is_rare_) [[unlikely]]
      begin(nullptr, -1, nullptr, nullptr);
  }
  // Clocks of `source` are taken.
  Cost(MpiThread& thread, CommInfo& comm, int source)
      : thread_(thread), is_rare_(thread.thread.cost.messages.turns.take()) {
    if (is_rare_) [[unlikely]]
      begin(&comm, source, nullptr, nullptr);
  }
  // A reduction, whose result tells whose clocks are the latest.  Either may be
  // null.
  Cost(MpiThread& thread, CommInfo& comm, ClockMessage* sent,
       const ClockMessage* result)
      : thread_(thread), is_rare_(thread.thread.cost.messages.turns.take()) {
    if (is_rare_) [[unlikely]]
      begin(&comm, -1, sent, result);
  }
  ~Cost() {
    if (is_rare_) [[unlikely]]
      end();
  }
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;

  bool is_rare() const { return is_rare_; }
  // What is between these is the program's own call, and no cost.
  int64_t call_begins() const {
    return is_rare_ && is_timed_ ? now_ns() : kNotTimed;
  }
  void call_ended(int64_t begin_ns) {
    if (begin_ns != kNotTimed) begin_ += now_ns() - begin_ns;
  }
  // If it is rare: the clocks of the source have been taken.
  void note() const { note(source_); }
  void note(int source) const;
  // Merges them now rather than at the end of the call if they are timed, so
  // that merging is in the time that is taken.
  void note_and_merge() const;

 private:
  void begin(CommInfo* comm, int source, ClockMessage* sent,
             const ClockMessage* result);
  void end();

  MpiThread& thread_;
  const bool is_rare_;
  // Set only if it is rare.
  bool is_timed_;
  int64_t begin_;
  int64_t rare_ns_;
  CommInfo* comm_;
  int source_;
  const ClockMessage* result_;
};

// Tests a request until it is complete (true) or `patience_ns` have passed
// (false).
bool complete_within(MPI_Request* request, int64_t patience_ns);
// A wait for clocks that did not come is the tool's own time.
void count_vain_wait(int64_t begin_ns);

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

#endif  // POPRT_WRAPPERS_EDGES_EXCHANGE_TOOLS_H_
