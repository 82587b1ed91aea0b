// The neighbours of this process in a communicator's topology.
#ifndef POPRT_WRAPPERS_EDGES_NEIGHBORS_H_
#define POPRT_WRAPPERS_EDGES_NEIGHBORS_H_

#include <vector>

namespace poprt::mpi {

struct CommInfo;

// Ranks in the order of the standard; MPI_PROC_NULL for a missing one.
struct Neighbors {
  bool known = false;
  std::vector<int> in;
  std::vector<int> out;
};

// Finds them, if they are not known yet.
void find_neighbors(CommInfo& info);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_NEIGHBORS_H_
