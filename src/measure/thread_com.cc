// How a thread begins to keep COM and COMP itself (com_start.h, ComTime).

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {

void Thread::keep_com() {
  if (keeps_com()) return;
  process_.keep_com(timeline().since());
  book<0>(timeline().since());
}

// Completes clocks that are read for the totals: adds the process's values if
// the thread has not taken them over yet, and bounds COM and COMP.
void Thread::settle_com(int slot, ClockSet* clocks) const {
  const ComStart* const start = process_.com_start();
  if (start == nullptr) return;
  const bool had_team = line_.is_primary() ||
                        (kind_ == ThreadKind::kWorker &&
                         !(may_wait(state()) && clocks_.com().in_no_team()));
  if (!keeps_com() && had_team && slot < start->regions) {
    clocks->ns[kGlobalCom] += start->com_ns[slot];
    clocks->ns[kGlobalComp] += start->comp_ns[slot];
  }
  bound_com(clocks);
}

// What counts of the stretch that an event ends at `now_ns`.
ComTail Thread::end_com(int64_t now_ns) {
  const ComStart* const start = process_.com_start();
  const ComTime::End end = clocks_.com().end(
      timeline(), start, line_.is_primary() || kind_ == ThreadKind::kWorker,
      now_ns);
  if (end.takes_over) {
    if (!keeps_com()) clocks_.begin_com();
    if (end.had_team) clocks_.take_over_com(*start, process_.regions());
  }
  return end.tail;
}

}  // namespace poprt
