#include "wrappers/calls/scope.h"

#include "wrappers/edges/exchange_tools.h"
#include "wrappers/requests/requests.h"

namespace poprt::mpi {

void leave_with_clocks(MpiThread& mpi) {
  Thread& thread = mpi.thread;
  const int64_t now = now_ns();
  thread.book<0>(now);
  const int regions = mpi.edges.arrived.count;
  merge_arrived(mpi);
  // How long a merge takes is known well enough, and another time stamp would
  // take longer.
  const bool is_known = regions <= kFewRegions && thread.is_quiet();
  thread.end_stretch(mpi.call.before,
                     is_known ? now + regions * g_merge_ns : now_ns());
}

void forget_call(MpiThread& thread) {
  end_claims(thread.requests.claims);
  thread.edges.arrived.count = 0;
  ++thread.thread.forgotten_arrivals;
  thread.thread.stop_timing(State::kMpi);
}

}  // namespace poprt::mpi
