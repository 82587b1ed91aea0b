#include "wrappers/edges/neighbors.h"

#include "wrappers/state.h"

namespace poprt::mpi {

void find_neighbors(CommInfo& info) {
  if (info.edges.neighbors.known) return;
  info.edges.neighbors.known = true;
  int kind = MPI_UNDEFINED;
  pmpi().Topo_test(info.comm, &kind);
  std::vector<int>& in = info.edges.neighbors.in;
  std::vector<int>& out = info.edges.neighbors.out;
  if (kind == MPI_CART) {
    int dims = 0;
    pmpi().Cartdim_get(info.comm, &dims);
    for (int d = 0; d < dims; ++d) {
      int low = MPI_PROC_NULL;
      int high = MPI_PROC_NULL;
      pmpi().Cart_shift(info.comm, d, 1, &low, &high);
      in.push_back(low);
      in.push_back(high);
    }
    out = in;
  } else if (kind == MPI_GRAPH) {
    int count = 0;
    pmpi().Graph_neighbors_count(info.comm, info.rank, &count);
    in.resize(static_cast<size_t>(count));
    pmpi().Graph_neighbors(info.comm, info.rank, count, in.data());
    out = in;
  } else if (kind == MPI_DIST_GRAPH) {
    int in_count = 0;
    int out_count = 0;
    int weighted = 0;
    pmpi().Dist_graph_neighbors_count(info.comm, &in_count, &out_count,
                                      &weighted);
    in.resize(static_cast<size_t>(in_count));
    out.resize(static_cast<size_t>(out_count));
    std::vector<int> weights(static_cast<size_t>(in_count + out_count) + 1);
    pmpi().Dist_graph_neighbors(info.comm, in_count, in.data(), weights.data(),
                                out_count, out.data(),
                                weights.data() + in_count);
  }
}

}  // namespace poprt::mpi
