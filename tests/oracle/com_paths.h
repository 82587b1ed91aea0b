// The clocks COM and COMP (docs/edges.md): those of a process as the line of
// its primary thread, until it first calls MPI elsewhere than on that line;
// those of each thread from then on.
//
// Where the standards leave a choice:
//  - a message of a line carries no more than the ALL of the thread that sends
//    it, and a thread has no more than its ALL and no less than its CUE;
//  - who left clocks before the process's threads kept COM has left none of it,
//    and is nobody who came;
//  - in a region that is opened or closed while a thread waits, what counts of
//    the wait is the last of the time that the region was open in it.
#ifndef POPRT_TESTS_ORACLE_COM_PATHS_H_
#define POPRT_TESTS_ORACLE_COM_PATHS_H_

#include <cstdint>
#include <vector>

#include "oracle/execution_graph.h"

namespace poprt::oracle {

struct ComClocks {
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
};

// At the end, of each process: its own, and those of its threads if these keep
// them.
struct ComOfProcess {
  ComClocks process;
  bool by_thread = false;
  std::vector<ComClocks> threads;
};

std::vector<ComOfProcess> com_paths(const ExecutionGraph& graph, int region);

// The action with which each process's threads begin to keep COM; past the last
// one if they never do.
std::vector<size_t> com_starts(const ExecutionGraph& graph);

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_COM_PATHS_H_
