// Each collective in each form that the MPI library has.
#include "all_to_all_collectives.h"
#include "collectives.h"
#include "inter_collectives.h"
#include "neighbor_collectives.h"
#include "rooted_collectives.h"

namespace {

using namespace transparency;

#define POPRT_CASE_OF(Form, prefix, ours) \
  CASE(prefix##ours) { ours##_cases<Form>(MPI_COMM_WORLD); }

namespace blocking {
constexpr char kGroup[] = "collectives";
#define POPRT_FORM(ours, ...) POPRT_CASE_OF(Blocking, , ours)
POPRT_WORLD_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
}  // namespace blocking

namespace nonblocking {
constexpr char kGroup[] = "nonblocking_collectives";
#define POPRT_FORM(ours, ...) POPRT_CASE_OF(Nonblocking, i, ours)
POPRT_WORLD_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
}  // namespace nonblocking

#if defined(POPRT_HAS_MPI_Allreduce_init)
namespace persistent {
constexpr char kGroup[] = "persistent_collectives";
#define POPRT_FORM(ours, ...) POPRT_CASE_OF(Persistent, init_, ours)
POPRT_WORLD_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
}  // namespace persistent
#endif

#if defined(POPRT_HAS_MPI_Allreduce_init_c)
namespace large {
constexpr char kGroup[] = "large_collectives";
#define POPRT_FORM(ours, ...)              \
  POPRT_CASE_OF(LargeBlocking, , ours)     \
  POPRT_CASE_OF(LargeNonblocking, i, ours) \
  POPRT_CASE_OF(LargePersistent, init_, ours)
POPRT_WORLD_COLLECTIVES(POPRT_FORM)
#undef POPRT_FORM
}  // namespace large
#endif

namespace neighbourhood {
constexpr char kGroup[] = "neighbourhood";

template <class F>
void on_topologies() {
  MPI_Comm comm;
  for (const int periodic : {0, 1}) {
    const int dims[1] = {size()};
    const int periods[1] = {periodic};
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    line("ring, periodic %d", periodic);
    neighbor_cases<F>(comm);
    MPI_Comm_free(&comm);
  }
  int dims[2] = {0, 0};
  const int periods[2] = {1, 0};
  MPI_Dims_create(size(), 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
  line("grid");
  neighbor_cases<F>(comm);
  MPI_Comm_free(&comm);
}

template <class F>
void on_graphs() {
  MPI_Comm comm;
  // A star around process 0.
  Ints index;
  Ints edges;
  for (int p = 1; p < size(); ++p) edges.push_back(p);
  index.push_back(size() - 1);
  for (int p = 1; p < size(); ++p) {
    edges.push_back(0);
    index.push_back(static_cast<int>(edges.size()));
  }
  MPI_Graph_create(MPI_COMM_WORLD, size(), index.data(), edges.data(), 0,
                   &comm);
  line("star");
  neighbor_cases<F>(comm);
  MPI_Comm_free(&comm);
  // Each process sends to those after it; the last one sends to nobody.
  Ints sources;
  Ints targets;
  for (int p = 0; p < rank(); ++p) sources.push_back(p);
  for (int p = rank() + 1; p < size(); ++p) targets.push_back(p);
  MPI_Dist_graph_create_adjacent(
      MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
      MPI_UNWEIGHTED, static_cast<int>(targets.size()), targets.data(),
      MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  line("triangle");
#if defined(OPEN_MPI)
  neighbor_cases<F>(comm);
#else
  neighbor_cases<F>(comm, false);
#endif
  MPI_Comm_free(&comm);
  // A communicator in which no process has neighbours.
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, nullptr, MPI_UNWEIGHTED, 0,
                                 nullptr, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &comm);
  line("nobody");
  neighbor_cases<F>(comm);
  MPI_Comm_free(&comm);
}

CASE(topologies) { on_topologies<Blocking>(); }
CASE(graphs) { on_graphs<Blocking>(); }
CASE(nonblocking_topologies) { on_topologies<Nonblocking>(); }
CASE(nonblocking_graphs) { on_graphs<Nonblocking>(); }
#if defined(POPRT_HAS_MPI_Allreduce_init)
CASE(persistent_topologies) { on_topologies<Persistent>(); }
CASE(persistent_graphs) { on_graphs<Persistent>(); }
#endif
#if defined(POPRT_HAS_MPI_Allreduce_init_c)
CASE(large_topologies) { on_topologies<LargeBlocking>(); }
CASE(large_graphs) { on_graphs<LargeBlocking>(); }
CASE(large_nonblocking_topologies) { on_topologies<LargeNonblocking>(); }
CASE(large_nonblocking_graphs) { on_graphs<LargeNonblocking>(); }
CASE(large_persistent_topologies) { on_topologies<LargePersistent>(); }
CASE(large_persistent_graphs) { on_graphs<LargePersistent>(); }
#endif

CASE(self_as_neighbour_twice) {
  MPI_Comm comm;
  const int own[2] = {rank(), rank()};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, own, MPI_UNWEIGHTED, 2, own,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  neighbor_cases<Blocking>(comm);
  neighbor_cases<Nonblocking>(comm);
  MPI_Comm_free(&comm);
}

CASE(several_at_once) {
  MPI_Comm comm;
  const int dims[1] = {size()};
  const int periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
  Ints in(20, -1);
  const Ints out = numbers(20, rank() * 100);
  MPI_Request requests[5];
  for (size_t i = 0; i < 5; ++i) {
    MPI_Ineighbor_alltoall(&out[4 * i], 2, MPI_INT, &in[4 * i], 2, MPI_INT,
                           comm, &requests[i]);
  }
  MPI_Comm_free(&comm);
  for (int i = 4; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  show("data", in);
}

}  // namespace neighbourhood

namespace inter {
constexpr char kGroup[] = "intercomm_collectives";

template <class F>
void all_inter() {
  const Halves halves;
  inter_rooted_cases<F>(halves);
  inter_symmetric_cases<F>(halves);
}

CASE_FROM(blocking, 2) { all_inter<Blocking>(); }
CASE_FROM(nonblocking, 2) { all_inter<Nonblocking>(); }
CASE_FROM(reduce_scatter, 2) {
  const Halves halves;
  inter_reduce_scatter_cases<Blocking>(halves);
}
CASE_FROM(ireduce_scatter, 2) {
  const Halves halves;
  inter_reduce_scatter_cases<Nonblocking>(halves);
}
#if defined(POPRT_HAS_MPI_Allreduce_init)
CASE_FROM(persistent, 2) { all_inter<Persistent>(); }
#endif
#if defined(POPRT_HAS_MPI_Allreduce_init_c)
CASE_FROM(large, 2) { all_inter<LargeBlocking>(); }
CASE_FROM(large_nonblocking, 2) { all_inter<LargeNonblocking>(); }
CASE_FROM(large_persistent, 2) { all_inter<LargePersistent>(); }
#endif

CASE_FROM(barrier, 2) {
  const Halves halves;
  for (int i = 0; i < 10; ++i) {
    show("barrier", MPI_Barrier(halves.inter));
    MPI_Request request;
    MPI_Ibarrier(halves.inter, &request);
    show("ibarrier", MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
}

CASE_FROM(root_in_each_place, 2) {
  const Halves halves;
  const int low_size = halves.low ? halves.local : halves.remote;
  for (int r = 0; r < low_size; ++r) {
    const int root = inter_root(halves, true, r);
    int value = root == MPI_ROOT ? 100 + r : -1;
    MPI_Bcast(&value, 1, MPI_INT, root, halves.inter);
    int sum = -1;
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, halves.inter);
    line("value %d, sum %d", value, sum);
  }
}

CASE_FROM(root_runs_ahead, 2) {
  // Processes that take no part are not waited for.
  const Halves halves;
  for (int i = 0; i < 200; ++i) {
    const int root = inter_root(halves, i % 2 == 0, 0);
    int value = root == MPI_ROOT ? i : -1;
    MPI_Bcast(&value, 1, MPI_INT, root, halves.inter);
    if (value != i && root != MPI_PROC_NULL) line("wrong %d", value);
  }
  line("done");
}

CASE_FROM(several_at_once, 2) {
  const Halves halves;
  int out[8];
  int in[8];
  MPI_Request requests[8];
  for (int i = 0; i < 8; ++i) {
    out[i] = rank() + i;
    in[i] = -1;
    if (i % 2 == 0) {
      MPI_Iallreduce(&out[i], &in[i], 1, MPI_INT, MPI_SUM, halves.inter,
                     &requests[i]);
    } else {
      const int root = inter_root(halves, i % 4 == 1, 0);
      in[i] = root == MPI_ROOT ? i : -1;
      MPI_Ibcast(&in[i], 1, MPI_INT, root, halves.inter, &requests[i]);
    }
  }
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  show("values", Ints(in, in + 8));
}

}  // namespace inter

}  // namespace
