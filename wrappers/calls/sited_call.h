// SitedCall: one MPI call of the program where calls are told apart by their
// places (POPRT_CALLS).
//
// Then the entries of entry.h lead to functions poprt_sited_<name>, which are
// generated (mpi_calls.txt) and make the measuring call inside of a SitedCall.
// So calls that are not told apart know nothing of all this.
//
// Bytes are those that the program passes to the call and gets from it, as
// docs/calls.md says.
#ifndef POPRT_WRAPPERS_CALLS_SITED_CALL_H_
#define POPRT_WRAPPERS_CALLS_SITED_CALL_H_

#include <cstdint>
#include <optional>

#include "measure/call_sites.h"
#include "measure/tool_cost.h"
#include "wrappers/calls/handlers.h"

namespace poprt::mpi {

// Leads the entries to the functions that tell calls apart.
void tell_sites();

class SitedCall {
 public:
  // `function`: its name.  `code` and `stack`: where it returns to, and the
  // stack pointer then.
  SitedCall(const char* function, const void* code, const void* stack);
  ~SitedCall();
  SitedCall(const SitedCall&) = delete;
  SitedCall& operator=(const SitedCall&) = delete;

  // Whether the call, which has returned `code`, counts.  From here to its end
  // the tool works.
  bool counts(int code);

  // Where the call shall write statuses: a call that counts needs them even if
  // the program ignores them.
  MPI_Status* filled(MPI_Status* given, int count = 1);

  // For calls that count, after they have returned.
  void on(MPI_Comm comm);
  void sends(MPI_Count count, MPI_Datatype type, int dest);
  void gets(MPI_Count count, MPI_Datatype type, int target);
  void received(const MPI_Status* status);
  // A persistent send was made; persistent requests are started.
  void prepares(MPI_Request request, MPI_Count count, MPI_Datatype type);
  void starts(int count, const MPI_Request* requests);
  // A collective call without data.
  void meets() { ++site().collectives; }
  // A collective call in which this process passes and gets so many bytes.
  void moves(int64_t sent, int64_t got);
  template <class Count>
  void bcast(MPI_Comm comm, int root, Count count, MPI_Datatype type);
  template <class Count>
  void reduce(MPI_Comm comm, int root, Count count, MPI_Datatype type);
  template <class Count>
  void allreduce(Count count, MPI_Datatype type);
  template <class Count>
  void reduce_scatter_block(MPI_Comm comm, Count count, MPI_Datatype type);
  template <class Count>
  void reduce_scatter(MPI_Comm comm, const Count* counts, MPI_Datatype type);
  template <class Send, class Receive>
  void scatter(MPI_Comm comm, int root, Send sendcount, MPI_Datatype sendtype,
               const void* recvbuf, Receive recvcount, MPI_Datatype recvtype);
  template <class Send, class Receive>
  void gather(MPI_Comm comm, int root, const void* sendbuf, Send sendcount,
              MPI_Datatype sendtype, Receive recvcount, MPI_Datatype recvtype);
  template <class Send, class Receive>
  void allgather(MPI_Comm comm, const void* sendbuf, Send sendcount,
                 MPI_Datatype sendtype, Receive recvcount,
                 MPI_Datatype recvtype);
  template <class Count, class Type>
  void alltoall(MPI_Comm comm, const void* sendbuf, Count sendcount,
                Type sendtype, Count recvcount, Type recvtype);
  template <class Send, class SendType, class Receive, class ReceiveType>
  void neighbors(MPI_Comm comm, bool one_for_all, Send sendcount,
                 SendType sendtype, Receive recvcount, ReceiveType recvtype);

  // Completion: what the requests are is asked before the call, because MPI
  // clears their handles.
  void expects(int count, const MPI_Request* requests);
  void completed(int i, const MPI_Status* status);
  void completed_all(int count, const MPI_Status* statuses);
  void completed_some(int count, const int* indices,
                      const MPI_Status* statuses);

 private:
  CallSite& site() const { return *sites_->current(); }

