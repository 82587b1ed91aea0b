#include "report/job_numbers.h"

#include "model/judge.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "report/energy.h"
#include "report/longest_path.h"

namespace poprt {
namespace {

constexpr char kNotMeasured[] = "not known: the run file does not tell it";
constexpr char kNoEnergy[] =
    "the energy is not known of all hosts of this run: poprt doctor";
constexpr char kNoPath[] =
    "no region is on the longest path, or it was not followed: "
    "POPRT_PATH=regions";
constexpr char kOneNode[] =
    "the hosts have one NUMA node, or the kernel does not tell where memory is";

double known(const JobReport& report, const Resource& which) {
  return known_amount(report.totals.resources, which.name);
}

constexpr JobNumber kJobNumbers[] = {
    {"on_cores_share", "on cores, % of core time", MetricUnit::kShare,
     [](const JobReport& r) {
       return share_of_core_time(r,
                                 known(r, kUserTime) + known(r, kSystemTime));
     },
     kNotMeasured},
    {"in_kernel_share", "in the kernel, %", MetricUnit::kShare,
     [](const JobReport& r) {
       return share_of_core_time(r, known(r, kSystemTime));
     },
     kNotMeasured},
    {"waited_for_core_share", "waited for a core, %", MetricUnit::kShare,
     waited_for_core, kNotMeasured},
    {"forced_switches", "forced switches", MetricUnit::kCount,
     [](const JobReport& r) { return known(r, kInvoluntarySwitches); },
     kNotMeasured, true},
    {"peak_memory_bytes", "peak memory, bytes", MetricUnit::kBytes,
     peak_memory_bytes, kNotMeasured, true},
    {"peak_memory_of_rank_bytes", "most of a rank, bytes", MetricUnit::kBytes,
     [](const JobReport& r) { return known(r, kPeakMemoryMax); }, kNotMeasured,
     true},
    {"misplaced_memory_share", "on other NUMA nodes, %", MetricUnit::kShare,
     [](const JobReport& r) {
       return ratio(known(r, kMisplacedMemory), known(r, kPlacedMemory));
     },
     kOneNode},
    {"energy_j", "energy, J", MetricUnit::kNumber, job_energy_j, kNoEnergy,
     true},
    {"power_w", "power, W", MetricUnit::kNumber, job_power_w, kNoEnergy},
    {"heaviest_path_share", "heaviest on the path, %", MetricUnit::kShare,
     heaviest_path_share, kNoPath},
};

}  // namespace

std::span<const JobNumber> job_numbers() { return kJobNumbers; }

double peak_memory_bytes(const JobReport& report) {
  return known(report, kPeakMemorySum);
}

}  // namespace poprt
