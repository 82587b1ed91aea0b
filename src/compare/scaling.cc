#include "compare/scaling.h"

#include "compare/statistics.h"
#include "model/ratio.h"

namespace poprt {

Work work_of(const JobReport& run, const RegionReport& region) {
  return {static_cast<double>(region.totals.threads), run_time_ns(run, region),
          static_cast<double>(region.totals.useful_sum_ns),
          /*instructions=*/kUndefined,
          /*cycles=*/kUndefined};
}

Work work_of(const JobReport& run) { return work_of(run, *global_region(run)); }

Work median_of(const std::vector<Work>& runs) {
  const auto median = [&](double Work::*member) {
    std::vector<double> values;
    for (const Work& run : runs) values.push_back(run.*member);
    return statistics_of(std::move(values)).median;
  };
  return {median(&Work::cores), median(&Work::run_time_ns),
          median(&Work::useful_ns), median(&Work::instructions),
          median(&Work::cycles)};
}

ScalingMetrics scaling_of(const Work& work, const Work& reference,
                          Scaling scaling) {
  const double cores = ratio(work.cores, reference.cores);
  const auto ipc = [](const Work& w) {
    return ratio(w.instructions, w.cycles);
  };
  const auto frequency = [](const Work& w) {
    return ratio(w.cycles, w.useful_ns);
  };
  ScalingMetrics m;
  m.load_increase_factor = scaling == Scaling::kWeak ? cores : 1;
  m.speedup =
      ratio(reference.run_time_ns, work.run_time_ns) * m.load_increase_factor;
  m.speedup_efficiency = ratio(m.speedup, cores);
  m.computation_scaling =
      ratio(reference.useful_ns, work.useful_ns) * m.load_increase_factor;
  m.instruction_scaling =
      ratio(reference.instructions, work.instructions) * m.load_increase_factor;
  m.ipc_scaling = ratio(ipc(work), ipc(reference));
  m.frequency_scaling = ratio(frequency(work), frequency(reference));
  return m;
}

double global_efficiency(double parallel_efficiency,
                         double computation_scaling) {
  return parallel_efficiency * computation_scaling;
}

}  // namespace poprt
