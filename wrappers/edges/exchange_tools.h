// Used by both ways of sending clocks: messages (message_clocks.cc) and
// collectives (collective_clocks.cc).
#ifndef POPRT_WRAPPERS_EDGES_EXCHANGE_TOOLS_H_
#define POPRT_WRAPPERS_EDGES_EXCHANGE_TOOLS_H_

#include <atomic>
#include <cstdint>

#include "measure/due_work.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// The call has waited `waited_ns`, which its operations that are late do not
// count once more.
void shorten_late(MpiThread& thread, int64_t waited_ns);

// Merges the clocks that have arrived, as of the thread's last event.
inline void merge_arrived(MpiThread& thread) {
  const int64_t waited_ns = thread.waits.merge(thread.edges.arrived);
  thread.edges.arrived.count = 0;
  if (!thread.edges.late.empty()) [[unlikely]]
    shorten_late(thread, waited_ns);
}

// The clocks of a partner have not come, or the partner sends none.  So it is
// not known whether the call has waited until now.
void lose_partner(MpiThread& thread);
// Whether a communicator without clocks has other processes. REQUIRES: MPI has
// accepted it.
bool has_others(MPI_Comm comm);
// As lose_partner() for a call on a communicator without clocks, if that has
// other processes and the call has succeeded. `thread` may be null.
void lose_partner_on(MpiThread* thread, MPI_Comm comm, int code);

// Adds clocks that have arrived; they are merged when the call ends.
inline void add_arrived(MpiThread& thread, const ClockMessage& message) {
  if (&message != &thread.edges.arrived) {
    merge(thread.edges.arrived, message, ClockMessage::kCapacity);
  }
}

// Where to put clocks that arrive before add_arrived(): at their destination,
// if these are the first ones of the call.
inline ClockMessage& place_for_arrival(MpiThread& thread) {
  return thread.edges.arrived.count == 0 ? thread.edges.arrived
                                         : thread.edges.scratch;
}

// ALL of Global in the message; less than any time if the message lacks Global.
inline int64_t latest_of(const ClockMessage& message) {
  for (int i = 0; i < message.count; ++i) {
    if (message.entries[i].region == kGlobalKey) {
      return message.entries[i].all_ns;
    }
  }
  return INT64_MIN;
}

// Exists while the tool sends or takes clocks.  Some of that work is timed
// (turns.h), to estimate its cost.  With call sites (sited_call.h) the object
// also notes whose clocks are the latest.  Rare: one of the two is to be done.
class Cost {
 public:
  static constexpr int64_t kNotTimed = -1;
  explicit Cost(MpiThread& thread)
      : thread_(thread), is_rare_(thread.thread.cost.messages.turns.take()) {
    if (is_rare_) [[unlikely]]
      begin(nullptr, -1, nullptr, nullptr);
  }
  // For taking clocks of `source`.
  Cost(MpiThread& thread, CommInfo& comm, int source)
      : thread_(thread), is_rare_(thread.thread.cost.messages.turns.take()) {
    if (is_rare_) [[unlikely]]
      begin(&comm, source, nullptr, nullptr);
  }
  // For a reduction, whose result tells whose clocks are the latest.  `sent`
  // and `result` may be null.
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
  // Between these two is the program's own call, which is no cost.
  int64_t call_begins() const {
    return is_rare_ && is_timed_ ? now_ns() : kNotTimed;
  }
  void call_ended(int64_t begin_ns) {
    if (begin_ns != kNotTimed) begin_ += now_ns() - begin_ns;
  }
  // The clocks of the source have been taken.  REQUIRES: is_rare().
  void note() const { note(source_); }
  void note(int source) const;
  // note(), and merges the clocks if the work is timed, so that the time of the
  // merge is in the cost.
  void note_and_merge() const;

 private:
  void begin(CommInfo* comm, int source, ClockMessage* sent,
             const ClockMessage* result);
  void end();

  MpiThread& thread_;
  const bool is_rare_;
  // Set only if is_rare_.
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
// Leaves an operation for later.  Its result will be merged as of the thread's
// last event (rule R4 of docs/edges.md).
void put_off(MpiThread& thread, ShadowOp* op);

// Halves the patience after a wait without result; below a millisecond it
// becomes 0.
void lose_patience(std::atomic<int64_t>& patience_ns);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_EXCHANGE_TOOLS_H_
