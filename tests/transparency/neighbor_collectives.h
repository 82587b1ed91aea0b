// Collectives among the neighbours of a topology, in any form of
// collectives.h.
#ifndef POPRT_TESTS_TRANSPARENCY_NEIGHBOR_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_NEIGHBOR_COLLECTIVES_H_

#include "collectives.h"

namespace transparency {

// The communicator's neighbours, in order.
struct Neighbors {
  explicit Neighbors(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    MPI_Topo_test(comm, &kind);
    int own = -1;
    MPI_Comm_rank(comm, &own);
    if (kind == MPI_CART) {
      int dims = 0;
      MPI_Cartdim_get(comm, &dims);
      for (int d = 0; d < dims; ++d) {
        int low = -1;
        int high = -1;
        MPI_Cart_shift(comm, d, 1, &low, &high);
        in.push_back(low);
        in.push_back(high);
      }
      out = in;
    } else if (kind == MPI_GRAPH) {
      int count = 0;
      MPI_Graph_neighbors_count(comm, own, &count);
      in.resize(static_cast<size_t>(count));
      MPI_Graph_neighbors(comm, own, count, in.data());
      out = in;
    } else {
      int in_count = 0;
      int out_count = 0;
      int weighted = 0;
      MPI_Dist_graph_neighbors_count(comm, &in_count, &out_count, &weighted);
      in.resize(static_cast<size_t>(in_count));
      out.resize(static_cast<size_t>(out_count));
      MPI_Dist_graph_neighbors(comm, in_count, in.data(), MPI_UNWEIGHTED,
                               out_count, out.data(), MPI_UNWEIGHTED);
    }
  }
  Ints in;
  Ints out;
};

// `with_w`: also the one with types of each, which in MPICH 4.0 is broken
// where neighbours do not go both ways.
template <class F>
void neighbor_cases(MPI_Comm comm, bool with_w = true) {
  const Neighbors n(comm);
  int own = -1;
  MPI_Comm_rank(comm, &own);
  for (const int each : {0, 1, 3}) {
    const Pieces<F> from(Ints(n.in.size(), each));
    const Pieces<F> to(Ints(n.out.size(), each));
    const Ints out = to.filled(own * 100);
    Ints in = from.room();
    const int* const send = out.data();
    int* const receive = in.data();
    const auto result = [&](const char* what, int code) {
      show_call(what, code, in);
      in.assign(in.size(), -1);
    };
    result("allgather", F::neighbor_allgather(send, each, MPI_INT, receive,
                                              each, MPI_INT, comm));
    result("alltoall", F::neighbor_alltoall(send, each, MPI_INT, receive, each,
                                            MPI_INT, comm));
    result("allgatherv",
           F::neighbor_allgatherv(send, each, MPI_INT, receive, from.c(),
                                  from.p(), MPI_INT, comm));
    result("alltoallv",
           F::neighbor_alltoallv(send, to.c(), to.p(), MPI_INT, receive,
                                 from.c(), from.p(), MPI_INT, comm));
    // Displacements of this one are addresses in all forms.
    std::vector<MPI_Aint> to_bytes(to.bytes.begin(), to.bytes.end());
    std::vector<MPI_Aint> from_bytes(from.bytes.begin(), from.bytes.end());
    to_bytes.push_back(0);
    from_bytes.push_back(0);
    if (!with_w) continue;
    result("alltoallw",
           F::neighbor_alltoallw(send, to.c(), to_bytes.data(), to.t(), receive,
                                 from.c(), from_bytes.data(), from.t(), comm));
  }
  // Counts by the distance, so that both ends know them; some are zero.
  std::vector<int> in_sizes;
  std::vector<int> out_sizes;
  for (const int rank : n.in)
    in_sizes.push_back(rank < 0 ? 0 : (rank + own) % 3);
  for (const int rank : n.out)
    out_sizes.push_back(rank < 0 ? 0 : (rank + own) % 3);
  const Pieces<F> from(in_sizes);
  const Pieces<F> to(out_sizes);
  const Ints out = to.filled(own * 100);
  Ints in = from.room();
  const int code =
      F::neighbor_alltoallv(out.data(), to.c(), to.p(), MPI_INT, in.data(),
                            from.c(), from.p(), MPI_INT, comm);
  show_call("uneven alltoallv", code, in);
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_NEIGHBOR_COLLECTIVES_H_
