// The weights of the heaviest paths of an execution graph (docs/edges.md), with
// weight zero outside of one region.
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

  // To each node.
  std::vector<int64_t> to_nodes(Clock clock, Scope scope) const;

 private:
  const ExecutionGraph& graph_;
  const size_t region_;
  // The part of the stretch before each node that is in the region.
  std::vector<int64_t> weight_ns_;
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_CRITICAL_PATH_H_
