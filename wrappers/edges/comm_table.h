// The tracked communicators of the program.  comms.h works on them.
#ifndef POPRT_WRAPPERS_EDGES_COMM_TABLE_H_
#define POPRT_WRAPPERS_EDGES_COMM_TABLE_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "wrappers/handle_table.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CommInfo;

struct CommTable {
  std::mutex mutex;
  // Protected by the mutex.
  HandleTable<CommInfo> by_handle;
  // Also of communicators that the program still has.
  std::vector<MPI_Comm> tainted_shadows;

  // Changes with the table: threads remember the communicator used last.
  std::atomic<uint32_t> generation{0};
  std::atomic<int> shadows{0};  // how many there are
  std::atomic<int> next_number{1};
  std::atomic<int> keys{0};  // given by this process
  // made by MPI_Comm_idup and not complete yet
  std::atomic<int> unfinished{0};
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_COMM_TABLE_H_
