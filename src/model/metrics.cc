#include "model/metrics.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace poprt {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// NaN also where `part` or `whole` is NaN.
double ratio(double part, double whole) {
  return whole > 0 ? part / whole : kNaN;
}

double mean(int64_t sum, int64_t count) {
  return ratio(static_cast<double>(sum), static_cast<double>(count));
}

// What the formulas are written in, in ns; the names are those of metrics.md.
// What needs a clock that is not complete is NaN and stays so.
struct Terms {
  Terms(const RegionTotals& r, const Layers& layers)
      : useful_avg(mean(r.useful_sum_ns, r.threads)),
        useful_max(static_cast<double>(r.useful_max_ns)),
        useful_max_avg(mean(r.useful_max_weighted_ns, r.threads)),
        pl_cue(static_cast<double>(r.pl_cue_ns)),
        cue(layers.clocks ? static_cast<double>(r.cue_ns) : kNaN),
        com(layers.clocks ? static_cast<double>(r.com_ns) : kNaN),
        coo(layers.clocks ? static_cast<double>(r.coo_ns) : kNaN),
        all(layers.clocks ? static_cast<double>(r.all_ns) : kNaN) {}

  double useful_avg;
  double useful_max;
  double useful_max_avg;  // sum_p(t_p max_t useful) / T
  double pl_cue;          // max_p(PL-CUE)
  double cue;             // runtime_ideal
  double com;             // R_ideal
  double coo;
  double all;  // R
};

PopMetrics pop_metrics(const Terms& t) {
  PopMetrics m;
  m.parallel_efficiency = ratio(t.useful_avg, t.all);
  m.load_balance = ratio(t.useful_avg, t.useful_max);
  m.communication_efficiency = ratio(t.useful_max, t.all);
  m.serialisation_efficiency = ratio(t.useful_max, t.cue);
  m.transfer_efficiency = ratio(t.cue, t.all);
  return m;
}

CriticalPathMetrics critical_path_metrics(const Terms& t) {
  CriticalPathMetrics m;
  m.parallel_efficiency = ratio(t.useful_avg, t.all);
  m.load_balance = ratio(t.useful_avg, t.useful_max);
  m.communication_efficiency = ratio(t.useful_max, t.all);
  m.serialisation_efficiency = ratio(t.useful_max, t.cue);
  m.transfer_efficiency = ratio(t.cue, t.all);

  m.mpi_load_balance = ratio(t.useful_max_avg, t.useful_max);
  m.mpi_serialisation_efficiency = ratio(t.pl_cue, t.cue);
  m.mpi_transfer_efficiency = ratio(t.cue, t.coo);
  m.mpi_communication_efficiency =
      m.mpi_serialisation_efficiency * m.mpi_transfer_efficiency;
  m.mpi_parallel_efficiency =
      m.mpi_load_balance * m.mpi_communication_efficiency;

  m.openmp_load_balance = ratio(t.useful_avg, t.useful_max_avg);
  m.openmp_serialisation_efficiency = ratio(t.useful_max, t.pl_cue);
  m.openmp_transfer_efficiency = ratio(t.coo, t.all);
  m.openmp_communication_efficiency =
      m.openmp_serialisation_efficiency * m.openmp_transfer_efficiency;
  m.openmp_parallel_efficiency =
      m.openmp_load_balance * m.openmp_communication_efficiency;
  return m;
}

MultiplicativeMetrics multiplicative_metrics(const RegionTotals& r,
                                             const Terms& t) {
  const bool callers = r.mpi_callers > 0;
  const double outside_avg =
      callers ? mean(r.mpi_callers_outside_weighted_ns, r.threads) : kNaN;
  const double outside_max =
      callers ? static_cast<double>(r.mpi_callers_outside_max_ns) : kNaN;

  MultiplicativeMetrics m;
  m.parallel_efficiency = ratio(t.useful_avg, t.all);
  m.load_balance = ratio(t.useful_avg, t.useful_max);
  m.communication_efficiency = ratio(t.useful_max, t.all);

  m.mpi_parallel_efficiency = ratio(outside_avg, t.all);
  m.mpi_load_balance = ratio(outside_avg, outside_max);
  m.mpi_communication_efficiency = ratio(outside_max, t.all);
  m.mpi_serialisation_efficiency = ratio(outside_max, t.com);
  m.mpi_transfer_efficiency = ratio(t.com, t.all);

  m.openmp_parallel_efficiency =
      ratio(m.parallel_efficiency, m.mpi_parallel_efficiency);
  m.openmp_load_balance = ratio(m.load_balance, m.mpi_load_balance);
  m.openmp_communication_efficiency =
      ratio(m.communication_efficiency, m.mpi_communication_efficiency);
  return m;
}

