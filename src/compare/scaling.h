// The formulas of "Against a reference run" in docs/metrics.md: from what one
// run and the reference did to scaling metrics.
#ifndef POPRT_COMPARE_SCALING_H_
#define POPRT_COMPARE_SCALING_H_

#include <string>
#include <vector>

#include "model/job.h"
#include "model/ratio.h"
#include "model/totals.h"
#include "model/vectorisation.h"

namespace poprt {

// Strong: the runs have the same work in total.  Weak: the same work per core.
// Unknown: nothing tells how much work each has, so their work is not compared.
enum class Scaling { kStrong, kWeak, kUnknown };

// What the work of weak scaling grows with: the cores, the ranks (threads are
// added to the same work), or a number that the program has set as metadata.
struct Load {
  enum class By { kCores, kRanks, kMetadata };
  By by = By::kCores;
  std::string key;  // of the metadata
};

// What a run did in a region.  NaN if unknown, as all work is of threads that
// are not seen.
struct Work {
  double cores;         // threads of the processes that entered
  double run_time_ns;   // R
  double useful_ns;     // this and the next two: sums over threads
  double instructions;  // in useful time
  double cycles;        // likewise
  double counted_ns;    // the useful time in which cycles were counted
  // What the load increase factor compares.  Not used for strong scaling.
  double load = kUndefined;
  FloatCounts floats = {};
  // Of the hosts' processors, and their mean power; of the whole run only, as
  // the next two.
  double energy_j = kUndefined;
  double power_w = kUndefined;
  double waited_for_core = kUndefined;  // share of the core time
  double peak_memory_bytes = kUndefined;
};

Work work_of(const JobReport& run, const RegionReport& region,
             const Load& load = {});
// For the whole program; unknown if nothing of it was measured.
Work work_of(const JobReport& run, const Load& load = {});

// The number that the program has set for its load; NaN if there is none.
double metadata_number(const JobReport& run, const std::string& key);

// The medians of repeated runs, for each member: of the runs that know it, so
// that runs with different counters tell more together than each alone.
Work median_of(const std::vector<Work>& runs);

// Undefined values are NaN.  All are 1 for the reference itself.
struct ScalingMetrics {
  double load_increase_factor;  // 1 for strong scaling, NaN if it is unknown
  double speedup;
  double speedup_efficiency;  // speedup divided by the ratio of cores
  double computation_scaling;
  double instruction_scaling;
  double ipc_scaling;
  double frequency_scaling;
  // Beside Computation Scaling, not factors of it (D8.2, 3.5).
  double opc_scaling;
  double vectorisation_efficiency_scaling;
  double vectorisation_intensity_scaling;
  double average_ipc;
  double average_opc;
  double average_frequency;  // GHz
  double vectorisation_efficiency;
  double vectorisation_intensity;
  double energy_j = kUndefined;
  double power_w = kUndefined;
  double waited_for_core = kUndefined;
  double peak_memory_gb = kUndefined;
};

// `reference_ghz`: the frequency that counts as 1, if it is not the
// reference's; 0 for that.
ScalingMetrics scaling_of(const Work& work, const Work& reference,
                          Scaling scaling, double reference_ghz = 0);

// For any model: its Parallel Efficiency times Computation Scaling.
double global_efficiency(double parallel_efficiency,
                         double computation_scaling);

// Times are in ns, factors compare with the reference, numbers do not, all
// others are fractions.  A scaling may exceed 1: better than the reference.  A
// share is neither good nor bad, a loss is a share of the core time.
enum class ScalingKind {
  kTime,
  kFactor,
  kNumber,
  kEfficiency,
  kScaling,
  kShare,
  kLoss
};

// What a run must have counted for a row.
enum class ScalingNeed { kNothing, kCounters, kFloatingPoint, kEnergy, kHosts };

// The rows of a scaling table besides the metrics of its model, in the order of
// the report; the metrics of the model are below Global Efficiency.
struct ScalingMetric {
  const char* key;
  const char* label;
  int depth;
  ScalingKind kind;
  // nullptr for run time and Global Efficiency, which are not a single member.
  double ScalingMetrics::*value;
  ScalingNeed need = ScalingNeed::kNothing;
  // Left out if no run knows it.
  bool is_optional = false;
  // A sum or a largest value, of which a run that did not come to its end knows
  // the least.
  bool only_grows = false;
};
inline constexpr ScalingMetric kScalingMetrics[] = {
    {"run_time_ns", "run time", 0, ScalingKind::kTime, nullptr,
     ScalingNeed::kNothing, false, true},
    {"load_increase_factor", "load increase", 0, ScalingKind::kFactor,
     &ScalingMetrics::load_increase_factor},
    {"speedup", "speedup", 0, ScalingKind::kFactor, &ScalingMetrics::speedup},
    {"speedup_efficiency", "speedup / ideal", 0, ScalingKind::kScaling,
     &ScalingMetrics::speedup_efficiency},
    {"global_efficiency", "Global Efficiency", 0, ScalingKind::kScaling,
     nullptr},
    {"computation_scaling", "Computation Scaling", 1, ScalingKind::kScaling,
     &ScalingMetrics::computation_scaling},
    {"instruction_scaling", "Instruction Scaling", 2, ScalingKind::kScaling,
     &ScalingMetrics::instruction_scaling, ScalingNeed::kCounters},
    {"ipc_scaling", "IPC Scaling", 2, ScalingKind::kScaling,
     &ScalingMetrics::ipc_scaling, ScalingNeed::kCounters},
    {"frequency_scaling", "Frequency Scaling", 2, ScalingKind::kScaling,
     &ScalingMetrics::frequency_scaling, ScalingNeed::kCounters},
    {"opc_scaling", "OPC Scaling", 0, ScalingKind::kScaling,
     &ScalingMetrics::opc_scaling, ScalingNeed::kFloatingPoint, true},
    {"vectorisation_efficiency_scaling", "Vectorisation Eff. Scaling", 0,
     ScalingKind::kScaling, &ScalingMetrics::vectorisation_efficiency_scaling,
     ScalingNeed::kFloatingPoint, true},
    {"vectorisation_intensity_scaling", "Vectorisation Int. Scaling", 0,
     ScalingKind::kScaling, &ScalingMetrics::vectorisation_intensity_scaling,
     ScalingNeed::kFloatingPoint, true},
    {"average_ipc", "average IPC, instr./cycle", 0, ScalingKind::kNumber,
     &ScalingMetrics::average_ipc, ScalingNeed::kCounters, true},
    {"average_opc", "average OPC, op./cycle", 0, ScalingKind::kNumber,
     &ScalingMetrics::average_opc, ScalingNeed::kFloatingPoint, true},
    {"average_frequency", "average frequency, GHz", 0, ScalingKind::kNumber,
     &ScalingMetrics::average_frequency, ScalingNeed::kCounters, true},
    {"vectorisation_efficiency", "Vectorisation Efficiency", 0,
     ScalingKind::kShare, &ScalingMetrics::vectorisation_efficiency,
     ScalingNeed::kFloatingPoint, true},
    {"vectorisation_intensity", "Vectorisation Intensity", 0,
     ScalingKind::kShare, &ScalingMetrics::vectorisation_intensity,
     ScalingNeed::kFloatingPoint, true},
    {"energy_j", "energy, J", 0, ScalingKind::kNumber,
     &ScalingMetrics::energy_j, ScalingNeed::kEnergy, true, true},
    {"power_w", "power, W", 0, ScalingKind::kNumber, &ScalingMetrics::power_w,
     ScalingNeed::kEnergy, true},
    {"waited_for_core_share", "waited for a core", 0, ScalingKind::kLoss,
     &ScalingMetrics::waited_for_core, ScalingNeed::kHosts, true},
    {"peak_memory_gb", "peak memory, GB", 0, ScalingKind::kNumber,
     &ScalingMetrics::peak_memory_gb, ScalingNeed::kHosts, true, true},
};

// Whether the row compares amounts of work: what nobody knows without the kind
// of scaling.
bool compares_work(const ScalingMetric& metric);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_H_
