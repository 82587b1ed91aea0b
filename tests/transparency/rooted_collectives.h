// Collectives with a root, in any form of collectives.h.
#ifndef POPRT_TESTS_TRANSPARENCY_ROOTED_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_ROOTED_COLLECTIVES_H_

#include "collectives.h"

namespace transparency {

template <class F>
void bcast_cases(MPI_Comm comm) {
  const Where w(comm);
  w.as_each_root([&](int root, bool is_root) {
    for (const int n : {0, 1, 6, 10000}) {
      Ints data = is_root ? numbers(n, root * 7) : room_for(n);
      show_call("bcast", F::bcast(data.data(), n, MPI_INT, root, comm), data);
    }
  });
  show("nothing", F::bcast(nullptr, 0, MPI_INT, 0, comm));
}

// Arguments of the root are null elsewhere.
template <class F>
void scatter_cases(MPI_Comm comm) {
  const Where w(comm);
  w.as_each_root([&](int root, bool is_root) {
    for (const int n : {0, 1, 5, 2000}) {
      const Ints out = is_root ? numbers(n * w.size, root) : Ints();
      Ints in = room_for(n);
      show_call("scatter",
                F::scatter(is_root ? out.data() : nullptr, n,
                           is_root ? MPI_INT : MPI_DATATYPE_NULL, in.data(), n,
                           MPI_INT, root, comm),
                in);
      in = room_for(n);
      show_call(
          "in place",
          F::scatter(out.data(), n, MPI_INT, is_root ? MPI_IN_PLACE : in.data(),
                     n, MPI_INT, root, comm),
          in);
    }
  });
}

template <class F>
void scatterv_cases(MPI_Comm comm) {
  const Where w(comm);
  w.as_each_root([&](int root, bool is_root) {
    for (int seed = 0; seed < 3; ++seed) {
      const Pieces<F> pieces(sizes_of(w.size, seed));
      const Ints out = pieces.filled(root);
      const auto own = pieces.of(w.rank);
      Ints in = room_for(3);
      show_call("scatterv",
                F::scatterv(is_root ? out.data() : nullptr,
                            is_root ? pieces.c() : nullptr,
                            is_root ? pieces.p() : nullptr,
                            is_root ? MPI_INT : MPI_DATATYPE_NULL, in.data(),
                            own, MPI_INT, root, comm),
                in);
      in = room_for(3);
      show_call("in place",
                F::scatterv(out.data(), pieces.c(), pieces.p(), MPI_INT,
                            is_root ? MPI_IN_PLACE : in.data(), own, MPI_INT,
                            root, comm),
                in);
    }
  });
}

template <class F>
void gather_cases(MPI_Comm comm) {
  const Where w(comm);
  w.as_each_root([&](int root, bool is_root) {
    for (const int n : {0, 1, 5, 2000}) {
      const Ints out = numbers(n, w.rank * 10);
      Ints in = is_root ? room_for(n * w.size) : Ints();
      show_call("gather",
                F::gather(out.data(), n, MPI_INT, is_root ? in.data() : nullptr,
                          n, is_root ? MPI_INT : MPI_DATATYPE_NULL, root, comm),
                in);
      in.assign(in.size(), -2);
      show_call("in place",
                F::gather(is_root ? MPI_IN_PLACE : out.data(), n, MPI_INT,
                          in.data(), n, MPI_INT, root, comm),
                in);
    }
  });
}

template <class F>
void gatherv_cases(MPI_Comm comm) {
  const Where w(comm);
  w.as_each_root([&](int root, bool is_root) {
    for (int seed = 0; seed < 3; ++seed) {
      const Pieces<F> pieces(sizes_of(w.size, seed));
      const Ints out = numbers(4, w.rank * 10);
      const auto own = pieces.of(w.rank);
      Ints in = pieces.room();
      show_call(
          "gatherv",
          F::gatherv(out.data(), own, MPI_INT, is_root ? in.data() : nullptr,
                     is_root ? pieces.c() : nullptr,
                     is_root ? pieces.p() : nullptr,
                     is_root ? MPI_INT : MPI_DATATYPE_NULL, root, comm),
          in);
      in.assign(in.size(), -2);
      show_call(
          "in place",
          F::gatherv(is_root ? MPI_IN_PLACE : out.data(), own, MPI_INT,
                     in.data(), pieces.c(), pieces.p(), MPI_INT, root, comm),
          in);
    }
  });
}

template <class F>
void reduce_cases(MPI_Comm comm) {
  const Where w(comm);
  w.as_each_root([&](int root, bool is_root) {
    for (const int n : {0, 1, 5, 3000}) {
      const Ints out = numbers(n, w.rank * 10);
      Ints in = room_for(n);
      show_call("reduce",
                F::reduce(out.data(), is_root ? in.data() : nullptr, n, MPI_INT,
                          n % 2 == 0 ? MPI_SUM : MPI_MAX, root, comm),
                in);
      // MPICH 4.0 crashes with MPI_IN_PLACE at another root.
      if (root != 0) continue;
      in = out;
      show_call("in place",
                F::reduce(is_root ? MPI_IN_PLACE : out.data(), in.data(), n,
                          MPI_INT, MPI_SUM, root, comm),
                in);
    }
  });
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_ROOTED_COLLECTIVES_H_