AdditiveMetrics additive_metrics(const RegionTotals& r, const Terms& t) {
  const double process_avg =
      mean(r.openmp_weighted_ns + r.serial_weighted_ns, r.threads);
  const double process_max = static_cast<double>(r.outside_mpi_max_ns);
  const double amdahl_avg = mean(r.serial_weighted_ns - r.serial_sum_ns,
                                 r.threads);  // sum_p serial_p (t_p - 1) / T
  const int64_t omp_useful_sum_ns = r.useful_sum_ns - r.serial_sum_ns;
  const double omp_lost_avg =
      mean(r.openmp_weighted_ns - omp_useful_sum_ns, r.threads);

  AdditiveMetrics m;
  m.parallel_efficiency = ratio(t.useful_avg, t.all);
  m.process_efficiency = ratio(process_avg, t.all);
  m.process_load_balance = 1 - ratio(process_max - process_avg, t.all);
  m.process_communication_efficiency = ratio(process_max, t.all);
  m.process_transfer_efficiency = ratio(t.com, t.all);
  m.process_serialisation_efficiency =
      1 - (m.process_transfer_efficiency - m.process_communication_efficiency);
  m.thread_efficiency = 1 - ratio(process_avg - t.useful_avg, t.all);
  m.openmp_region_efficiency = 1 - ratio(omp_lost_avg, t.all);
  m.serial_region_efficiency = 1 - ratio(amdahl_avg, t.all);
  return m;
}

// Average over nodes of the mean non-MPI time, over the largest of a node.
double talp_load_balance_out(const std::vector<NodeShare>& nodes) {
  double sum = 0;
  double max = 0;
  int count = 0;
  for (const NodeShare& node : nodes) {
    if (node.processes == 0) continue;
    const double not_mpi = mean(node.not_mpi_sum_ns, node.processes);
    sum += not_mpi;
    max = std::max(max, not_mpi);
    ++count;
  }
  return count > 0 ? ratio(sum / count, max) : kNaN;
}

TalpMetrics talp_metrics(const RegionTotals& r) {
  // Sums over processes; the formulas are of averages, which matters only
  // beside the maximum.
  const double useful = static_cast<double>(r.talp_useful_ns);
  const double mpi = static_cast<double>(r.talp_mpi_ns);
  const double serial = static_cast<double>(r.talp_omp_serial_ns);
  const double imbalance = static_cast<double>(r.talp_omp_load_balance_ns);
  const double scheduling = static_cast<double>(r.talp_omp_scheduling_ns);
  const double all = useful + mpi + serial + imbalance + scheduling;
  const double processes = static_cast<double>(r.processes);
  const double not_mpi_max = static_cast<double>(r.talp_not_mpi_max_ns);

  TalpMetrics m;
  m.parallel_efficiency = ratio(useful, all);
  m.mpi_parallel_efficiency = ratio(all - mpi, all);
  m.mpi_communication_efficiency = ratio(not_mpi_max * processes, all);
  m.mpi_load_balance = ratio(all - mpi, not_mpi_max * processes);
  m.mpi_load_balance_out = talp_load_balance_out(r.nodes);
  m.mpi_load_balance_in = ratio(m.mpi_load_balance, m.mpi_load_balance_out);
  m.openmp_parallel_efficiency =
      ratio(all - (serial + imbalance + scheduling), all);
  m.openmp_serialization_efficiency = ratio(all - serial, all);
  m.openmp_load_balance = ratio(all - serial - imbalance, all - serial);
  m.openmp_scheduling_efficiency =
      ratio(all - serial - imbalance - scheduling, all - serial - imbalance);
  return m;
}

void hide(std::initializer_list<double*> values) {
  for (double* value : values) *value = kNaN;
}

}  // namespace

void hide_absent_layers(const Layers& layers, Metrics* metrics) {
  CriticalPathMetrics& c = metrics->critical_path;
  MultiplicativeMetrics& m = metrics->multiplicative;
  AdditiveMetrics& a = metrics->additive;
  TalpMetrics& t = metrics->talp;
  if (!layers.mpi) {
    hide({&c.mpi_parallel_efficiency, &c.mpi_load_balance,
          &c.mpi_communication_efficiency, &c.mpi_serialisation_efficiency,
          &c.mpi_transfer_efficiency});
    hide({&m.mpi_parallel_efficiency, &m.mpi_load_balance,
          &m.mpi_communication_efficiency, &m.mpi_serialisation_efficiency,
          &m.mpi_transfer_efficiency});
    hide({&a.process_efficiency, &a.process_load_balance,
          &a.process_communication_efficiency, &a.process_transfer_efficiency,
          &a.process_serialisation_efficiency});
    hide({&t.mpi_parallel_efficiency, &t.mpi_communication_efficiency,
          &t.mpi_load_balance, &t.mpi_load_balance_in,
          &t.mpi_load_balance_out});
  }
  if (!layers.openmp) {
    hide({&c.openmp_parallel_efficiency, &c.openmp_load_balance,
          &c.openmp_communication_efficiency,
          &c.openmp_serialisation_efficiency, &c.openmp_transfer_efficiency});
    hide({&m.openmp_parallel_efficiency, &m.openmp_load_balance,
          &m.openmp_communication_efficiency});
    hide({&a.thread_efficiency, &a.openmp_region_efficiency,
          &a.serial_region_efficiency});
    hide({&t.openmp_parallel_efficiency, &t.openmp_serialization_efficiency,
          &t.openmp_load_balance, &t.openmp_scheduling_efficiency});
  }
}

Metrics metrics_of(const RegionTotals& region, const Layers& layers) {
  const Terms terms(region, layers);
  Metrics metrics;
  metrics.pop = pop_metrics(terms);
  metrics.critical_path = critical_path_metrics(terms);
  metrics.multiplicative = multiplicative_metrics(region, terms);
  metrics.additive = additive_metrics(region, terms);
  metrics.talp = talp_metrics(region);
  hide_absent_layers(layers, &metrics);
  return metrics;
}

}  // namespace poprt