  MpiThread* mpi_ = nullptr;
  CallSites* sites_ = nullptr;  // null: the call is not told apart
  MPI_Status own_;
  int expected_ = 0;
  std::optional<WorkTime> counting_;
};

// --- bytes of collectives ----------------------------------------------------

// The processes of a communicator to which data goes, and this one among them.
struct Group {
  int rank = 0;
  int peers = 1;
  bool inter = false;
  bool is_root(int root) const {
    return inter ? root == MPI_ROOT : root == rank;
  }
  bool takes_part(int root) const { return root != MPI_PROC_NULL; }
};
Group group_of(MpiThread& thread, MPI_Comm comm);

// The bytes that go to, or come from, all processes of a group: as many for
// each, or those of a list.
inline int64_t bytes_for_all(MPI_Count count, MPI_Datatype type, int peers) {
  return bytes_of(count, type) * peers;
}
template <class Count>
int64_t bytes_for_all(const Count* counts, MPI_Datatype type, int peers) {
  MPI_Count sum = 0;
  for (int i = 0; counts != nullptr && i < peers; ++i) sum += counts[i];
  return bytes_of(sum, type);
}
template <class Count>
int64_t bytes_for_all(const Count* counts, const MPI_Datatype* types,
                      int peers) {
  int64_t sum = 0;
  for (int i = 0; counts != nullptr && types != nullptr && i < peers; ++i) {
    sum += bytes_of(counts[i], types[i]);
  }
  return sum;
}

// The bytes for one process.
inline int64_t bytes_for(MPI_Count count, MPI_Datatype type, int) {
  return bytes_of(count, type);
}
template <class Count>
int64_t bytes_for(const Count* counts, MPI_Datatype type, int rank) {
  return counts == nullptr ? 0 : bytes_of(counts[rank], type);
}

template <class Count>
void SitedCall::bcast(MPI_Comm comm, int root, Count count, MPI_Datatype type) {
  const Group group = group_of(*mpi_, comm);
  if (!group.takes_part(root)) return;
  const int64_t bytes = bytes_of(count, type);
  group.is_root(root) ? moves(bytes, 0) : moves(0, bytes);
}

template <class Count>
void SitedCall::reduce(MPI_Comm comm, int root, Count count,
                       MPI_Datatype type) {
  const Group group = group_of(*mpi_, comm);
  if (!group.takes_part(root)) return;
  const int64_t bytes = bytes_of(count, type);
  const bool is_root = group.is_root(root);
  moves(is_root && group.inter ? 0 : bytes, is_root ? bytes : 0);
}

template <class Count>
void SitedCall::allreduce(Count count, MPI_Datatype type) {
  const int64_t bytes = bytes_of(count, type);
  moves(bytes, bytes);
}

template <class Count>
void SitedCall::reduce_scatter_block(MPI_Comm comm, Count count,
                                     MPI_Datatype type) {
  moves(bytes_for_all(count, type, group_of(*mpi_, comm).peers),
        bytes_of(count, type));
}

template <class Count>
void SitedCall::reduce_scatter(MPI_Comm comm, const Count* counts,
                               MPI_Datatype type) {
  const Group group = group_of(*mpi_, comm);
  moves(bytes_for_all(counts, type, group.peers),
        bytes_for(counts, type, group.rank));
}

template <class Send, class Receive>
void SitedCall::scatter(MPI_Comm comm, int root, Send sendcount,
                        MPI_Datatype sendtype, const void* recvbuf,
                        Receive recvcount, MPI_Datatype recvtype) {
  const Group group = group_of(*mpi_, comm);
  if (!group.takes_part(root)) return;
  const bool is_root = group.is_root(root);
  const bool gets = recvbuf != MPI_IN_PLACE && !(is_root && group.inter);
  moves(is_root ? bytes_for_all(sendcount, sendtype, group.peers) : 0,
        gets ? bytes_of(recvcount, recvtype) : 0);
}

template <class Send, class Receive>
void SitedCall::gather(MPI_Comm comm, int root, const void* sendbuf,
                       Send sendcount, MPI_Datatype sendtype, Receive recvcount,
                       MPI_Datatype recvtype) {
  const Group group = group_of(*mpi_, comm);
  if (!group.takes_part(root)) return;
  const bool is_root = group.is_root(root);
  const bool gives = sendbuf != MPI_IN_PLACE && !(is_root && group.inter);
  moves(gives ? bytes_of(sendcount, sendtype) : 0,
        is_root ? bytes_for_all(recvcount, recvtype, group.peers) : 0);
}

template <class Send, class Receive>
void SitedCall::allgather(MPI_Comm comm, const void* sendbuf, Send sendcount,
                          MPI_Datatype sendtype, Receive recvcount,
                          MPI_Datatype recvtype) {
  const Group group = group_of(*mpi_, comm);
  moves(sendbuf == MPI_IN_PLACE ? bytes_for(recvcount, recvtype, group.rank)
                                : bytes_of(sendcount, sendtype),
        bytes_for_all(recvcount, recvtype, group.peers));
}

template <class Count, class Type>
void SitedCall::alltoall(MPI_Comm comm, const void* sendbuf, Count sendcount,
                         Type sendtype, Count recvcount, Type recvtype) {
  const int peers = group_of(*mpi_, comm).peers;
  const int64_t got = bytes_for_all(recvcount, recvtype, peers);
  moves(
      sendbuf == MPI_IN_PLACE ? got : bytes_for_all(sendcount, sendtype, peers),
      got);
}

// `one_for_all`: all neighbours get the same data, so it is passed once.
template <class Send, class SendType, class Receive, class ReceiveType>
void SitedCall::neighbors(MPI_Comm comm, bool one_for_all, Send sendcount,
                          SendType sendtype, Receive recvcount,
                          ReceiveType recvtype) {
  CommInfo* const info = find_comm(*mpi_, comm);
  if (info == nullptr) return;
  find_neighbors(*info);
  const auto out = static_cast<int>(info->edges.neighbors.out.size());
  const auto in = static_cast<int>(info->edges.neighbors.in.size());
  moves(bytes_for_all(sendcount, sendtype, one_for_all ? 1 : out),
        bytes_for_all(recvcount, recvtype, in));
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_SITED_CALL_H_
