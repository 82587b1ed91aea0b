// Collectives with a root, in any form of collectives.h.
#ifndef POPRT_TESTS_TRANSPARENCY_ROOTED_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_ROOTED_COLLECTIVES_H_

#include "collectives.h"

namespace transparency {

template <class F>
void bcast_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int root = 0; root < w.size; ++root) {
    for (const int n : {0, 1, 6, 10000}) {
      Ints data = w.rank == root ? numbers(n, root * 7)
                                 : Ints(static_cast<size_t>(n), -1);
      const typename F::Count count = n;
      const int code =
          F::bcast(static_cast<void*>(data.data()), count, MPI_INT, root, comm);
      show_call("bcast", code, data);
    }
  }
  typename F::Count none = 0;
  show("nothing", F::bcast(kNoReceive, none, MPI_INT, 0, comm));
}

template <class F>
void scatter_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int root = 0; root < w.size; ++root) {
    for (const int n : {0, 1, 5, 2000}) {
      const bool is_root = w.rank == root;
      const typename F::Count count = n;
      // Arguments of the root are null elsewhere.
      Ints out = is_root ? numbers(n * w.size, root) : Ints();
      Ints in(static_cast<size_t>(n) + 1, -1);
      int code =
          F::scatter(static_cast<const void*>(is_root ? out.data() : nullptr),
                     count, is_root ? MPI_INT : MPI_DATATYPE_NULL,
                     static_cast<void*>(in.data()), count, MPI_INT, root, comm);
      show_call("scatter", code, in);
      in.assign(in.size(), -1);
      void* const receive =
          is_root ? MPI_IN_PLACE : static_cast<void*>(in.data());
      code = F::scatter(static_cast<const void*>(out.data()), count, MPI_INT,
                        receive, count, MPI_INT, root, comm);
      show_call("in place", code, in);
    }
  }
}

template <class F>
void scatterv_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int root = 0; root < w.size; ++root) {
    for (int seed = 0; seed < 3; ++seed) {
      const bool is_root = w.rank == root;
      const Pieces<F> pieces(sizes_of(w.size, seed));
      const Ints out = numbers(static_cast<int>(pieces.room()), root);
      Ints in(4, -1);
      const auto own = static_cast<size_t>(w.rank);
      int code = F::scatterv(
          static_cast<const void*>(is_root ? out.data() : nullptr),
          is_root ? pieces.c() : nullptr, is_root ? pieces.p() : nullptr,
          is_root ? MPI_INT : MPI_DATATYPE_NULL, static_cast<void*>(in.data()),
          pieces.counts[own], MPI_INT, root, comm);
      show_call("scatterv", code, in);
      in.assign(4, -1);
      void* const receive =
          is_root ? MPI_IN_PLACE : static_cast<void*>(in.data());
      code = F::scatterv(static_cast<const void*>(out.data()), pieces.c(),
                         pieces.p(), MPI_INT, receive, pieces.counts[own],
                         MPI_INT, root, comm);
      show_call("in place", code, in);
    }
  }
}

template <class F>
void gather_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int root = 0; root < w.size; ++root) {
    for (const int n : {0, 1, 5, 2000}) {
      const bool is_root = w.rank == root;
      const typename F::Count count = n;
      const Ints out = numbers(n, w.rank * 10);
      Ints in(is_root ? w.room(n) : 0, -1);
      int code =
          F::gather(static_cast<const void*>(out.data()), count, MPI_INT,
                    static_cast<void*>(is_root ? in.data() : nullptr), count,
                    is_root ? MPI_INT : MPI_DATATYPE_NULL, root, comm);
      show_call("gather", code, in);
      in.assign(in.size(), -2);
      code = F::gather(
          is_root ? kInPlace : static_cast<const void*>(out.data()), count,
          MPI_INT, static_cast<void*>(in.data()), count, MPI_INT, root, comm);
      show_call("in place", code, in);
    }
  }
}

template <class F>
void gatherv_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int root = 0; root < w.size; ++root) {
    for (int seed = 0; seed < 3; ++seed) {
      const bool is_root = w.rank == root;
      const Pieces<F> pieces(sizes_of(w.size, seed));
      const Ints out = numbers(4, w.rank * 10);
      Ints in(pieces.room(), -1);
      const auto own = static_cast<size_t>(w.rank);
      int code = F::gatherv(
          static_cast<const void*>(out.data()), pieces.counts[own], MPI_INT,
          static_cast<void*>(is_root ? in.data() : nullptr),
          is_root ? pieces.c() : nullptr, is_root ? pieces.p() : nullptr,
          is_root ? MPI_INT : MPI_DATATYPE_NULL, root, comm);
      show_call("gatherv", code, in);
      in.assign(in.size(), -2);
      code =
          F::gatherv(is_root ? kInPlace : static_cast<const void*>(out.data()),
                     pieces.counts[own], MPI_INT, static_cast<void*>(in.data()),
                     pieces.c(), pieces.p(), MPI_INT, root, comm);
      show_call("in place", code, in);
    }
  }
}

template <class F>
void reduce_cases(MPI_Comm comm) {
  const Where<F> w(comm);
  for (int root = 0; root < w.size; ++root) {
    for (const int n : {0, 1, 5, 3000}) {
      const bool is_root = w.rank == root;
      const typename F::Count count = n;
      const Ints out = numbers(n, w.rank * 10);
      Ints in(static_cast<size_t>(n) + 1, -1);
      const int code =
          F::reduce(static_cast<const void*>(out.data()),
                    static_cast<void*>(is_root ? in.data() : nullptr), count,
                    MPI_INT, n % 2 == 0 ? MPI_SUM : MPI_MAX, root, comm);
      show_call("reduce", code, in);
      // MPICH 4.0 crashes with MPI_IN_PLACE at another root.
      if (root != 0) continue;
      in = numbers(n, w.rank * 10);
      const int again = F::reduce(
          is_root ? kInPlace : static_cast<const void*>(out.data()),
          static_cast<void*>(in.data()), count, MPI_INT, MPI_SUM, root, comm);
      show_call("in place", again, in);
    }
  }
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_ROOTED_COLLECTIVES_H_
