// Collectives between two groups, in any form of collectives.h.
#ifndef POPRT_TESTS_TRANSPARENCY_INTER_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_INTER_COLLECTIVES_H_

#include <algorithm>

#include "collectives.h"

namespace transparency {

// Root of an operation of an intercommunicator: process `root` of the low or
// high group.
inline int inter_root(const Halves& h, bool root_is_low, int root) {
  if (h.low != root_is_low) return root;
  return h.rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

template <class F>
void inter_rooted_cases(const Halves& h) {
  for (const bool root_is_low : {true, false}) {
    for (const int n : {0, 1, 5, 2000}) {
      const int root = inter_root(h, root_is_low, 0);
      const bool is_root = root == MPI_ROOT;
      const bool takes_part = root != MPI_PROC_NULL;
      Ints in = is_root ? numbers(n, 3) : room_for(n);
      show_call("bcast", F::bcast(in.data(), n, MPI_INT, root, h.inter), in);
      const int some = is_root ? n * h.remote : n;
      const Ints out = numbers(std::max(some, 4 * h.remote), h.rank * 10 + 2);
      in = room_for(some);
      const auto result = [&](const char* what, int code) {
        show_call(what, code, in);
        in.assign(in.size(), -1);
      };
      const auto send = [&] { return takes_part ? out.data() : nullptr; };
      const auto receive = [&] { return takes_part ? in.data() : nullptr; };
      result("scatter", F::scatter(send(), n, MPI_INT, receive(), n, MPI_INT,
                                   root, h.inter));
      result("gather", F::gather(send(), n, MPI_INT, receive(), n, MPI_INT,
                                 root, h.inter));
      result("reduce",
             F::reduce(send(), receive(), n, MPI_INT, MPI_SUM, root, h.inter));
      const Pieces<F> pieces(sizes_of(h.remote, n));
      const int own = h.low == root_is_low
                          ? 0
                          : sizes_of(h.local, n)[static_cast<size_t>(h.rank)];
      const auto* const counts = is_root ? pieces.c() : nullptr;
      const auto* const places = is_root ? pieces.p() : nullptr;
      in = room_for(4 * h.remote);
      result("scatterv", F::scatterv(send(), counts, places, MPI_INT, receive(),
                                     own, MPI_INT, root, h.inter));
      result("gatherv", F::gatherv(send(), own, MPI_INT, receive(), counts,
                                   places, MPI_INT, root, h.inter));
    }
  }
}

// The two groups have other numbers.
inline int inter_first(const Halves& h) {
  return h.rank * 10 + (h.low ? 0 : 500);
}

template <class F>
void inter_symmetric_cases(const Halves& h) {
  // Each group may send another count, and none at all.
  for (const int low : {0, 2}) {
    for (const int high : {0, 3}) {
      const int mine = h.low ? low : high;
      const int theirs = h.low ? high : low;
      const auto remote = static_cast<size_t>(h.remote);
      const Pieces<F> to(Ints(remote, mine));
      const Pieces<F> from(Ints(remote, theirs));
      const Ints out = to.filled(inter_first(h));
      Ints in = from.room();
      const auto result = [&](const char* what, int code) {
        show_call(what, code, in);
        in = from.room();
      };
      result("allgather", F::allgather(out.data(), mine, MPI_INT, in.data(),
                                       theirs, MPI_INT, h.inter));
      result("alltoall", F::alltoall(out.data(), mine, MPI_INT, in.data(),
                                     theirs, MPI_INT, h.inter));
      result("allgatherv", F::allgatherv(out.data(), mine, MPI_INT, in.data(),
                                         from.c(), from.p(), MPI_INT, h.inter));
      result("alltoallv",
             F::alltoallv(out.data(), to.c(), to.p(), MPI_INT, in.data(),
                          from.c(), from.p(), MPI_INT, h.inter));
      result("alltoallw",
             F::alltoallw(out.data(), to.c(), to.b(), to.t(), in.data(),
                          from.c(), from.b(), from.t(), h.inter));
    }
  }
  // The two groups agree on the length of a vector.
  for (const int n : {0, 1, 4, 1000}) {
    const Ints out = numbers(n, inter_first(h));
    Ints in = room_for(n);
    show_call("allreduce",
              F::allreduce(out.data(), in.data(), n, MPI_INT, MPI_SUM, h.inter),
              in);
  }
}

// The vector that is scattered is as long for both groups.
template <class F>
void inter_reduce_scatter_cases(const Halves& h) {
  for (const int n : {0, 1, 4}) {
    const Ints out = numbers(n * h.local * h.remote, inter_first(h));
    const int own = n * h.remote;
    Ints in = room_for(own);
    show_call("reduce_scatter_block",
              F::reduce_scatter_block(out.data(), in.data(), own, MPI_INT,
                                      MPI_SUM, h.inter),
              in);
    in = room_for(own);
    const Pieces<F> pieces(Ints(static_cast<size_t>(h.local), own));
    show_call("reduce_scatter",
              F::reduce_scatter(out.data(), in.data(), pieces.c(), MPI_INT,
                                MPI_SUM, h.inter),
              in);
  }
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_INTER_COLLECTIVES_H_
