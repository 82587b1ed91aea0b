// Between which processes data moves in a collective: the third part of a line
// of mpi_calls.txt.  Only data that moves carries an edge; a call with nothing
// to move guarantees none, and all processes agree on that, because the
// arguments must.
#ifndef POPRT_WRAPPERS_EDGES_H_
#define POPRT_WRAPPERS_EDGES_H_

#include <vector>

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
  bool any = true;          // the same on all processes
  bool contributes = true;  // others depend on this process
  bool receives = true;     // this process depends on others
  // Every process depends on every other one: a reduction of the tool's own
  // waits for nobody whom the program's call does not wait for.
  bool complete = true;
};

// Up to this many processes, the clocks of a rooted, a prefix and a
// non-blocking collective go directly to those that depend on them: nobody
// then waits for a process that passes clocks on, and has left the call
// already.  It is faster as well.
inline constexpr int kDirectProcesses = 16;

// Whether that holds for a call whose every process has data to move.
inline bool direct(const Edges& edges, const CommInfo& where) {
  return edges.complete && where.size <= kDirectProcesses;
}

// Whether `rank` depends on `other` in such a call.
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

inline void direct_links(Pattern pattern, int root, const CommInfo& where,
                         Links& links) {
  for (int rank = 0; rank < where.size; ++rank) {
    if (rank == where.rank) continue;
    if (depends(pattern, root, rank, where.rank)) links.to.push_back(rank);
    if (depends(pattern, root, where.rank, rank)) links.from.push_back(rank);
  }
}

template <class Count>
bool moves(Count count, MPI_Datatype type) {
  if (count <= 0 || type == pmpi().datatype_null) return false;
  int size = 0;
  // MPI_UNDEFINED: too large for an int.
  return pmpi().Type_size(type, &size) == MPI_SUCCESS && size != 0;
}

inline Edges everything() { return {}; }

template <class Count>
Edges regular(Count count, MPI_Datatype type) {
  const bool any = moves(count, type);
  return {any, any, any, any};
}

// Arguments that count at the root only, and those that count elsewhere.
template <class Count>
Edges at_root(const CommInfo& where, int root, Count root_count,
              MPI_Datatype root_type, Count count, MPI_Datatype type) {
  return where.rank == root ? regular(root_count, root_type)
                            : regular(count, type);
}

// The root has something for each process, or something of it: both sides know
// whether there is any.
template <class Count>
void scatterv(const CommInfo& where, Links& links, int root,
              const Count* sendcounts, MPI_Datatype sendtype, Count recvcount,
              MPI_Datatype recvtype) {
  if (where.rank != root) {
    if (moves(recvcount, recvtype)) links.from.push_back(root);
    return;
  }
  for (int i = 0; sendcounts != nullptr && i < where.size; ++i) {
    if (i != root && moves(sendcounts[i], sendtype)) links.to.push_back(i);
  }
}

template <class Count>
void gatherv(const CommInfo& where, Links& links, int root, Count sendcount,
             MPI_Datatype sendtype, const Count* recvcounts,
             MPI_Datatype recvtype) {
  if (where.rank != root) {
    if (moves(sendcount, sendtype)) links.to.push_back(root);
    return;
  }
  for (int i = 0; recvcounts != nullptr && i < where.size; ++i) {
    if (i != root && moves(recvcounts[i], recvtype)) links.from.push_back(i);
  }
}

template <class Count>
Edges allgatherv(const CommInfo& where, const Count* counts,
                 MPI_Datatype type) {
  // The call will refuse it.
  if (counts == nullptr) return {false, false, false, false};
  Edges edges{false, moves(counts[where.rank], type), true, true};
  for (int i = 0; i < where.size; ++i) {
    const bool some = moves(counts[i], type);
    edges.any = edges.any || some;
    edges.complete = edges.complete && some;
  }
  return edges;
}

template <class Count>
Edges reduce_scatter(const CommInfo& where, const Count* counts,
                     MPI_Datatype type) {
  Edges edges = allgatherv(where, counts, type);
  edges.receives = edges.contributes;
  edges.contributes = edges.any;
  return edges;
}

template <class Count>
void alltoallv(const CommInfo& where, Links& links, const void* sendbuf,
               const Count* sendcounts, MPI_Datatype sendtype,
               const Count* recvcounts, MPI_Datatype recvtype) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  if (recvcounts == nullptr || (!in_place && sendcounts == nullptr)) return;
  for (int i = 0; i < where.size; ++i) {
    if (i == where.rank) continue;
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
  if (recvcounts == nullptr || (!in_place && sendcounts == nullptr)) return;
  for (int i = 0; i < where.size; ++i) {
    if (i == where.rank) continue;
    const bool from = moves(recvcounts[i], recvtypes[i]);
    if (in_place ? from : moves(sendcounts[i], sendtypes[i])) {
      links.to.push_back(i);
    }
    if (from) links.from.push_back(i);
  }
}

// One count or type for all neighbours, or one for each.
template <class T>
T of_neighbor(T value, size_t) {
  return value;
}
template <class T>
T of_neighbor(const T* values, size_t i) {
  return values[i];
}
#if defined(OPEN_MPI)
// A datatype is an address itself.
inline MPI_Datatype of_neighbor(MPI_Datatype type, size_t) { return type; }
#endif

template <class SendCount, class SendType, class RecvCount, class RecvType>
void neighbors(const CommInfo& where, Links& links, SendCount sendcount,
               SendType sendtype, RecvCount recvcount, RecvType recvtype) {
  for (size_t i = 0; i < where.out_neighbors.size(); ++i) {
    const int rank = where.out_neighbors[i];
    if (rank != MPI_PROC_NULL && rank != where.rank &&
        moves(of_neighbor(sendcount, i), of_neighbor(sendtype, i))) {
      links.to.push_back(rank);
    }
  }
  for (size_t i = 0; i < where.in_neighbors.size(); ++i) {
    const int rank = where.in_neighbors[i];
    if (rank != MPI_PROC_NULL && rank != where.rank &&
        moves(of_neighbor(recvcount, i), of_neighbor(recvtype, i))) {
      links.from.push_back(rank);
    }
  }
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_H_
