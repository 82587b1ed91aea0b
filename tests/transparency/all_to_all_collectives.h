// Collectives without a root, in any form of collectives.h.
#ifndef POPRT_TESTS_TRANSPARENCY_ALL_TO_ALL_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_ALL_TO_ALL_COLLECTIVES_H_

#include "collectives.h"

namespace transparency {

// Numbers of the process, everywhere in the buffer.
inline Ints all_own(const Ints& buffer, int rank) {
  return numbers(static_cast<int>(buffer.size()), rank * 1000);
}

template <class F>
void allreduce_cases(MPI_Comm comm) {
  const Where w(comm);
  for (const int n : {0, 1, 5, 3000}) {
    for (const MPI_Op op : {MPI_SUM, MPI_MIN, MPI_BXOR}) {
      const Ints out = numbers(n, w.rank * 10);
      Ints in = room_for(n);
      show_call("allreduce",
                F::allreduce(out.data(), in.data(), n, MPI_INT, op, comm), in);
      in = out;
      show_call("in place",
                F::allreduce(MPI_IN_PLACE, in.data(), n, MPI_INT, op, comm),
                in);
    }
  }
}

template <class F>
void allgather_cases(MPI_Comm comm) {
  const Where w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const Ints out = numbers(n, w.rank * 10);
    Ints in = room_for(n * w.size);
    show_call("allgather",
              F::allgather(out.data(), n, MPI_INT, in.data(), n, MPI_INT, comm),
              in);
    in = all_own(in, w.rank);
    show_call("in place",
              F::allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data(), n,
                           MPI_INT, comm),
              in);
  }
}

template <class F>
void allgatherv_cases(MPI_Comm comm) {
  const Where w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const Pieces<F> pieces(sizes_of(w.size, seed));
    const Ints out = numbers(4, w.rank * 10);
    Ints in = pieces.room();
    show_call("allgatherv",
              F::allgatherv(out.data(), pieces.of(w.rank), MPI_INT, in.data(),
                            pieces.c(), pieces.p(), MPI_INT, comm),
              in);
    in = all_own(in, w.rank);
    show_call("in place",
              F::allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data(),
                            pieces.c(), pieces.p(), MPI_INT, comm),
              in);
  }
  // No process contributes anything.
  const auto nothing = no_pieces<F>(w.size);
  show("nothing", F::allgatherv(nullptr, 0, MPI_INT, nullptr, nothing.c(),
                                nothing.p(), MPI_INT, comm));
}

template <class F>
void alltoall_cases(MPI_Comm comm) {
  const Where w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const Ints out = numbers(n * w.size, w.rank * 100);
    Ints in = room_for(n * w.size);
    show_call("alltoall",
              F::alltoall(out.data(), n, MPI_INT, in.data(), n, MPI_INT, comm),
              in);
    in = out;
    show_call("in place",
              F::alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data(), n,
                          MPI_INT, comm),
              in);
  }
}

// What goes from i to j are (2 i + j + seed) % 3 numbers; in place, where both
// directions have the same counts, (i + j) % 3.
template <class F>
Pieces<F> pairwise(const Where& w, int own, int other, int seed = 0) {
  Ints sizes;
  for (int q = 0; q < w.size; ++q) {
    sizes.push_back((w.rank * own + q * other + seed) % 3);
  }
  return Pieces<F>(sizes);
}

template <class F>
void alltoallv_cases(MPI_Comm comm) {
  const Where w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const auto to = pairwise<F>(w, 2, 1, seed);
    const auto from = pairwise<F>(w, 1, 2, seed);
    const Ints out = to.filled(w.rank * 100);
    Ints in = from.room();
    show_call("alltoallv",
              F::alltoallv(out.data(), to.c(), to.p(), MPI_INT, in.data(),
                           from.c(), from.p(), MPI_INT, comm),
              in);
  }
  const auto nothing = no_pieces<F>(w.size);
  // MPICH 4.0 takes two null buffers for the same buffer.
  int unused[2] = {0, 0};
  show("nothing",
       F::alltoallv(&unused[0], nothing.c(), nothing.p(), MPI_INT, &unused[1],
                    nothing.c(), nothing.p(), MPI_INT, comm));
  const auto both = pairwise<F>(w, 1, 1);
  Ints data = both.filled(w.rank * 100);
  show_call("in place",
            F::alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL,
                         data.data(), both.c(), both.p(), MPI_INT, comm),
            data);
}

template <class F>
void alltoallw_cases(MPI_Comm comm) {
  const Where w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const auto to = pairwise<F>(w, 2, 1, seed);
    const auto from = pairwise<F>(w, 1, 2, seed);
    const Ints out = to.filled(w.rank * 100);
    Ints in = from.room();
    show_call("alltoallw",
              F::alltoallw(out.data(), to.c(), to.b(), to.t(), in.data(),
                           from.c(), from.b(), from.t(), comm),
              in);
  }
  const auto both = pairwise<F>(w, 1, 1);
  Ints data = both.filled(w.rank * 100);
  show_call("in place",
            F::alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, data.data(),
                         both.c(), both.b(), both.t(), comm),
            data);
}

template <class F>
void reduce_scatter_cases(MPI_Comm comm) {
  const Where w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const Pieces<F> pieces(sizes_of(w.size, seed));
    const Ints out = pieces.filled(w.rank * 100);
    Ints in = room_for(3);
    show_call("reduce_scatter",
              F::reduce_scatter(out.data(), in.data(), pieces.c(), MPI_INT,
                                MPI_SUM, comm),
              in);
    in = out;
    const int code = F::reduce_scatter(MPI_IN_PLACE, in.data(), pieces.c(),
                                       MPI_INT, MPI_SUM, comm);
    // The rest of the buffer is MPI's.
    in.resize(static_cast<size_t>(pieces.of(w.rank)));
    show_call("in place", code, in);
  }
}

template <class F>
void reduce_scatter_block_cases(MPI_Comm comm) {
  const Where w(comm);
  for (const int n : {0, 1, 4, 500}) {
    const Ints out = numbers(n * w.size, w.rank * 100);
    Ints in = room_for(n);
    show_call("reduce_scatter_block",
              F::reduce_scatter_block(out.data(), in.data(), n, MPI_INT,
                                      MPI_SUM, comm),
              in);
    in = out;
    const int code = F::reduce_scatter_block(MPI_IN_PLACE, in.data(), n,
                                             MPI_INT, MPI_SUM, comm);
    in.resize(static_cast<size_t>(n));
    show_call("in place", code, in);
  }
}

template <class F>
void scan_cases(MPI_Comm comm) {
  const Where w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const Ints out = numbers(n, w.rank * 10);
    Ints in = room_for(n);
    show_call("scan", F::scan(out.data(), in.data(), n, MPI_INT, MPI_SUM, comm),
              in);
    in = out;
    show_call("in place",
              F::scan(MPI_IN_PLACE, in.data(), n, MPI_INT, MPI_SUM, comm), in);
  }
}

template <class F>
void exscan_cases(MPI_Comm comm) {
  const Where w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const Ints out = numbers(n, w.rank * 10);
    Ints in = room_for(n);
    // Undefined on the first process.
    const auto result = [&](const char* what, int code) {
      show_call(what, code, w.rank == 0 ? Ints() : in);
    };
    result("exscan",
           F::exscan(out.data(), in.data(), n, MPI_INT, MPI_SUM, comm));
    in = out;
    result("in place",
           F::exscan(MPI_IN_PLACE, in.data(), n, MPI_INT, MPI_SUM, comm));
  }
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_ALL_TO_ALL_COLLECTIVES_H_
