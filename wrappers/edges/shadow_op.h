// Operations of the tool on shadow communicators.
#ifndef POPRT_WRAPPERS_EDGES_SHADOW_OP_H_
#define POPRT_WRAPPERS_EDGES_SHADOW_OP_H_

#include "clocks/clock_message.h"
#include "measure/events.h"
#include "measure/mpi_waits.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CommInfo;

// One that is under way, with the clocks of one call.
struct ShadowOp {
  CommInfo* comm = nullptr;
  MPI_Request request;
  bool wanted = false;  // the result will be merged here
  bool relays = false;  // others may need this process to pass clocks on
  bool reply = false;   // an answer to a synchronous send, not a collective
  // For a persistent one: it may be under way.  MPICH 4.0 waits for ever for
  // one that was never started.
  bool started = false;
  // When it was looked for in vain, first and last; 0: not yet.
  int64_t first_look_ns = 0;
  int64_t last_look_ns = 0;
  Moment event;   // the event for which a late result is merged
  LateWait wait;  // of the call, if its result is late
  ClockMessage out;
  ClockMessage in;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_SHADOW_OP_H_
