#include "exchange/talp_times.h"

#include <algorithm>
#include <cmath>

#include "model/quantities.h"

namespace poprt {
namespace {

double share_of(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

int64_t scaled(int64_t value, double factor) {
  return std::llround(static_cast<double>(value) * factor);
}

// TALP's MPI time divided by poprt's: TALP's program adds the idle time of
// workers.
double idle_factor(int64_t mpi, int64_t mpi_worker_idle) {
  return mpi > 0 ? 1 + share_of(static_cast<double>(mpi_worker_idle),
                                static_cast<double>(mpi))
                 : 1;
}

// MPI time per CPU, if it is `not_mpi` outside MPI, by TALP's definition.
int64_t mpi_normd(const TalpTimes& times, double not_mpi) {
  const double mpi = (times.average() - not_mpi) *
                     idle_factor(times.mpi, times.mpi_worker_idle);
  return std::llround(std::clamp(mpi, 0.0, static_cast<double>(times.elapsed)));
}

// The inverse function.
int64_t not_mpi(const TalpTimes& times, int64_t mpi_normd) {
  const double mpi = static_cast<double>(mpi_normd) /
                     idle_factor(times.mpi, times.mpi_worker_idle);
  return std::llround(std::max(0.0, times.average() - mpi));
}

}  // namespace

TalpTimes talp_times_of(const RegionTotals& region) {
  TalpTimes times;
  times.cpus = region.threads;
  times.processes = region.processes;
  times.nodes = static_cast<int64_t>(region.nodes.size());
  times.measurements = region.visits;
  times.elapsed = region.elapsed_max_ns;
  times.useful = region.useful_sum_ns;
  times.mpi = region.mpi_sum_ns;
  times.gpu_runtime = region.accelerator_sum_ns;

  const double omp = static_cast<double>(region.talp_omp_load_balance_ns) +
                     static_cast<double>(region.talp_omp_scheduling_ns) +
                     static_cast<double>(region.talp_omp_serial_ns);
  const double threads = share_of(static_cast<double>(region.omp_sum_ns), omp);
  times.omp_load_imbalance = scaled(region.talp_omp_load_balance_ns, threads);
  times.omp_scheduling = scaled(region.talp_omp_scheduling_ns, threads);
  times.omp_serialization =
      region.omp_sum_ns - times.omp_load_imbalance - times.omp_scheduling;
  times.mpi_worker_idle = scaled(region.talp_mpi_worker_idle_ns, threads);

  times.min_mpi_normd_proc =
      mpi_normd(times, static_cast<double>(region.talp_not_mpi_max_ns));
  double node_max = 0;
  for (const NodeShare& node : region.nodes) {
    node_max =
        std::max(node_max, share_of(static_cast<double>(node.not_mpi_sum_ns),
                                    static_cast<double>(node.processes)));
  }
  times.min_mpi_normd_node = mpi_normd(times, node_max);
  return times;
}

std::string talp_node_name(int64_t n) { return "node " + std::to_string(n); }

int64_t talp_node_processes(int64_t processes, int64_t nodes, int64_t n) {
  return processes / nodes + (n < processes % nodes ? 1 : 0);
}

RegionTotals region_of(const std::string& name, const TalpTimes& times) {
  RegionTotals region;
  region.name = name;
  region.key = text_hash(name.data(), name.size());
  region.processes = times.processes;
  region.threads = times.cpus;
  region.visits = times.measurements;
  region.elapsed_max_ns = times.elapsed;
  region.elapsed_weighted_ns =
      times.useful + times.mpi + times.omp() + times.gpu_runtime;
  region.useful_sum_ns = times.useful;
  region.mpi_sum_ns = times.mpi;
  region.omp_sum_ns = times.omp();
  region.accelerator_sum_ns = times.gpu_runtime;
  region.all_ns = times.elapsed;

  const double per_process = share_of(static_cast<double>(times.processes),
                                      static_cast<double>(times.cpus));
  region.talp_useful_ns = scaled(times.useful, per_process);
  region.talp_mpi_ns = scaled(times.mpi, per_process);
  if (times.gpu_runtime > 0) {
    set_amount(kTalpAccelerator.name, scaled(times.gpu_runtime, per_process),
               &region.amounts);
  }
  region.talp_omp_serial_ns = scaled(times.omp_serialization, per_process);
  region.talp_omp_load_balance_ns =
      scaled(times.omp_load_imbalance, per_process);
  region.talp_omp_scheduling_ns = scaled(times.omp_scheduling, per_process);
  region.talp_mpi_worker_idle_ns = scaled(times.mpi_worker_idle, per_process);
  region.talp_not_mpi_max_ns = not_mpi(times, times.min_mpi_normd_proc);

  const double elapsed = static_cast<double>(times.elapsed);
  const double average =
      std::min(elapsed, share_of(static_cast<double>(times.useful) +
                                     static_cast<double>(times.omp()) +
                                     static_cast<double>(times.gpu_runtime),
                                 static_cast<double>(times.cpus)));
  const double largest =
      times.nodes > 1
          ? static_cast<double>(not_mpi(times, times.min_mpi_normd_node))
          : average;
  const double rest = static_cast<double>(times.nodes) * average - largest;
  const double other = std::clamp(
      share_of(rest, static_cast<double>(times.nodes - 1)), 0.0, elapsed);
  for (int64_t n = 0; n < times.nodes; ++n) {
    const std::string host = talp_node_name(n);
    const int64_t processes =
        talp_node_processes(times.processes, times.nodes, n);
    region.nodes.push_back({text_hash(host.data(), host.size()), processes,
                            scaled(processes, n == 0 ? largest : other)});
  }
  return region;
}

TalpMetrics talp_program_metrics(const TalpTimes& times) {
  TalpMetrics m{};
  if (times.useful <= 0) return m;
  const double useful = static_cast<double>(times.useful);
  const double elapsed = static_cast<double>(times.elapsed);
  const double active = useful + static_cast<double>(times.mpi);
  const double serial = active + static_cast<double>(times.omp_serialization);
  const double imbalance =
      serial + static_cast<double>(times.omp_load_imbalance);
  const double on_cores = imbalance + static_cast<double>(times.omp_scheduling);
  const double gpu = static_cast<double>(times.gpu_runtime);
  const double outside_mpi = on_cores - static_cast<double>(times.mpi);
  const double mpi = share_of(static_cast<double>(times.mpi) +
                                  static_cast<double>(times.mpi_worker_idle),
                              static_cast<double>(times.cpus));
  const double not_mpi_average = elapsed - mpi;
  const double not_mpi_process =
      elapsed - static_cast<double>(times.min_mpi_normd_proc);
  const double not_mpi_node =
      elapsed - static_cast<double>(times.min_mpi_normd_node);

  m.parallel_efficiency = share_of(useful, on_cores + gpu);
  m.mpi_parallel_efficiency = share_of(not_mpi_average, elapsed);
  m.mpi_communication_efficiency = share_of(not_mpi_process, elapsed);
  m.mpi_load_balance = share_of(not_mpi_average, not_mpi_process);
  m.mpi_load_balance_in = share_of(not_mpi_node, not_mpi_process);
  m.mpi_load_balance_out = share_of(not_mpi_average, not_mpi_node);
  m.openmp_parallel_efficiency = share_of(active, on_cores);
  m.openmp_serialization_efficiency = share_of(active, serial);
  m.openmp_load_balance = share_of(serial, imbalance);
  m.openmp_scheduling_efficiency = share_of(imbalance, on_cores);
  m.device_offload_efficiency = share_of(outside_mpi, outside_mpi + gpu);
  return m;
}

}  // namespace poprt
