// Between which processes data moves in a collective.  The third part of a line
// in mpi_calls.txt calls these functions.  Only data that moves makes an edge
// (docs/edges.md).  All processes conclude the same, because MPI requires
// matching arguments.
#ifndef POPRT_WRAPPERS_EDGES_EDGES_H_
#define POPRT_WRAPPERS_EDGES_EDGES_H_

#include "wrappers/state.h"

namespace poprt::mpi {

enum class Pattern {
  kAllToAll,
  kRootToAll,
  kAllToRoot,
  kPrefix,
  kExclusivePrefix
};

struct Edges {
  bool any = true;  // whether there is any edge: the same on all processes
  bool contributes = true;  // others depend on this process
  bool receives = true;     // this process depends on others
  // Every process depends on every other one.  Then the tool's own reduction
  // waits for no process for which the program's call does not wait.
  bool complete = true;
};

// With at most this many processes, the clocks of rooted, prefix and
// non-blocking collectives are sent directly to the processes that depend on
// them.  A shadow operation would pass them on through processes that may have
// left the call already.  Direct messages are also faster.
inline constexpr int kDirectProcesses = 16;

// The limit for communicators without a shadow of their own, where there are no
// shadow operations.  Root operations are direct with any number of processes.
inline constexpr int kDirectWithoutShadow = 128;

// Whether the clocks of this call are sent directly.
inline bool direct(Pattern pattern, const Edges& edges, const CommInfo& where) {
  const int others = where.inter ? where.peers : 0;
  if (!edges.complete) return false;
  if (where.size + others <= kDirectProcesses) return true;
  if (where.carrier == nullptr) return false;
  return pattern == Pattern::kRootToAll || pattern == Pattern::kAllToRoot ||
         where.size + others <= kDirectWithoutShadow;
}

// On an intercommunicator only the root passes MPI_ROOT.
inline bool is_root(const CommInfo& where, int root) {
  return where.inter ? root == MPI_ROOT : root == where.rank;
}

// Whether `rank` depends on `other`.
inline bool depends(Pattern pattern, int root, int rank, int other) {
  switch (pattern) {
    case Pattern::kRootToAll:
      return other == root;
    case Pattern::kAllToRoot:
      return rank == root;
    case Pattern::kPrefix:
    case Pattern::kExclusivePrefix:
      return other < rank;
    case Pattern::kAllToAll:
      break;
  }
  return true;
}

// On an intercommunicator: whether process `other` of the remote group depends
// on this process, and whether this process depends on it.
inline bool depends_on_us(Pattern pattern, int root, int other) {
  switch (pattern) {
    case Pattern::kRootToAll:
      return root == MPI_ROOT;
    case Pattern::kAllToRoot:
      return root == other;
    default:
      return true;
  }
}
inline bool we_depend(Pattern pattern, int root, int other) {
  switch (pattern) {
    case Pattern::kRootToAll:
      return root == other;
    case Pattern::kAllToRoot:
      return root == MPI_ROOT;
    default:
      return true;
  }
}

inline void direct_links(Pattern pattern, int root, const CommInfo& where,
                         const Edges& edges, Links& links) {
  for (int peer = 0; peer < where.peers; ++peer) {
    if (peer == where.self) continue;
    const bool to = where.inter ? depends_on_us(pattern, root, peer)
                                : depends(pattern, root, peer, where.rank);
    const bool from = where.inter ? we_depend(pattern, root, peer)
                                  : depends(pattern, root, where.rank, peer);
    if (to && edges.contributes) links.to.push_back(peer);
    if (from && edges.receives) links.from.push_back(peer);
  }
}

template <class Count>
bool moves(Count count, MPI_Datatype type) {
  if (count <= 0 || type == pmpi().datatype_null) return false;
  int size = 0;
  // The size is MPI_UNDEFINED if it does not fit into an int.
  return pmpi().Type_size(type, &size) == MPI_SUCCESS && size != 0;
}

inline Edges everything() { return {}; }

template <class Count>
Edges regular(Count count, MPI_Datatype type) {
  const bool any = moves(count, type);
  return {any, any, any, any};
}

// The root has one pair of arguments, the other processes another.  On an
// intercommunicator the other processes of the root's group have no arguments,
// so they cannot tell whether data moves.
template <class Count>
Edges at_root(const CommInfo& where, int root, Count root_count,
              MPI_Datatype root_type, Count count, MPI_Datatype type) {
  if (where.inter && root == MPI_PROC_NULL) return {true, false, false, true};
  Edges edges = is_root(where, root) ? regular(root_count, root_type)
                                     : regular(count, type);
  if (where.inter) edges.any = edges.complete = true;
  return edges;
}

// Root and other processes have the same arguments.
template <class Count>
Edges rooted(const CommInfo& where, int root, Count count, MPI_Datatype type) {
  return at_root(where, root, count, type, count, type);
}

// Count and type of sending and receiving match, except on an
// intercommunicator.
template <class Count>
Edges both_ways(const CommInfo& where, Count sendcount, MPI_Datatype sendtype,
                Count recvcount, MPI_Datatype recvtype) {
  const bool receives = moves(recvcount, recvtype);
  const bool sends = where.inter ? moves(sendcount, sendtype) : receives;
  return {sends || receives, sends, receives, sends && receives};
}

// The root has one count for each process.  Both the root and that process know
// whether data moves between them.
template <class Count>
void scatterv(const CommInfo& where, Links& links, int root,
              const Count* sendcounts, MPI_Datatype sendtype, Count recvcount,
              MPI_Datatype recvtype) {
  if (!is_root(where, root)) {
    if (root != MPI_PROC_NULL && moves(recvcount, recvtype)) {
      links.from.push_back(root);
    }
    return;
  }
  for (int i = 0; sendcounts != nullptr && i < where.peers; ++i) {
    if (i != where.self && moves(sendcounts[i], sendtype))
      links.to.push_back(i);
  }
}

template <class Count>
void gatherv(const CommInfo& where, Links& links, int root, Count sendcount,
             MPI_Datatype sendtype, const Count* recvcounts,
             MPI_Datatype recvtype) {
  if (!is_root(where, root)) {
    if (root != MPI_PROC_NULL && moves(sendcount, sendtype)) {
      links.to.push_back(root);
    }
    return;
  }
  for (int i = 0; recvcounts != nullptr && i < where.peers; ++i) {
    if (i != where.self && moves(recvcounts[i], recvtype))
      links.from.push_back(i);
  }
}

// Whether any count is above zero, and whether all are.
template <class Count>
Edges of_counts(const Count* counts, int size, MPI_Datatype type) {
  Edges edges{false, false, true, true};
  for (int i = 0; i < size; ++i) {
    const bool some = moves(counts[i], type);
    edges.any = edges.any || some;
    edges.complete = edges.complete && some;
  }
  return edges;
}

inline constexpr Edges kRefused{false, false, false, false};

template <class Count>
Edges allgatherv(const CommInfo& where, Count sendcount, MPI_Datatype sendtype,
                 const Count* counts, MPI_Datatype type) {
  if (counts == nullptr) return kRefused;
  Edges edges = of_counts(counts, where.peers, type);
  if (where.inter) {
    // No process knows the counts of both groups.
    return {true, moves(sendcount, sendtype), edges.any, false};
  }
  edges.contributes = moves(counts[where.rank], type);
  return edges;
}

template <class Count>
Edges reduce_scatter(const CommInfo& where, const Count* counts,
                     MPI_Datatype type) {
  if (counts == nullptr) return kRefused;
  Edges edges = of_counts(counts, where.size, type);
  edges.receives = moves(counts[where.rank], type);
  edges.contributes = edges.any;
  if (where.inter) edges.complete = false;
  return edges;
}

template <class Count>
void alltoallv(const CommInfo& where, Links& links, const void* sendbuf,
               const Count* sendcounts, MPI_Datatype sendtype,
               const Count* recvcounts, MPI_Datatype recvtype) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (recvcounts == nullptr || (!in_place && sendcounts == nullptr)) return;
  for (int i = 0; i < where.peers; ++i) {
    if (i == where.self) continue;
    const bool from = moves(recvcounts[i], recvtype);
    if (in_place ? from : moves(sendcounts[i], sendtype)) {
      links.to.push_back(i);
    }
    if (from) links.from.push_back(i);
  }
}

