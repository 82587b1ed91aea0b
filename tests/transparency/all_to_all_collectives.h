// Collectives without a root, in any form of collectives.h.
#ifndef POPRT_TESTS_TRANSPARENCY_ALL_TO_ALL_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_ALL_TO_ALL_COLLECTIVES_H_

#include "collectives.h"

namespace transparency {

template <class F>
void allreduce_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (const int n : {0, 1, 5, 3000}) {
    for (const MPI_Op op : {MPI_SUM, MPI_MIN, MPI_BXOR}) {
      const typename F::Count count = n;
      const Ints out = numbers(n, w.rank * 10);
      Ints in(static_cast<size_t>(n) + 1, -1);
      int code =
          F::allreduce(static_cast<const void*>(out.data()),
                       static_cast<void*>(in.data()), count, MPI_INT, op, comm);
      show_call("allreduce", code, in);
      in = out;
      code = F::allreduce(kInPlace, static_cast<void*>(in.data()), count,
                          MPI_INT, op, comm);
      show_call("in place", code, in);
    }
  }
}

template <class F>
void allgather_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const typename F::Count count = n;
    const Ints out = numbers(n, w.rank * 10);
    Ints in(w.room(n), -1);
    int code =
        F::allgather(static_cast<const void*>(out.data()), count, MPI_INT,
                     static_cast<void*>(in.data()), count, MPI_INT, comm);
    show_call("allgather", code, in);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = w.rank * 1000 + static_cast<int>(i);
    code = F::allgather(kInPlace, typename F::Count{0}, MPI_DATATYPE_NULL,
                        static_cast<void*>(in.data()), count, MPI_INT, comm);
    show_call("in place", code, in);
  }
}

template <class F>
void allgatherv_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const Pieces<F> pieces(sizes_of(w.size, seed));
    const Ints out = numbers(4, w.rank * 10);
    Ints in(pieces.room(), -1);
    int code = F::allgatherv(static_cast<const void*>(out.data()),
                             pieces.counts[static_cast<size_t>(w.rank)],
                             MPI_INT, static_cast<void*>(in.data()), pieces.c(),
                             pieces.p(), MPI_INT, comm);
    show_call("allgatherv", code, in);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = w.rank * 1000 + static_cast<int>(i);
    code = F::allgatherv(kInPlace, typename F::Count{0}, MPI_DATATYPE_NULL,
                         static_cast<void*>(in.data()), pieces.c(), pieces.p(),
                         MPI_INT, comm);
    show_call("in place", code, in);
  }
  // No process contributes anything.
  const Pieces<F> nothing(std::vector<int>(static_cast<size_t>(w.size), 0));
  show("nothing",
       F::allgatherv(kNoSend, typename F::Count{0}, MPI_INT, kNoReceive,
                     nothing.c(), nothing.p(), MPI_INT, comm));
}

template <class F>
void alltoall_cases(MPI_Comm comm, bool in_place) {
  const Where<F> w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const typename F::Count count = n;
    const Ints out = numbers(n * w.size, w.rank * 100);
    Ints in(w.room(n), -1);
    int code = F::alltoall(static_cast<const void*>(out.data()), count, MPI_INT,
                           static_cast<void*>(in.data()), count, MPI_INT, comm);
    show_call("alltoall", code, in);
    if (!in_place) continue;
    in = out;
    code = F::alltoall(kInPlace, typename F::Count{0}, MPI_DATATYPE_NULL,
                       static_cast<void*>(in.data()), count, MPI_INT, comm);
    show_call("in place", code, in);
  }
}

// From i to j: (i * 2 + j + seed) % 3 numbers.
template <class F>
struct PairwisePieces {
  PairwisePieces(const Where<F>& w, int seed) {
    for (int q = 0; q < w.size; ++q) {
      out_sizes.push_back((w.rank * 2 + q + seed) % 3);
      in_sizes.push_back((q * 2 + w.rank + seed) % 3);
    }
  }
  std::vector<int> out_sizes;
  std::vector<int> in_sizes;
};

// In place, both directions have the same counts.
template <class F>
std::vector<int> symmetric_sizes(const Where<F>& w) {
  std::vector<int> sizes;
  for (int q = 0; q < w.size; ++q) sizes.push_back((w.rank + q) % 3);
  return sizes;
}

