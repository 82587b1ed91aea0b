#include "wrappers/edges/windows.h"

#include "wrappers/edges/comms.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/state.h"

namespace poprt::mpi {

void add_window(CommInfo& comm, MPI_Win win) {
  // Made on the shadow, if `comm` has one of its own, so that the program's
  // error handler and attributes are not involved.
  CommInfo* const processes =
      new_processes(comm.for_all, false, like_parent, true);
  // Clocks of an epoch may be asked for before they have been written; only
  // messages can be waited for.  So no shared memory here.
  if (processes != nullptr) processes->node.number = 0;
  Window* const window = new Window;
  window->comm = processes;
  put_back_window(win, window);
}

Window* find_window(MPI_Win win) {
  const MaybeLock lock(job().edges.windows.mutex);
  return job().edges.windows.by_handle.find(key_of(win));
}

Window* take_window(MPI_Win win) {
  const MaybeLock lock(job().edges.windows.mutex);
  Window* const window = job().edges.windows.by_handle.find(key_of(win));
  job().edges.windows.by_handle.erase(key_of(win));
  return window;
}

void put_back_window(MPI_Win win, Window* window) {
  const MaybeLock lock(job().edges.windows.mutex);
  job().edges.windows.by_handle.insert(key_of(win), window);
}

void drop_window(Window* window) {
  if (window->comm != nullptr) release_comm(window->comm);
  delete window;
}

void find_partners(const CommInfo& comm, MPI_Group group,
                   std::vector<int>& ranks) {
  ranks.clear();
  int size = 0;
  MPI_Group all;
  // Open MPI's MPI_Win_start accepts a null group, its MPI_Group_size aborts.
  if (group == pmpi().group_null ||
      pmpi().Group_size(group, &size) != MPI_SUCCESS || size <= 0 ||
      pmpi().Comm_group(comm.shadow, &all) != MPI_SUCCESS) {
    return;
  }
  std::vector<int> in_group(static_cast<size_t>(size));
  for (int i = 0; i < size; ++i) in_group[static_cast<size_t>(i)] = i;
  ranks.resize(static_cast<size_t>(size));
  pmpi().Group_translate_ranks(group, size, in_group.data(), all, ranks.data());
  pmpi().Group_free(&all);
  size_t kept = 0;
  for (int rank : ranks) {
    if (rank >= 0 && rank != comm.rank) ranks[kept++] = rank;
  }
  ranks.resize(kept);
}

void owe_epoch(CommInfo& comm, const std::vector<int>& ranks, int tag) {
  for (int rank : ranks) owe_message(comm, rank, tag);
}

}  // namespace poprt::mpi
