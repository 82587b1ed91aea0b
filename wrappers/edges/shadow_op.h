// Operations of the tool on shadow communicators.
#ifndef POPRT_WRAPPERS_EDGES_SHADOW_OP_H_
#define POPRT_WRAPPERS_EDGES_SHADOW_OP_H_

#include "clocks/clock_message.h"
#include "measure/events.h"
#include "measure/mpi_waits.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CommInfo;

// An operation that is under way, with the clocks of one call.
struct ShadowOp {
  CommInfo* comm = nullptr;
  MPI_Request request;
  bool wanted = false;  // this process will merge the result
  bool relays = false;  // others may need this process to pass clocks on
  bool reply = false;   // an answer to a synchronous send, not a collective
  // A persistent operation was started.  MPICH 4.0 waits for ever for an
  // operation that was not.
  bool started = false;
  // The first and the last test that found it incomplete; 0: there was none.
  int64_t first_look_ns = 0;
  int64_t last_look_ns = 0;
  Moment event;   // the event to which a late result belongs
  LateWait wait;  // the call's wait, if the result is late
  ClockMessage out;
  ClockMessage in;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_SHADOW_OP_H_
