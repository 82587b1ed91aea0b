// JobReport: all that a report is written from.  The text and the JSON writer
// take the same one, so that a number in one cannot differ from the other.
#ifndef POPRT_MODEL_JOB_H_
#define POPRT_MODEL_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/constructs.h"
#include "model/losses.h"
#include "model/metrics.h"
#include "model/totals.h"

namespace poprt {

// The region that is always there: the whole of the measurement.
inline constexpr char kGlobalRegion[] = "Global";

// Where and how the program ran, as the reporting process saw it.
struct RunContext {
  std::string program;               // base name of the executable
  std::vector<std::string> command;  // as started
  std::string start_time;            // ISO 8601, UTC
  std::string mpi_library;           // empty without MPI
  std::string mpi_thread_level;      // "MPI_THREAD_FUNNELED"; empty without MPI
  std::string openmp_runtime;        // empty without OpenMP
  std::string clock;                 // "tsc" or "clock_monotonic"
  std::string imported_from;         // "TALP 3.5.3"; empty: poprt's own run
};

struct RegionReport {
  RegionTotals totals;
  Metrics metrics;
  Metrics losses;  // see losses_of(): what each metric's row lost
  bool clocks_complete = true;
};

struct JobReport {
  RunContext context;
  JobTotals totals;                   // its regions have moved to `regions`
  std::vector<RegionReport> regions;  // Global first, then by core time lost
  std::vector<ConstructReport> constructs;  // see construct_reports()
};

// Core time of the region that was not useful, over all its threads, in ns.
int64_t lost_core_ns(const RegionTotals& region);

// Computes the metrics of every region that has a name and that a process
// entered; the others are left out.
// `locate` names the constructs that are shown.
JobReport make_report(RunContext context, JobTotals totals,
                      const Locate& locate = nullptr);

// Another tool measured it: no clock is complete, and what that tool's files
// lack is 0 in the totals.
bool is_imported(const JobReport& report);

// How long the region took, in ns: R, and of an imported run the time of the
// process with most.  NaN where the region's clocks are incomplete.
double run_time_ns(const JobReport& report, const RegionReport& region);

// Global, or nullptr where nothing was measured.
const RegionReport* global_region(const JobReport& report);

// All core time there was, in ns: Global's threads times its run time.  0
// where nothing was measured.
int64_t job_core_ns(const JobReport& report);

// Which layers the job has, and whether the region's clocks are complete.
Layers layers_of(const JobReport& report, const RegionReport& region);

}  // namespace poprt

#endif  // POPRT_MODEL_JOB_H_
