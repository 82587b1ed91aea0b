// ExecutionGraph: what the specifications of MPI and OpenMP say about a
// history.
//
// A node is an action that is an event of its thread; it has the action's
// index.  A stretch leads from each node of a thread to its next, and an edge
// from each event to those that the standards of MPI and OpenMP order after it
// (docs/edges.md).  Written independently of the library's implementation.
//
// Where these leave a choice:
//  - a message that a process sends to itself is an MPI edge like any other:
//    it counts at global scope only;
//  - the first thread of a process waits in the runtime from zero to its
//    begin, a worker until its first task, wherever the primary thread is.
#ifndef POPRT_TESTS_ORACLE_EXECUTION_GRAPH_H_
#define POPRT_TESTS_ORACLE_EXECUTION_GRAPH_H_

#include <cstdint>
#include <vector>

#include "oracle/history.h"
#include "oracle/intervals.h"

namespace poprt::oracle {

enum class Activity : uint8_t { kUseful, kMpi, kMpiIo, kOmp, kLockWait };
inline bool in_mpi(Activity activity) {
  return activity == Activity::kMpi || activity == Activity::kMpiIo;
}

inline bool in_openmp(Activity activity) {
  return activity == Activity::kOmp || activity == Activity::kLockWait;
}

struct Edge {
  int from = 0;
  bool mpi = false;
};

// From the previous event to `end`; the last stretch of a thread ends at no
// event.
struct Stretch {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  Activity activity = Activity::kOmp;
};

struct Node {
  bool exists = false;
  int previous = -1;  // of the same thread
  Stretch before;
  std::vector<Edge> in;
};

struct ThreadLine {
  bool begun = false;
  bool member = false;  // has executed OpenMP code, or is the primary thread
  int last_node = -1;
  std::vector<Stretch> stretches;
};

// One instance of an outermost parallel region of the primary thread, or of a
// user's region.  end_index is past the last action where it did not end.
struct Instance {
  int begin_index = 0;
  int end_index = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  bool ended = false;
};

struct ProcessLine {
  int64_t end_ns = 0;
  std::vector<ThreadLine> threads;
  std::vector<Instance> parallel;
  std::vector<std::vector<Instance>> visits;  // by region
  IntervalSet in_parallel;                    // of the primary thread
  IntervalSet mpi;                            // the primary thread in MPI
  IntervalSet serial_mpi;                     // and not in parallel
  std::vector<IntervalSet> inside;            // by region
};

struct ExecutionGraph {
  explicit ExecutionGraph(const History& history);

  const History& history;
  std::vector<Node> nodes;
  std::vector<ProcessLine> processes;
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_EXECUTION_GRAPH_H_
