// Collectives between two groups, in any form of collectives.h.
#ifndef POPRT_TESTS_TRANSPARENCY_INTER_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_INTER_COLLECTIVES_H_

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
      const typename F::Count count = n;
      const int all = n * h.remote;
      Ints data =
          is_root ? numbers(n, 3) : Ints(static_cast<size_t>(n) + 1, -1);
      show_call("bcast",
                F::bcast(static_cast<void*>(data.data()), count, MPI_INT, root,
                         h.inter),
                data);
      const Ints out = numbers(is_root ? all : n, h.rank * 10 + 2);
      Ints in(static_cast<size_t>(is_root ? all : n) + 1, -1);
      const auto restart = [&] { in.assign(in.size(), -1); };
      const void* const send =
          takes_part ? static_cast<const void*>(out.data()) : nullptr;
      void* const receive =
          takes_part ? static_cast<void*>(in.data()) : nullptr;
      show_call("scatter",
                F::scatter(send, count, MPI_INT, receive, count, MPI_INT, root,
                           h.inter),
                in);
      restart();
      show_call("gather",
                F::gather(send, count, MPI_INT, receive, count, MPI_INT, root,
                          h.inter),
                in);
      restart();
      show_call(
          "reduce",
          F::reduce(send, receive, count, MPI_INT, MPI_SUM, root, h.inter), in);
      restart();
      const Pieces<F> pieces(sizes_of(h.remote, n));
      const auto own = h.low == root_is_low
                           ? 0
                           : sizes_of(h.local, n)[static_cast<size_t>(h.rank)];
      const Ints more = numbers(4 * h.remote + 4, h.rank * 10 + 2);
      in.assign(static_cast<size_t>(4 * h.remote) + 4, -1);
      const typename F::Count own_count = own;
      const void* const send_more =
          takes_part ? static_cast<const void*>(more.data()) : nullptr;
      void* const receive_more =
          takes_part ? static_cast<void*>(in.data()) : nullptr;
      show_call("scatterv",
                F::scatterv(send_more, is_root ? pieces.c() : nullptr,
                            is_root ? pieces.p() : nullptr, MPI_INT,
                            receive_more, own_count, MPI_INT, root, h.inter),
                in);
      restart();
      show_call(
          "gatherv",
          F::gatherv(send_more, own_count, MPI_INT, receive_more,
                     is_root ? pieces.c() : nullptr,
                     is_root ? pieces.p() : nullptr, MPI_INT, root, h.inter),
          in);
    }
  }
}

template <class F>
void inter_symmetric_cases(const Halves& h) {
  // Each group may send another count, and none at all.
  for (const int low : {0, 2}) {
    for (const int high : {0, 3}) {
      const typename F::Count mine = h.low ? low : high;
      const typename F::Count theirs = h.low ? high : low;
      const auto send_room =
          static_cast<size_t>(mine) * static_cast<size_t>(h.remote) + 1;
      const auto receive_room =
          static_cast<size_t>(theirs) * static_cast<size_t>(h.remote) + 1;
      const Ints out =
          numbers(static_cast<int>(send_room), h.rank * 10 + (h.low ? 0 : 500));
      Ints in(receive_room, -1);
      const void* const send = out.data();
      void* const receive = in.data();
      show_call(
          "allgather",
          F::allgather(send, mine, MPI_INT, receive, theirs, MPI_INT, h.inter),
          in);
      in.assign(receive_room, -1);
      show_call(
          "alltoall",
          F::alltoall(send, mine, MPI_INT, receive, theirs, MPI_INT, h.inter),
          in);
      in.assign(receive_room, -1);
      const Pieces<F> from(std::vector<int>(static_cast<size_t>(h.remote),
                                            static_cast<int>(theirs)));
      const Pieces<F> to(std::vector<int>(static_cast<size_t>(h.remote),
                                          static_cast<int>(mine)));
      show_call("allgatherv",
                F::allgatherv(send, mine, MPI_INT, receive, from.c(), from.p(),
                              MPI_INT, h.inter),
                in);
      in.assign(receive_room, -1);
      show_call("alltoallv",
                F::alltoallv(send, to.c(), to.p(), MPI_INT, receive, from.c(),
                             from.p(), MPI_INT, h.inter),
                in);
      in.assign(receive_room, -1);
      show_call("alltoallw",
                F::alltoallw(send, to.c(), to.b(), to.t(), receive, from.c(),
                             from.b(), from.t(), h.inter),
                in);
    }
  }
  // The two groups agree on the length of a vector.
  for (const int n : {0, 1, 4, 1000}) {
    const typename F::Count count = n;
    const Ints out = numbers(n, h.rank * 10 + (h.low ? 0 : 500));
    Ints in(static_cast<size_t>(n) + 1, -1);
    show_call("allreduce",
              F::allreduce(static_cast<const void*>(out.data()),
                           static_cast<void*>(in.data()), count, MPI_INT,
                           MPI_SUM, h.inter),
              in);
  }
}

// The vector that is scattered is as long for both groups.
template <class F>
void inter_reduce_scatter_cases(const Halves& h) {
  for (const int n : {0, 1, 4}) {
    const int all = n * h.local * h.remote;
    const Ints out = numbers(all, h.rank * 10 + (h.low ? 0 : 500));
    const int own = n * h.remote;
    Ints in(static_cast<size_t>(own) + 1, -1);
    const typename F::Count count = own;
    show_call("reduce_scatter_block",
              F::reduce_scatter_block(static_cast<const void*>(out.data()),
                                      static_cast<void*>(in.data()), count,
                                      MPI_INT, MPI_SUM, h.inter),
              in);
    in.assign(in.size(), -1);
    const std::vector<typename F::Count> counts(static_cast<size_t>(h.local),
                                                count);
    const typename F::Count* const c = counts.data();
    show_call("reduce_scatter",
              F::reduce_scatter(static_cast<const void*>(out.data()),
                                static_cast<void*>(in.data()), c, MPI_INT,
                                MPI_SUM, h.inter),
              in);
  }
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_INTER_COLLECTIVES_H_
