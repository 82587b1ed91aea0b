#include "model/metrics.h"

#include <algorithm>
#include <initializer_list>

#include "model/terms.h"

namespace poprt {
namespace {

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

MultiplicativeMetrics multiplicative_metrics(const Terms& t,
                                             const MultiplicativeTerms& p) {
  MultiplicativeMetrics m;
  m.parallel_efficiency = ratio(t.useful_avg, t.all);
  m.load_balance = ratio(t.useful_avg, t.useful_max);
  m.communication_efficiency = ratio(t.useful_max, t.all);

  m.mpi_parallel_efficiency = ratio(p.outside_mpi_avg, t.all);
  m.mpi_load_balance = ratio(p.outside_mpi_avg, p.outside_mpi_max);
  m.mpi_communication_efficiency = ratio(p.outside_mpi_max, t.all);
  m.mpi_serialisation_efficiency = ratio(p.outside_mpi_max, p.ideal);
  m.mpi_transfer_efficiency = ratio(p.ideal, t.all);

  m.openmp_parallel_efficiency =
      ratio(m.parallel_efficiency, m.mpi_parallel_efficiency);
  m.openmp_load_balance = ratio(m.load_balance, m.mpi_load_balance);
  m.openmp_communication_efficiency =
      ratio(m.communication_efficiency, m.mpi_communication_efficiency);
  return m;
}

AdditiveMetrics additive_metrics(const Terms& t, const AdditiveTerms& p) {
  AdditiveMetrics m;
  m.parallel_efficiency = ratio(t.useful_avg, t.all);
  m.process_efficiency = ratio(p.outside_mpi_avg, t.all);
  m.process_load_balance =
      1 - ratio(p.outside_mpi_max - p.outside_mpi_avg, t.all);
  m.process_communication_efficiency = ratio(p.outside_mpi_max, t.all);
  m.process_transfer_efficiency = ratio(p.ideal, t.all);
  m.process_serialisation_efficiency =
      1 - (m.process_transfer_efficiency - m.process_communication_efficiency);
  m.thread_efficiency = 1 - ratio(p.outside_mpi_avg - t.useful_avg, t.all);
  m.openmp_region_efficiency = 1 - ratio(p.openmp_lost_avg, t.all);
  m.serial_region_efficiency = 1 - ratio(p.amdahl_avg, t.all);
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
  return count > 0 ? ratio(sum / count, max) : kUndefined;
}

TalpMetrics talp_metrics(const RegionTotals& r) {
  const TalpTerms t = talp_terms(r);
  const double all = t.all();
  const double processes = static_cast<double>(r.processes);

  TalpMetrics m;
  m.parallel_efficiency = ratio(t.useful, all);
  m.mpi_parallel_efficiency = ratio(all - t.mpi, all);
  m.mpi_communication_efficiency = ratio(t.not_mpi_max * processes, all);
  m.mpi_load_balance = ratio(all - t.mpi, t.not_mpi_max * processes);
  m.mpi_load_balance_out = talp_load_balance_out(r.nodes);
  m.mpi_load_balance_in = ratio(m.mpi_load_balance, m.mpi_load_balance_out);
  m.openmp_parallel_efficiency = ratio(all - t.idle(), all);
  m.openmp_serialization_efficiency = ratio(all - t.serial, all);
  m.openmp_load_balance = ratio(all - t.serial - t.imbalance, all - t.serial);
  m.openmp_scheduling_efficiency =
      ratio(all - t.serial - t.imbalance - t.scheduling,
            all - t.serial - t.imbalance);
  return m;
}

void hide(std::initializer_list<double*> values) {
  for (double* value : values) *value = kUndefined;
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
  const Terms terms = terms_of(region, layers.clocks);
  Metrics metrics;
  metrics.pop = pop_metrics(terms);
  metrics.critical_path = critical_path_metrics(terms);
  metrics.multiplicative = multiplicative_metrics(
      terms, multiplicative_terms(region, layers.clocks));
  metrics.additive =
      additive_metrics(terms, additive_terms(region, layers.clocks));
  metrics.talp = talp_metrics(region);
  hide_absent_layers(layers, &metrics);
  return metrics;
}

}  // namespace poprt
