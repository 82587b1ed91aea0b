// The weights of the heaviest paths of an execution graph (docs/edges.md), with
// weight zero outside of one region.
//
// Where the standards leave a choice: COM and COMP belong to the process, so a
// message may carry a path that another thread has received and the sending
// thread does not know. Such a path is cut to the sender's ALL; otherwise COM
// and COMP could exceed ALL in the end.
#ifndef POPRT_TESTS_ORACLE_CRITICAL_PATH_H_
#define POPRT_TESTS_ORACLE_CRITICAL_PATH_H_

#include <cstdint>
#include <vector>

#include "oracle/execution_graph.h"

namespace poprt::oracle {

// The order is that of the library's clocks, so that tests can count on it.
enum class Clock { kCue, kCoo, kAll };
enum class Scope { kThread, kProcess, kGlobal };

class CriticalPaths {
 public:
  CriticalPaths(const ExecutionGraph& graph, int region);

  // The weights to the end of each thread, by process and thread.
  std::vector<std::vector<int64_t>> to_threads(Clock clock, Scope scope) const;

  // COM, or COMP, to which MPI inside parallel regions counts, to the end of
  // each process.
  enum class Mpi { kNone, kInParallel };
  std::vector<int64_t> to_processes_outside_mpi(Mpi that_counts) const;

 private:
  std::vector<int64_t> to_nodes(Clock clock, Scope scope) const;

  const ExecutionGraph& graph_;
  const size_t region_;
  // The part of the stretch before each node that is in the region.
  std::vector<int64_t> weight_ns_;
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_CRITICAL_PATH_H_
