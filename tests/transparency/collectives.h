// Every collective, in every form that MPI has of it.
//
// A form has static functions with the names of the collectives; each makes the
// call and completes it.  Count is what it counts with, Place its
// displacements.
#ifndef POPRT_TESTS_TRANSPARENCY_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_COLLECTIVES_H_

#include "transparency.h"

namespace transparency {

// FORM(our name, blocking, nonblocking name) of all of them.
#define POPRT_COLLECTIVES(FORM)                                           \
  FORM(bcast, Bcast, Ibcast)                                              \
  FORM(scatter, Scatter, Iscatter)                                        \
  FORM(scatterv, Scatterv, Iscatterv)                                     \
  FORM(gather, Gather, Igather)                                           \
  FORM(gatherv, Gatherv, Igatherv)                                        \
  FORM(reduce, Reduce, Ireduce)                                           \
  FORM(allreduce, Allreduce, Iallreduce)                                  \
  FORM(allgather, Allgather, Iallgather)                                  \
  FORM(allgatherv, Allgatherv, Iallgatherv)                               \
  FORM(alltoall, Alltoall, Ialltoall)                                     \
  FORM(alltoallv, Alltoallv, Ialltoallv)                                  \
  FORM(alltoallw, Alltoallw, Ialltoallw)                                  \
  FORM(reduce_scatter, Reduce_scatter, Ireduce_scatter)                   \
  FORM(reduce_scatter_block, Reduce_scatter_block, Ireduce_scatter_block) \
  FORM(scan, Scan, Iscan)                                                 \
  FORM(exscan, Exscan, Iexscan)                                           \
  FORM(neighbor_allgather, Neighbor_allgather, Ineighbor_allgather)       \
  FORM(neighbor_allgatherv, Neighbor_allgatherv, Ineighbor_allgatherv)    \
  FORM(neighbor_alltoall, Neighbor_alltoall, Ineighbor_alltoall)          \
  FORM(neighbor_alltoallv, Neighbor_alltoallv, Ineighbor_alltoallv)       \
  FORM(neighbor_alltoallw, Neighbor_alltoallw, Ineighbor_alltoallw)

// Completes the request in a way that changes from call to call, and shows the
// status.
inline int complete_collective(MPI_Request* request) {
  static unsigned way = 0;
  Status status;
  int flag = 0;
  int index = -1;
  int code = MPI_SUCCESS;
  switch (way++ % 5) {
    case 0:
      code = MPI_Wait(request, &status);
      break;
    case 1:
      while (flag == 0 && code == MPI_SUCCESS) {
        code = MPI_Test(request, &flag, MPI_STATUS_IGNORE);
      }
      break;
    case 2:
      code = MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
      break;
    case 3:
      code = MPI_Waitany(1, request, &index, &status);
      break;
    default:
      while (flag == 0 && code == MPI_SUCCESS) {
        code = MPI_Request_get_status(*request, &flag, &status);
      }
      if (code == MPI_SUCCESS) code = MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  return code;
}

struct Blocking {
  using Count = int;
  using Place = int;
#define POPRT_FORM(ours, name, iname)       \
  template <class... Arguments>             \
  static int ours(Arguments... arguments) { \
    return MPI_##name(arguments...);        \
  }
  POPRT_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
};

struct Nonblocking {
  using Count = int;
  using Place = int;
#define POPRT_FORM(ours, name, iname)                        \
  template <class... Arguments>                              \
  static int ours(Arguments... arguments) {                  \
    MPI_Request request;                                     \
    const int code = MPI_##iname(arguments..., &request);    \
    if (code != MPI_SUCCESS) return code;                    \
    const int done = complete_collective(&request);          \
    if (request != MPI_REQUEST_NULL) line("not null after"); \
    return done;                                             \
  }
  POPRT_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
};

#if MPI_VERSION >= 4

// Starts it twice. With MPI_IN_PLACE the input of the second start is the
// result of the first, in the same way in all runs.
inline int start_twice(const std::string& name, MPI_Request* request) {
  int code = MPI_SUCCESS;
  // MPICH 4.0 cannot start these a second time.
  const int rounds = name == "bcast" || name == "scatter" ? 1 : 2;
  for (int round = 0; round < rounds && code == MPI_SUCCESS; ++round) {
    code = MPI_Start(request);
    if (code == MPI_SUCCESS) code = complete_collective(request);
  }
  MPI_Request_free(request);
  return code;
}

struct Persistent {
  using Count = int;
  using Place = int;
#define POPRT_FORM(ours, name, iname)                                          \
  template <class... Arguments>                                                \
  static int ours(Arguments... arguments) {                                    \
    MPI_Request request;                                                       \
    const int code = MPI_##name##_init(arguments..., MPI_INFO_NULL, &request); \
    return code == MPI_SUCCESS ? start_twice(#ours, &request) : code;          \
  }
  POPRT_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
};

struct LargeBlocking {
  using Count = MPI_Count;
  using Place = MPI_Aint;
#define POPRT_FORM(ours, name, iname)       \
  template <class... Arguments>             \
  static int ours(Arguments... arguments) { \
    return MPI_##name##_c(arguments...);    \
  }
  POPRT_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
};

struct LargeNonblocking {
  using Count = MPI_Count;
  using Place = MPI_Aint;
#define POPRT_FORM(ours, name, iname)                                  \
  template <class... Arguments>                                        \
  static int ours(Arguments... arguments) {                            \
    MPI_Request request;                                               \
    const int code = MPI_##iname##_c(arguments..., &request);          \
    return code == MPI_SUCCESS ? complete_collective(&request) : code; \
  }
  POPRT_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
};

struct LargePersistent {
  using Count = MPI_Count;
  using Place = MPI_Aint;
#define POPRT_FORM(ours, name, iname)                                 \
  template <class... Arguments>                                       \
  static int ours(Arguments... arguments) {                           \
    MPI_Request request;                                              \
    const int code =                                                  \
        MPI_##name##_init_c(arguments..., MPI_INFO_NULL, &request);   \
    return code == MPI_SUCCESS ? start_twice(#ours, &request) : code; \
  }
  POPRT_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
};

#endif

// Arguments where they do not count are null; typed, for the templates.
inline const void* const kInPlace = MPI_IN_PLACE;
inline const void* const kNoSend = nullptr;
inline void* const kNoReceive = nullptr;

template <class F>
struct Where {
  using Count = typename F::Count;
  using Place = typename F::Place;

  explicit Where(MPI_Comm c) : comm(c) {
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    int inter = 0;
    MPI_Comm_test_inter(c, &inter);
    peers = size;
    if (inter != 0) MPI_Comm_remote_size(c, &peers);
  }
  size_t room(int each) const {
    return static_cast<size_t>(each) *
               static_cast<size_t>(std::max(size, peers)) +
           1;
  }

  MPI_Comm comm;
  int rank;
  int size;
  int peers;
};

// Counts that differ from process to process, some of them zero, and where the
// data begins.
template <class F>
struct Pieces {
  explicit Pieces(const std::vector<int>& sizes) {
    // Never null: the MPI libraries take a null array for an error.
    counts.reserve(1);
    places.reserve(1);
    bytes.reserve(1);
    types.reserve(1);
    for (const int n : sizes) {
      counts.push_back(n);
      places.push_back(total);
      bytes.push_back(total * static_cast<typename F::Place>(sizeof(int)));
      total += n;
    }
    types.assign(sizes.size(), MPI_INT);
  }
  size_t room() const { return static_cast<size_t>(total) + 1; }
  const typename F::Count* c() const { return counts.data(); }
  const typename F::Place* p() const { return places.data(); }
  const typename F::Place* b() const { return bytes.data(); }
  const MPI_Datatype* t() const { return types.data(); }

  std::vector<typename F::Count> counts;
  std::vector<typename F::Place> places;
  std::vector<typename F::Place> bytes;
  std::vector<MPI_Datatype> types;
  typename F::Place total = 0;
};

inline std::vector<int> sizes_of(int processes, int seed) {
  std::vector<int> sizes;
  for (int i = 0; i < processes; ++i) sizes.push_back((i + seed) % 3);
  return sizes;
}

inline void show_call(const char* what, int code, const Ints& data) {
  line("%s: %s; %s", what, name_of_error(code).c_str(), text_of(data).c_str());
}

// ---- rooted -----------------------------------------------------------------

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

// ---- all to all -------------------------------------------------------------

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

// ---- neighbourhoods ---------------------------------------------------------

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
    const typename F::Count count = each;
    const auto room_out = static_cast<size_t>(each) * n.out.size() + 1;
    const auto room_in = static_cast<size_t>(each) * n.in.size() + 1;
    const Ints out = numbers(static_cast<int>(room_out), own * 100);
    Ints in(room_in, -1);
    const void* const send = out.data();
    void* const receive = in.data();
    const auto result = [&](const char* what, int code) {
      show_call(what, code, in);
      in.assign(room_in, -1);
    };
    result("allgather", F::neighbor_allgather(send, count, MPI_INT, receive,
                                              count, MPI_INT, comm));
    result("alltoall", F::neighbor_alltoall(send, count, MPI_INT, receive,
                                            count, MPI_INT, comm));
    const Pieces<F> from(std::vector<int>(n.in.size(), each));
    const Pieces<F> to(std::vector<int>(n.out.size(), each));
    result("allgatherv",
           F::neighbor_allgatherv(send, count, MPI_INT, receive, from.c(),
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
    result(
        "alltoallw",
        F::neighbor_alltoallw(
            send, to.c(), static_cast<const MPI_Aint*>(to_bytes.data()), to.t(),
            receive, from.c(), static_cast<const MPI_Aint*>(from_bytes.data()),
            from.t(), comm));
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
  const Ints out = numbers(static_cast<int>(to.room()), own * 100);
  Ints in(from.room(), -1);
  const int code = F::neighbor_alltoallv(
      static_cast<const void*>(out.data()), to.c(), to.p(), MPI_INT,
      static_cast<void*>(in.data()), from.c(), from.p(), MPI_INT, comm);
  show_call("uneven alltoallv", code, in);
}

// ---- between two groups -----------------------------------------------------

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

#endif  // POPRT_TESTS_TRANSPARENCY_COLLECTIVES_H_
