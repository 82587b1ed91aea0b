// JobReport: everything that a report is written from.  All writers take the
// same one, so that a number in one form cannot differ from another.
#ifndef POPRT_MODEL_JOB_H_
#define POPRT_MODEL_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/constructs.h"
#include "model/metric_ranges.h"
#include "model/metrics.h"
#include "model/missing.h"
#include "model/site_reports.h"
#include "model/totals.h"
#include "model/windows.h"

namespace poprt {

// The region that always exists: the whole measurement.
inline constexpr char kGlobalRegion[] = "Global";

// What the batch system tells of the job; empty where it tells nothing.
struct BatchJob {
  std::string system;  // "Slurm"
  std::string id;
  std::string step;
  std::string name;
  std::string queue;
  std::string nodes;  // how many
  // Of its nodes, as it says it: "64(x2),32".
  std::string cpus_on_nodes;
  std::string cpus_per_task;
};

// What git knows of the folder that the program is in.
struct Checkout {
  std::string commit;  // empty if not known
  std::string branch;  // or another reference; empty if none is checked out
};

// Of a run that did not come to its end: processes that ended in the same way.
struct EndedRanks {
  std::string how;    // "MPI_Abort(3)"
  std::string ranks;  // "0-3,7"
  int64_t processes = 0;
  // For how long they were measured: the least and the most, in ns.
  int64_t measured_min_ns = 0;
  int64_t measured_max_ns = 0;
};

// Where and how the program ran, as seen by the process that writes the report.
struct RunContext {
  std::string program;               // base name of the executable
  std::vector<std::string> command;  // as started
  std::string start_time;            // ISO 8601, UTC
  std::string mpi_library;           // empty without MPI
  std::string mpi_thread_level;      // "MPI_THREAD_FUNNELED"; empty without MPI
  std::string openmp_runtime;        // empty without OpenMP
  std::string clock;                 // "tsc" or "clock_monotonic"
  BatchJob job;
  // The variables that decide how it ran (OMP_NUM_THREADS), by name.
  std::vector<Metadata> environment;
  Checkout checkout;
  std::string measured_by;    // version of the poprt that measured it
  std::string imported_from;  // "TALP 3.5.3"; empty for a run of poprt
  WindowSpec windows;         // what one is; off if there are none
  // Of a run that was recovered from pieces (piece.h); empty for a whole one.
  std::vector<EndedRanks> endings;
};

struct RegionReport {
  RegionTotals totals;
  Metrics metrics;
  Metrics losses;  // what each metric's row lost, see losses_of()
  MissingValues missing = {};
  bool clocks_complete = true;
};

// A window: a part of the run, as a region. Its name is made of its number.
struct WindowReport : RegionReport {
  int64_t index = 0;  // of all windows of this length, from 0
  // Of one that was measured in parts: between which values its clocks are, and
  // so its metrics. Empty where they are exact, or not known.
  std::vector<ClockBounds> bounds;
  MetricRange range;
  MetricRange losses_range;
};

// Windows of the run, in the order of their time.
struct WindowsReport {
  int64_t level = 0;  // each has 2^level steps
  std::vector<WindowReport> list;

  bool merged(const WindowReport& window) const {
    return is_merged_window(static_cast<int>(level), window.index);
  }
};

struct JobReport {
  RunContext context;
  JobTotals totals;  // without the regions, which are in `regions`
  std::vector<RegionReport> regions;  // Global first, then by core time lost
  WindowsReport windows;
  std::vector<ConstructReport> constructs;  // see construct_reports()
  // Likewise, of the regions but Global, in their order.
  std::vector<ConstructReport> region_constructs;
  std::vector<CallReport> calls;                     // see site_reports()
  std::vector<ConstructSiteReport> construct_sites;  // likewise
};

// The window that this is, if its clocks are not exact; else null.
const WindowReport* estimated_window(const JobReport& report,
                                     const RegionReport& region);

// Core time of the region that was not useful, over all its threads, in ns.
int64_t lost_core_ns(const RegionTotals& region);

// Computes the metrics of every region that has a name and that some process
// entered; other regions are left out.  `locate` names the constructs that are
// shown.
JobReport make_report(RunContext context, JobTotals totals,
                      const Locate& locate = nullptr);

// Whether another tool measured the run.  Then no clock is complete, and what
// the other tool's files lack is 0 in the totals.
bool is_imported(const JobReport& report);

// Whether the run did not come to its end, so that all times, counts and clocks
// are lower bounds.
inline bool is_incomplete(const RunContext& context) {
  return !context.endings.empty();
}

// How long the region took, in ns: R, or for an imported run the longest time
// of a process.  NaN if the region's clocks are incomplete.
double run_time_ns(const JobReport& report, const RegionReport& region);

// Global, or nullptr if nothing was measured.
const RegionReport* global_region(const JobReport& report);

// All core time of a region in ns: its threads times its run time.
int64_t core_ns(const RegionTotals& region);

// All core time of the run in ns: that of Global. 0 if nothing was measured.
int64_t job_core_ns(const JobReport& report);

// A time in ns as a share of that; NaN if nothing was measured.
double share_of_core_time(const JobReport& report, double ns);

// Whether the program has ended the OpenMP runtime, and gone on with it unseen
// (omp_pause_resource_all); otherwise unseen OpenMP is that of GCC.
bool openmp_has_ended(const JobReport& report);

// What was measured of the region.
Layers layers_of(const JobReport& report, const RegionReport& region);

}  // namespace poprt

#endif  // POPRT_MODEL_JOB_H_
