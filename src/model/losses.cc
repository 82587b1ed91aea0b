#include "model/losses.h"

#include "model/ratio.h"
#include "model/terms.h"

namespace poprt {
namespace {

// The steps of the chains in losses.h, as shares of R; 1 is R itself.
struct Chain {
  Chain(const RegionTotals& r, bool clocks) {
    const double all = clocks ? static_cast<double>(r.all_ns) : kUndefined;
    const double total = all * static_cast<double>(r.threads);
    coo = ratio(static_cast<double>(r.coo_ns), all);
    cue = ratio(static_cast<double>(r.cue_ns), all);
    pl_cue = ratio(static_cast<double>(r.pl_cue_ns), all);
    useful_max = ratio(static_cast<double>(r.useful_max_ns), all);
    useful_max_avg =
        ratio(static_cast<double>(r.useful_max_weighted_ns), total);
    useful_avg = ratio(static_cast<double>(r.useful_sum_ns), total);
    const MultiplicativeTerms process = multiplicative_terms(r, clocks);
    ideal = ratio(process.ideal, all);
    outside_max = ratio(process.outside_mpi_max, all);
    outside_avg = ratio(process.outside_mpi_avg, all);
  }

  double coo;
  double cue;
  double pl_cue;
  double useful_max;
  double useful_max_avg;
  double useful_avg;
  double ideal;
  double outside_max;
  double outside_avg;
};

PopMetrics pop_losses(const Chain& c) {
  PopMetrics m;
  m.parallel_efficiency = 1 - c.useful_avg;
  m.load_balance = c.useful_max - c.useful_avg;
  m.communication_efficiency = 1 - c.useful_max;
  m.serialisation_efficiency = c.cue - c.useful_max;
  m.transfer_efficiency = 1 - c.cue;
  return m;
}

CriticalPathMetrics critical_path_losses(const Chain& c) {
  const PopMetrics pop = pop_losses(c);
  CriticalPathMetrics m;
  m.parallel_efficiency = pop.parallel_efficiency;
  m.load_balance = pop.load_balance;
  m.communication_efficiency = pop.communication_efficiency;
  m.serialisation_efficiency = pop.serialisation_efficiency;
  m.transfer_efficiency = pop.transfer_efficiency;

  m.mpi_load_balance = c.useful_max - c.useful_max_avg;
  m.mpi_serialisation_efficiency = c.cue - c.pl_cue;
  m.mpi_transfer_efficiency = c.coo - c.cue;
  m.mpi_communication_efficiency =
      m.mpi_serialisation_efficiency + m.mpi_transfer_efficiency;
  m.mpi_parallel_efficiency =
      m.mpi_load_balance + m.mpi_communication_efficiency;

  m.openmp_load_balance = c.useful_max_avg - c.useful_avg;
  m.openmp_serialisation_efficiency = c.pl_cue - c.useful_max;
  m.openmp_transfer_efficiency = 1 - c.coo;
  m.openmp_communication_efficiency =
      m.openmp_serialisation_efficiency + m.openmp_transfer_efficiency;
  m.openmp_parallel_efficiency =
      m.openmp_load_balance + m.openmp_communication_efficiency;
  return m;
}

MultiplicativeMetrics multiplicative_losses(const Chain& c) {
  const PopMetrics pop = pop_losses(c);
  MultiplicativeMetrics m;
  m.parallel_efficiency = pop.parallel_efficiency;
  m.load_balance = pop.load_balance;
  m.communication_efficiency = pop.communication_efficiency;

  m.mpi_parallel_efficiency = 1 - c.outside_avg;
  m.mpi_load_balance = c.outside_max - c.outside_avg;
  m.mpi_communication_efficiency = 1 - c.outside_max;
  m.mpi_serialisation_efficiency = c.ideal - c.outside_max;
  m.mpi_transfer_efficiency = 1 - c.ideal;

  m.openmp_parallel_efficiency = c.outside_avg - c.useful_avg;
  m.openmp_communication_efficiency =
      c.outside_avg * (1 - ratio(c.useful_max, c.outside_max));
  m.openmp_load_balance =
      m.openmp_parallel_efficiency - m.openmp_communication_efficiency;
  return m;
}

AdditiveMetrics additive_losses(const AdditiveMetrics& value) {
  AdditiveMetrics m;
  m.parallel_efficiency = 1 - value.parallel_efficiency;
  m.process_efficiency = 1 - value.process_efficiency;
  m.process_load_balance = 1 - value.process_load_balance;
  m.process_communication_efficiency =
      1 - value.process_communication_efficiency;
  m.process_transfer_efficiency = 1 - value.process_transfer_efficiency;
  m.process_serialisation_efficiency =
      1 - value.process_serialisation_efficiency;
  m.thread_efficiency = 1 - value.thread_efficiency;
  m.openmp_region_efficiency = 1 - value.openmp_region_efficiency;
  m.serial_region_efficiency = 1 - value.serial_region_efficiency;
  return m;
}

TalpMetrics talp_losses(const RegionTotals& r, const TalpMetrics& value) {
  const double serial = static_cast<double>(r.talp_omp_serial_ns);
  const double imbalance = static_cast<double>(r.talp_omp_load_balance_ns);
  const double scheduling = static_cast<double>(r.talp_omp_scheduling_ns);
  const double mpi = static_cast<double>(r.talp_mpi_ns);
  const double all = static_cast<double>(r.talp_useful_ns) + mpi + serial +
                     imbalance + scheduling;
  TalpMetrics m;
  m.parallel_efficiency = ratio(mpi + serial + imbalance + scheduling, all);
  m.mpi_parallel_efficiency = ratio(mpi, all);
  m.mpi_communication_efficiency = 1 - value.mpi_communication_efficiency;
  m.mpi_load_balance =
      m.mpi_parallel_efficiency - m.mpi_communication_efficiency;
  m.mpi_load_balance_out =
      value.mpi_communication_efficiency * (1 - value.mpi_load_balance_out);
  m.mpi_load_balance_in = m.mpi_load_balance - m.mpi_load_balance_out;
  m.openmp_parallel_efficiency = ratio(serial + imbalance + scheduling, all);
  m.openmp_serialization_efficiency = ratio(serial, all);
  m.openmp_load_balance = ratio(imbalance, all);
  m.openmp_scheduling_efficiency = ratio(scheduling, all);
  return m;
}

}  // namespace

Metrics losses_of(const RegionTotals& region, const Layers& layers) {
  const Chain chain(region, layers.clocks);
  // Rows of an absent layer are hidden at the end: the sums need them.
  Layers all_rows = layers;
  all_rows.mpi = all_rows.openmp = true;
  const Metrics values = metrics_of(region, all_rows);

  Metrics losses;
  losses.pop = pop_losses(chain);
  losses.critical_path = critical_path_losses(chain);
  losses.multiplicative = multiplicative_losses(chain);
  losses.additive = additive_losses(values.additive);
  losses.talp = talp_losses(region, values.talp);
  hide_absent_layers(layers, &losses);
  return losses;
}

}  // namespace poprt
