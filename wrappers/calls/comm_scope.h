// CommScope: one MPI call on a communicator.  Also tells which messages have
// clocks.
#ifndef POPRT_WRAPPERS_CALLS_COMM_SCOPE_H_
#define POPRT_WRAPPERS_CALLS_COMM_SCOPE_H_

#include "wrappers/calls/scope.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/exchange_tools.h"
#include "wrappers/edges/own_tags.h"

namespace poprt::mpi {

// The communicator if messages with this peer and tag carry clocks, else null.
inline CommInfo* tracked_comm(MpiThread* thread, int peer, int tag,
                              MPI_Comm comm) {
  if (thread == nullptr || peer == MPI_PROC_NULL || !has_clocks(tag)) {
    return nullptr;
  }
  return find_comm(*thread, comm);
}

// False for ranks and tags that the program's call will refuse.
inline bool valid_destination(const CommInfo& comm, int dest, int tag) {
  return dest >= 0 && dest < comm.peers && tag >= 0;
}

// Makes a call on a communicator without clocks. `thread` may be null.
template <class Call>
int call_without_clocks(MpiThread* thread, MPI_Comm comm, Call call) {
  const int code = call();
  lose_partner_on(thread, comm, code);
  return code;
}

// As call_without_clocks(), for a call that begins a request.
template <class Call>
int start_without_clocks(MpiThread* thread, MPI_Comm comm, Call call) {
  const int code = call();
  if (thread != nullptr && code == MPI_SUCCESS && has_others(comm)) {
    job().requests.strangers.store(true, std::memory_order_relaxed);
  }
  return code;
}

class CommScope {
 public:
  explicit CommScope(MPI_Comm comm)
      : comm_(scope_.thread() == nullptr ? nullptr
                                         : find_comm(*scope_.thread(), comm)) {}

  // Null if the call carries no clocks.
  CommInfo* comm() const { return comm_; }
  // REQUIRES: comm() is not null.
  MpiThread& thread() const { return *scope_.thread(); }

  // Makes a call that carries no clocks.
  template <class Call>
  int without_clocks(MPI_Comm comm, Call call) const {
    return call_without_clocks(scope_.thread(), comm, call);
  }
  template <class Call>
  int start_without_clocks(MPI_Comm comm, Call call) const {
    return mpi::start_without_clocks(scope_.thread(), comm, call);
  }

 private:
  const CallScope scope_;
  CommInfo* const comm_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_COMM_SCOPE_H_
