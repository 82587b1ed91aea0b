#include "compare/scaling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <system_error>

#include "compare/statistics.h"
#include "model/judge.h"
#include "model/ratio.h"
#include "model/terms.h"
#include "report/energy.h"
#include "report/job_numbers.h"

namespace poprt {

namespace {

double amount_of(const Load& load, const JobReport& run,
                 const RegionReport& region) {
  switch (load.by) {
    case Load::By::kCores:
      return is_unseen(run.totals, EventLayer::kOpenMp)
                 ? kUndefined
                 : static_cast<double>(region.totals.threads);
    case Load::By::kRanks:
      return static_cast<double>(region.totals.processes);
    case Load::By::kMetadata:
      return metadata_number(run, load.key);
  }
  return kUndefined;
}

}  // namespace

Work work_of(const JobReport& run, const RegionReport& region,
             const Load& load) {
  const bool is_seen = !is_unseen(run.totals, EventLayer::kOpenMp);
  const CounterTerms counters =
      is_seen ? counter_terms(region.totals) : counter_terms({});
  const bool is_whole = &region == global_region(run);
  const auto seen = [&](int64_t amount) {
    return is_seen ? static_cast<double>(amount) : kUndefined;
  };
  return {seen(region.totals.threads),
          run_time_ns(run, region),
          seen(region.totals.useful_sum_ns),
          counters.instructions,
          counters.cycles,
          std::isnan(counters.cycles) ? kUndefined : counters.useful_ns,
          amount_of(load, run, region),
          counters.floats,
          is_whole ? job_energy_j(run) : kUndefined,
          is_whole ? job_power_w(run) : kUndefined,
          is_whole ? waited_for_core(run) : kUndefined,
          is_whole ? peak_memory_bytes(run) : kUndefined};
}

Work work_of(const JobReport& run, const Load& load) {
  const RegionReport* const global = global_region(run);
  if (global != nullptr) return work_of(run, *global, load);
  return {kUndefined, kUndefined, kUndefined,
          kUndefined, kUndefined, kUndefined};
}

double metadata_number(const JobReport& run, const std::string& key) {
  for (const Metadata& entry : run.totals.metadata) {
    if (entry.key != key) continue;
    double number = kUndefined;
    const char* const end = entry.value.data() + entry.value.size();
    const auto read = std::from_chars(entry.value.data(), end, number);
    const bool good = read.ec == std::errc() && read.ptr == end &&
                      std::isfinite(number) && number > 0;
    return good ? number : kUndefined;
  }
  return kUndefined;
}

Work median_of(const std::vector<Work>& runs) {
  const auto median_over = [&](const auto& member) {
    std::vector<double> values;
    for (const Work& run : runs) values.push_back(member(run));
    return statistics_of(std::move(values)).median;
  };
  const auto median = [&](double Work::*member) {
    return median_over([=](const Work& run) { return run.*member; });
  };
  Work result = {median(&Work::cores),     median(&Work::run_time_ns),
                 median(&Work::useful_ns), median(&Work::instructions),
                 median(&Work::cycles),    median(&Work::counted_ns),
                 median(&Work::load)};
  for (const FloatCounter& each : kFloatCounters) {
    each.value(result.floats) =
        median_over([&](Work run) { return each.value(run.floats); });
  }
  result.energy_j = median(&Work::energy_j);
  result.power_w = median(&Work::power_w);
  result.waited_for_core = median(&Work::waited_for_core);
  result.peak_memory_bytes = median(&Work::peak_memory_bytes);
  return result;
}

ScalingMetrics scaling_of(const Work& work, const Work& reference,
                          Scaling scaling, double reference_ghz) {
  const double cores = ratio(work.cores, reference.cores);
  const auto ipc = [](const Work& w) {
    return ratio(w.instructions, w.cycles);
  };
  const auto frequency = [](const Work& w) {
    return ratio(w.cycles, w.counted_ns);
  };
  const auto opc = [](const Work& w) {
    return ratio(all_operations(w.floats, w.instructions), w.cycles);
  };
  const auto intensity = [](const Work& w) {
    return ratio(fp_packed(w.floats), w.instructions);
  };
  ScalingMetrics m;
  m.load_increase_factor = scaling == Scaling::kStrong ? 1
                           : scaling == Scaling::kWeak
                               ? ratio(work.load, reference.load)
                               : kUndefined;
  m.speedup =
      ratio(reference.run_time_ns, work.run_time_ns) * m.load_increase_factor;
  m.speedup_efficiency = ratio(m.speedup, cores);
  m.computation_scaling =
      ratio(reference.useful_ns, work.useful_ns) * m.load_increase_factor;
  m.instruction_scaling =
      ratio(reference.instructions, work.instructions) * m.load_increase_factor;
  m.ipc_scaling = ratio(ipc(work), ipc(reference));
  m.frequency_scaling =
      ratio(frequency(work),
            reference_ghz > 0 ? reference_ghz : frequency(reference));
  m.average_ipc = ipc(work);
  m.average_opc = opc(work);
  m.average_frequency = frequency(work);
  m.vectorisation_efficiency = vectorisation_efficiency(work.floats);
  m.vectorisation_intensity = intensity(work);
  m.opc_scaling = ratio(m.average_opc, opc(reference));
  m.vectorisation_efficiency_scaling = ratio(
      m.vectorisation_efficiency, vectorisation_efficiency(reference.floats));
  m.vectorisation_intensity_scaling =
      ratio(m.vectorisation_intensity, intensity(reference));
  m.energy_j = work.energy_j;
  m.power_w = work.power_w;
  m.waited_for_core = work.waited_for_core;
  m.peak_memory_gb = work.peak_memory_bytes / 1e9;
  return m;
}

bool compares_work(const ScalingMetric& metric) {
  constexpr double ScalingMetrics::*kOfWork[] = {
      &ScalingMetrics::load_increase_factor, &ScalingMetrics::speedup,
      &ScalingMetrics::speedup_efficiency, &ScalingMetrics::computation_scaling,
      &ScalingMetrics::instruction_scaling};
  return metric.value == nullptr
             ? metric.kind != ScalingKind::kTime
             : std::ranges::find(kOfWork, metric.value) != std::end(kOfWork);
}

double global_efficiency(double parallel_efficiency,
                         double computation_scaling) {
  return parallel_efficiency * computation_scaling;
}

}  // namespace poprt
