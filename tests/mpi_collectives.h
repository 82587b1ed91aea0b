// The names of all collectives that move data.
#ifndef POPRT_TESTS_MPI_COLLECTIVES_H_
#define POPRT_TESTS_MPI_COLLECTIVES_H_

// FORM(our name, blocking, nonblocking name) of each.
#define POPRT_WORLD_COLLECTIVES(FORM)                                     \
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
  FORM(exscan, Exscan, Iexscan)

// Those of topologies.
#define POPRT_NEIGHBOR_COLLECTIVES(FORM)                               \
  FORM(neighbor_allgather, Neighbor_allgather, Ineighbor_allgather)    \
  FORM(neighbor_allgatherv, Neighbor_allgatherv, Ineighbor_allgatherv) \
  FORM(neighbor_alltoall, Neighbor_alltoall, Ineighbor_alltoall)       \
  FORM(neighbor_alltoallv, Neighbor_alltoallv, Ineighbor_alltoallv)    \
  FORM(neighbor_alltoallw, Neighbor_alltoallw, Ineighbor_alltoallw)

#define POPRT_COLLECTIVES(FORM) \
  POPRT_WORLD_COLLECTIVES(FORM) \
  POPRT_NEIGHBOR_COLLECTIVES(FORM)

#endif  // POPRT_TESTS_MPI_COLLECTIVES_H_