template <class Count>
void alltoallw(const CommInfo& where, Links& links, const void* sendbuf,
               const Count* sendcounts, const MPI_Datatype* sendtypes,
               const Count* recvcounts, const MPI_Datatype* recvtypes) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (recvcounts == nullptr || recvtypes == nullptr) return;
  if (!in_place && (sendcounts == nullptr || sendtypes == nullptr)) return;
  for (int i = 0; i < where.peers; ++i) {
    if (i == where.self) continue;
    const bool from = moves(recvcounts[i], recvtypes[i]);
    if (in_place ? from : moves(sendcounts[i], sendtypes[i])) {
      links.to.push_back(i);
    }
    if (from) links.from.push_back(i);
  }
}

// Arguments of neighbourhood collectives: one for all neighbours, or an array.
template <class T>
T of_neighbor(T value, size_t) {
  return value;
}
template <class T>
T of_neighbor(const T* values, size_t i) {
  return values == nullptr ? T{} : values[i];
}
#if defined(OPEN_MPI) || defined(POPRT_STANDARD_ABI)
// There a datatype is a pointer, but not an array.
inline MPI_Datatype of_neighbor(MPI_Datatype type, size_t) { return type; }
#endif

template <class SendCount, class SendType, class RecvCount, class RecvType>
void neighbors(const CommInfo& where, Links& links, SendCount sendcount,
               SendType sendtype, RecvCount recvcount, RecvType recvtype) {
  for (size_t i = 0; i < where.edges.neighbors.out.size(); ++i) {
    const int rank = where.edges.neighbors.out[i];
    if (rank != MPI_PROC_NULL && rank != where.rank &&
        moves(of_neighbor(sendcount, i), of_neighbor(sendtype, i))) {
      links.to.push_back(rank);
    }
  }
  for (size_t i = 0; i < where.edges.neighbors.in.size(); ++i) {
    const int rank = where.edges.neighbors.in[i];
    if (rank != MPI_PROC_NULL && rank != where.rank &&
        moves(of_neighbor(recvcount, i), of_neighbor(recvtype, i))) {
      links.from.push_back(rank);
    }
  }
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_EDGES_H_
