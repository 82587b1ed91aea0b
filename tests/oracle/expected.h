// What a report has to say about a history: accumulators, clocks and metrics
// of every region, computed from the execution graph.  Of src/model only the
// structs are used.  The sources of what parallel regions lose have a model of
// their own (tests/sources); here only their sum is compared, see rules.cc.
//
// Where docs/metrics.md leaves a choice:
//  - a thread that is not in the team, or not at work, of a parallel region
//    instance waits for the slowest thread like any other (I_lb); what no
//    thread of the process is busy in is I_sch, for all its threads;
//  - of an instance that a region does not contain as a whole, all idle time
//    in the region is I_lb;
//  - the population of the MPI rows of the multiplicative model is the primary
//    thread and, where other threads spend time in MPI, those.  Outside
//    parallel regions such a thread is where the primary is.
#ifndef POPRT_TESTS_ORACLE_EXPECTED_H_
#define POPRT_TESTS_ORACLE_EXPECTED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/metrics.h"
#include "model/totals.h"
#include "oracle/com_paths.h"
#include "oracle/execution_graph.h"

namespace poprt::oracle {

// The times of one thread in one region.
struct ThreadShare {
  bool member = false;
  int64_t useful_ns = 0;
  int64_t mpi_ns = 0;
  int64_t mpi_io_ns = 0;       // of mpi_ns
  int64_t mpi_waiting_ns = 0;  // likewise
  int64_t omp_ns = 0;
  int64_t useful_in_parallel_ns = 0;
  int64_t mpi_in_parallel_ns = 0;
  int64_t clock_ns[3][3] = {};  // by Scope and Clock
  int64_t coow_ns = 0;
  ComClocks com;  // where threads keep it
};

// The times of one process in one region.
struct ProcessShare {
  std::string host;
  int64_t visits = 0;
  int64_t threads = 0;  // members
  int64_t elapsed_ns = 0;
  std::vector<ThreadShare> lines;
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
  int64_t coow_ns = 0;         // between its CUE and ALL
  int64_t serial_ns = 0;       // useful time outside parallel regions
  int64_t outside_mpi_ns = 0;  // serial and openmp
  std::vector<int64_t> callers_outside_ns;
  // TALP, summed over threads.
  int64_t idle_serial_ns = 0;
  int64_t idle_load_balance_ns = 0;
  int64_t idle_scheduling_ns = 0;
  int64_t mpi_worker_idle_ns = 0;
};

// What the MPI calls of a thread waited for late partners in a region, and the
// clock COOW at its end.
struct ThreadWaits {
  int64_t waiting_ns = 0;
  int64_t coow_ns = 0;
};
// By process and thread.
using Waits = std::vector<std::vector<ThreadWaits>>;
Waits mpi_waits(const ExecutionGraph& graph, int region);

// What the longest path is made of, by region (0: outside of all others) and
// process, and its length without the useful time in a region.
struct Path {
  static constexpr int kOpenMp = -1;
  static constexpr int kMpi = -2;
  // In OpenMP, behind an action of this kind.
  static int openmp_behind(Kind kind) { return -3 - static_cast<int>(kind); }
  void add(int what, int process, int64_t ns) {
    if (ns != 0) parts[{what, process}] += ns;
    most_parts = std::max(most_parts, parts.size());
  }

  int64_t all_ns = 0;
  int64_t without_ns = 0;
  std::map<std::pair<int, int>, int64_t> parts;
  size_t most_parts = 0;  // that there ever were
  // Two partners were equally late: it may go over to either.
  bool is_tied = false;
};
// `constructs`: time in OpenMP is told apart by the action that it is behind.
// REQUIRES: no clocks come late, and nothing is restarted.
Path longest_path(const ExecutionGraph& graph, int left_out, bool constructs);

std::vector<ProcessShare> process_shares(const ExecutionGraph& graph,
                                         int region);

// Sums, maxima and clocks over processes.
RegionTotals expected_totals(const std::vector<ProcessShare>& shares);

// REQUIRES: at least one process entered the region.
Metrics expected_metrics(const std::vector<ProcessShare>& shares);

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_EXPECTED_H_
