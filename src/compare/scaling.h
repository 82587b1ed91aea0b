// Every formula against a reference run, and nothing else (spec: metrics.md,
// section 6): from what one run and the reference did to scaling metrics.
#ifndef POPRT_COMPARE_SCALING_H_
#define POPRT_COMPARE_SCALING_H_

#include <cstddef>
#include <vector>

#include "model/job.h"
#include "model/totals.h"

namespace poprt {

// Strong: the runs have the same work together; weak: for each core.
enum class Scaling { kStrong, kWeak };

// What a run did in a region; NaN is unknown.
struct Work {
  double cores;         // threads of the processes that entered
  double run_time_ns;   // R
  double useful_ns;     // these three: sums over threads
  double instructions;  // useful ones
  double cycles;        // useful ones
};

// Run files have no instructions and cycles: these are NaN, and where they
// will be read from once there are any is here.
Work work_of(const JobReport& run, const RegionReport& region);
// Of the whole program.
Work work_of(const JobReport& run);

// Member by member the median of repeated runs.
Work median_of(const std::vector<Work>& runs);

// Undefined values are NaN; all are 1 in the reference itself.
struct ScalingMetrics {
  double load_increase_factor;  // 1 in strong scaling
  double speedup;
  double speedup_efficiency;  // speedup by the ratio of the cores
  double computation_scaling;
  double instruction_scaling;
  double ipc_scaling;
  double frequency_scaling;
};

ScalingMetrics scaling_of(const Work& work, const Work& reference,
                          Scaling scaling);

// Of any model: its Parallel Efficiency times Computation Scaling.
double global_efficiency(double parallel_efficiency,
                         double computation_scaling);

// The one list of scaling metrics, in report order: keys and labels.
struct ScalingMetric {
  const char* key;
  const char* label;
  int depth;  // below Global Efficiency
  bool needs_counters;
  double ScalingMetrics::*value;
};
inline constexpr ScalingMetric kScalingMetrics[] = {
    {"computation_scaling", "Computation Scaling", 1, false,
     &ScalingMetrics::computation_scaling},
    {"instruction_scaling", "Instruction Scaling", 2, true,
     &ScalingMetrics::instruction_scaling},
    {"ipc_scaling", "IPC Scaling", 2, true, &ScalingMetrics::ipc_scaling},
    {"frequency_scaling", "Frequency Scaling", 2, true,
     &ScalingMetrics::frequency_scaling},
};

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_H_
