// Handlers of calls that make and free communicators.
#ifndef POPRT_WRAPPERS_COMM_HANDLERS_H_
#define POPRT_WRAPPERS_COMM_HANDLERS_H_

#include "wrappers/clock_exchange.h"
#include "wrappers/collective_handlers.h"
#include "wrappers/comm_scope.h"
#include "wrappers/requests.h"

namespace poprt::mpi {

// Constructors are collective over the parent; what they agree on depends on
// every process of it.
template <class Call>
int new_comm(MPI_Comm parent, const MPI_Comm* created, Call call,
             bool (*took_part)(int code) = succeeded) {
  const CommScope scope(parent);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return call();
  const int code = among_all(scope.thread(), *info, call, took_part);
  if (code == MPI_SUCCESS && *created != pmpi().comm_null) {
    add_comm(*created, false);
  }
  return code;
}

// MPICH finds out that the group holds strangers when the processes have
// agreed, and tells those that are in the group; the others go on.
template <class Call>
int new_comm_of_members(MPI_Comm parent, MPI_Group group,
                        const MPI_Comm* created, Call call) {
  if (group == pmpi().group_null) return new_comm(parent, created, call);
  return new_comm(parent, created, call, [](int code) {
    int error_class = code;
    if (code != MPI_SUCCESS) pmpi().Error_class(code, &error_class);
    return error_class == MPI_SUCCESS || error_class == MPI_ERR_GROUP;
  });
}

// Collective over the new communicator only.
template <class Call>
int new_comm_of_strangers(const MPI_Comm* created, Call call,
                          const MakeShadow& where_busy = like_parent) {
  const CallScope scope;
  const int code = call();
  if (scope.thread() != nullptr && code == MPI_SUCCESS &&
      *created != pmpi().comm_null) {
    add_comm(*created, true, where_busy);
    CommInfo* const info = find_comm(*scope.thread(), *created);
    if (info != nullptr) {
      note_everybody(*info);
      ClockMessage out;
      contribute(*scope.thread(), *info, out);
      exchange_with_all(*scope.thread(), *info, out);
    }
  }
  return code;
}

// Open MPI lets a constructor on the new communicator wait for each that is
// under way on older ones, such as an MPI_Comm_idup that some processes are
// still to begin.  Then the shadow comes about by the same call as the
// communicator, although Open MPI copies attributes there.
template <class Call>
int new_comm_of_group(MPI_Comm comm, MPI_Group group, int tag,
                      const MPI_Comm* created, Call call) {
  return new_comm_of_strangers(created, call, [&](MPI_Comm, MPI_Comm* shadow) {
    return pmpi().Comm_create_group(comm, group, tag, shadow);
  });
}

template <class Call>
int new_comm_later(MPI_Comm parent, MPI_Comm* created,
                   const MPI_Request* request, Call call) {
  const CommScope scope(parent);
  CommInfo* const info = scope.comm();
  const int code = call();
  if (info == nullptr || code != MPI_SUCCESS) return code;
  ++job().unfinished_comms;
  if (CommInfo* const child = begin_comm(*info)) {
    Tracked* const tracked =
        new_tracked(scope.thread(), RequestKind::kNewComm, info, 0, 0);
    tracked->created = child;
    tracked->created_handle = created;
    track(tracked, *request);
  }
  return code;
}

template <class Call>
int free_comm(const MPI_Comm* comm, Call call) {
  const CallScope scope;
  // MPI refuses to free its own.
  if (scope.thread() != nullptr && comm != nullptr &&
      *comm != pmpi().comm_world) {
    drop_comm(*comm);
  }
  return call();
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_COMM_HANDLERS_H_
