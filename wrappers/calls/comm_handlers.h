// Handlers of calls that make and free communicators.
#ifndef POPRT_WRAPPERS_CALLS_COMM_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_COMM_HANDLERS_H_

#include "wrappers/calls/collective_handlers.h"
#include "wrappers/calls/comm_scope.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/requests/requests.h"

namespace poprt::mpi {

// Constructors are collective over the parent, and all its processes must agree
// on the new communicator: each depends on all.
template <class Call>
int new_comm(MPI_Comm parent, const MPI_Comm* created, Call call,
             bool (*took_part)(int code) = succeeded) {
  const CommScope scope(parent);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.without_clocks(parent, call);
  bool met = false;
  const int code = making(scope.thread(), *info, call, took_part, &met);
  if (met && code == MPI_SUCCESS && *created != pmpi().comm_null) {
    const RareWorkTime time(scope.thread().thread.cost);
    add_comm(*created, false);
  }
  return code;
}

// MPI_Comm_create.  MPICH finds out that the group has processes outside the
// parent only after all have agreed, and returns an error only to those in the
// group.  So this error counts as having taken part.
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

// Constructors that are collective over the new communicator only.  `within`
// has all its processes, if it is known: to look for processes of another world
// takes some MPI libraries quadratic time.
template <class Call>
int new_comm_of_strangers(const MPI_Comm* created, Call call,
                          const MakeShadow& where_busy = like_parent,
                          MPI_Comm within = pmpi().comm_null) {
  const CallScope scope;
  const bool strangers = scope.thread() == nullptr ||
                         find_comm(*scope.thread(), within) == nullptr;
  const int code = call();
  if (scope.thread() != nullptr && code == MPI_SUCCESS &&
      *created != pmpi().comm_null) {
    {
      const RareWorkTime time(scope.thread()->thread.cost);
      add_comm(*created, strangers, where_busy);
    }
    CommInfo* const info = find_comm(*scope.thread(), *created);
    if (info != nullptr) {
      note_everybody(*info);
      MpiThread& thread = *scope.thread();
      contribute(thread, *info, thread.edges.outgoing);
      exchange_with_all(thread, *info, thread.edges.outgoing);
    } else if (has_others(*created)) {
      lose_partner(*scope.thread());
    }
  }
  return code;
}

// In Open MPI a constructor on the new communicator waits for constructors that
// are under way on older communicators, such as an MPI_Comm_idup that some
// processes have not begun yet.  In that case the shadow is made by the same
// call as the communicator, although Open MPI then copies attributes.
template <class Call>
int new_comm_of_group(MPI_Comm comm, MPI_Group group, int tag,
                      const MPI_Comm* created, Call call) {
  return new_comm_of_strangers(
      created, call,
      [&](MPI_Comm, MPI_Comm* shadow) {
        return pmpi().Comm_create_group(comm, group, tag, shadow);
      },
      comm);
}

template <class Call>
int merged_comm(MPI_Comm parts, const MPI_Comm* created, Call call) {
  return new_comm_of_strangers(created, call, like_parent, parts);
}

template <class Call>
int new_comm_later(MPI_Comm parent, MPI_Comm* created,
                   const MPI_Request* request, Call call) {
  const CommScope scope(parent);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.start_without_clocks(parent, call);
  CommInfo* const child = begin_comm(*info);
  const int code = call();
  if (code != MPI_SUCCESS) {
    cancel_comm(child);
    return code;
  }
  auto* const tracked = new_tracked<NewComm>(scope.thread(), info);
  tracked->created = child;
  tracked->handle = created;
  track(tracked, *request);
  return code;
}

// No process depends on the others, but the call may wait for them: for all of
// them, or for messages that are under way.
template <class Call>
int free_comm(const MPI_Comm* comm, Call call) {
  const CallScope scope;
  bool shared = false;
  // MPI refuses to free MPI_COMM_WORLD.
  if (scope.thread() != nullptr && comm != nullptr &&
      *comm != pmpi().comm_world && *comm != pmpi().comm_null) {
    shared = drop_comm(*comm) || has_others(*comm);
  }
  const int code = call();
  if (shared && code == MPI_SUCCESS) lose_partner(*scope.thread());
  return code;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_COMM_HANDLERS_H_
