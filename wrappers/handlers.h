// What a wrapped call does besides the call: one function template for each
// meaning.  The entries that mpi_calls.txt generates call these with a lambda
// that makes the PMPI call, and takes the status to fill where there is one.
//
// The order is always: stamp, publish (clocks of the entry travel before the
// program's message), the program's call, clocks that arrived, stamp.  Where
// the tool's own traffic would wait for other processes, it comes after the
// program's call and only if that has succeeded: a call that MPI refuses on one
// process concerns no other one.
#ifndef POPRT_WRAPPERS_HANDLERS_H_
#define POPRT_WRAPPERS_HANDLERS_H_

#include "wrappers/collective_handlers.h"
#include "wrappers/comm_handlers.h"
#include "wrappers/completion.h"
#include "wrappers/message_handlers.h"
#include "wrappers/partitioned_handlers.h"
#include "wrappers/spawn.h"
#include "wrappers/window_handlers.h"

namespace poprt::mpi {

// A call that carries no clocks.
template <class Call>
int timed(Call call) {
  const CallScope scope;
  return call();
}

// The same for a call of MPI-IO.
template <class Call>
int io(Call call) {
  const CallScope scope(State::kMpiIo);
  return call();
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_HANDLERS_H_