template <class F>
void alltoallv_cases(MPI_Comm comm, bool in_place) {
  const Where<F> w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const PairwisePieces<F> sizes(w, seed);
    const Pieces<F> to(sizes.out_sizes);
    const Pieces<F> from(sizes.in_sizes);
    const Ints out = numbers(static_cast<int>(to.room()), w.rank * 100);
    Ints in(from.room(), -1);
    const int code = F::alltoallv(
        static_cast<const void*>(out.data()), to.c(), to.p(), MPI_INT,
        static_cast<void*>(in.data()), from.c(), from.p(), MPI_INT, comm);
    show_call("alltoallv", code, in);
  }
  const Pieces<F> nothing(std::vector<int>(static_cast<size_t>(w.size), 0));
  // MPICH 4.0 takes two null buffers for the same buffer.
  int unused[2] = {0, 0};
  show("nothing",
       F::alltoallv(static_cast<const void*>(&unused[0]), nothing.c(),
                    nothing.p(), MPI_INT, static_cast<void*>(&unused[1]),
                    nothing.c(), nothing.p(), MPI_INT, comm));
  if (!in_place) return;
  const Pieces<F> both(symmetric_sizes(w));
  Ints data = numbers(static_cast<int>(both.room()), w.rank * 100);
  const typename F::Count* const no_counts = nullptr;
  const typename F::Place* const no_places = nullptr;
  const int code = F::alltoallv(
      kInPlace, no_counts, no_places, MPI_DATATYPE_NULL,
      static_cast<void*>(data.data()), both.c(), both.p(), MPI_INT, comm);
  show_call("in place", code, data);
}

template <class F>
void alltoallw_cases(MPI_Comm comm, bool in_place) {
  const Where<F> w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const PairwisePieces<F> sizes(w, seed);
    const Pieces<F> to(sizes.out_sizes);
    const Pieces<F> from(sizes.in_sizes);
    const Ints out = numbers(static_cast<int>(to.room()), w.rank * 100);
    Ints in(from.room(), -1);
    const int code = F::alltoallw(static_cast<const void*>(out.data()), to.c(),
                                  to.b(), to.t(), static_cast<void*>(in.data()),
                                  from.c(), from.b(), from.t(), comm);
    show_call("alltoallw", code, in);
  }
  if (!in_place) return;
  const Pieces<F> both(symmetric_sizes(w));
  Ints data = numbers(static_cast<int>(both.room()), w.rank * 100);
  const typename F::Count* const no_counts = nullptr;
  const typename F::Place* const no_places = nullptr;
  const MPI_Datatype* const no_types = nullptr;
  const int code = F::alltoallw(kInPlace, no_counts, no_places, no_types,
                                static_cast<void*>(data.data()), both.c(),
                                both.b(), both.t(), comm);
  show_call("in place", code, data);
}

template <class F>
void reduce_scatter_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int seed = 0; seed < 3; ++seed) {
    const Pieces<F> pieces(sizes_of(w.size, seed));
    const Ints out = numbers(static_cast<int>(pieces.room()), w.rank * 100);
    Ints in(4, -1);
    int code = F::reduce_scatter(static_cast<const void*>(out.data()),
                                 static_cast<void*>(in.data()), pieces.c(),
                                 MPI_INT, MPI_SUM, comm);
    show_call("reduce_scatter", code, in);
    in = out;
    code = F::reduce_scatter(kInPlace, static_cast<void*>(in.data()),
                             pieces.c(), MPI_INT, MPI_SUM, comm);
    // The rest of the buffer is MPI's.
    in.resize(static_cast<size_t>(pieces.counts[static_cast<size_t>(w.rank)]));
    show_call("in place", code, in);
  }
}

template <class F>
void reduce_scatter_block_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (const int n : {0, 1, 4, 500}) {
    const typename F::Count count = n;
    const Ints out = numbers(n * w.size, w.rank * 100);
    Ints in(static_cast<size_t>(n) + 1, -1);
    int code = F::reduce_scatter_block(static_cast<const void*>(out.data()),
                                       static_cast<void*>(in.data()), count,
                                       MPI_INT, MPI_SUM, comm);
    show_call("reduce_scatter_block", code, in);
    in = out;
    code = F::reduce_scatter_block(kInPlace, static_cast<void*>(in.data()),
                                   count, MPI_INT, MPI_SUM, comm);
    in.resize(static_cast<size_t>(n));
    show_call("in place", code, in);
  }
}

template <class F>
void scan_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const typename F::Count count = n;
    const Ints out = numbers(n, w.rank * 10);
    Ints in(static_cast<size_t>(n) + 1, -1);
    int code =
        F::scan(static_cast<const void*>(out.data()),
                static_cast<void*>(in.data()), count, MPI_INT, MPI_SUM, comm);
    show_call("scan", code, in);
    in = out;
    code = F::scan(kInPlace, static_cast<void*>(in.data()), count, MPI_INT,
                   MPI_SUM, comm);
    show_call("in place", code, in);
  }
}

template <class F>
void exscan_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (const int n : {0, 1, 5, 2000}) {
    const typename F::Count count = n;
    const Ints out = numbers(n, w.rank * 10);
    Ints in(static_cast<size_t>(n) + 1, -1);
    int code =
        F::exscan(static_cast<const void*>(out.data()),
                  static_cast<void*>(in.data()), count, MPI_INT, MPI_SUM, comm);
    // Undefined on the first process.
    show_call("exscan", code, w.rank == 0 ? Ints() : in);
    in = out;
    code = F::exscan(kInPlace, static_cast<void*>(in.data()), count, MPI_INT,
                     MPI_SUM, comm);
    show_call("in place", code, w.rank == 0 ? Ints() : in);
  }
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_ALL_TO_ALL_COLLECTIVES_H_
