#include "model/terms.h"

#include <algorithm>
#include <cmath>

#include "model/quantities.h"

namespace poprt {
namespace {

double value(int64_t integer) { return static_cast<double>(integer); }

double clock(int64_t ns, bool complete) {
  return complete ? value(ns) : kUndefined;
}

double balance_of_nodes(const std::vector<NodeShare>& nodes) {
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

// The largest of the nodes' means of `sum`, each over the node's `count`.
// `average` is the mean over all nodes.
double largest_of_nodes(const RegionTotals& r, double average,
                        int64_t NodeShare::*sum, int64_t NodeShare::*count) {
  if (r.nodes.size() <= 1) return average;
  double max = kUndefined;
  for (const NodeShare& node : r.nodes) {
    if (node.processes == 0) continue;
    // Measured by a version that did not tell.
    if (node.threads == 0) return kUndefined;
    max = std::fmax(max, poprt::mean(node.*sum, node.*count));
  }
  return max;
}

double mean(const RegionTotals& r, const Quantity& quantity) {
  return has_amount(r.amounts, quantity.name)
             ? poprt::mean(amount(r, quantity), r.threads)
             : kUndefined;
}

}  // namespace

double mean(int64_t sum, int64_t count) {
  return ratio(value(sum), value(count));
}

Terms terms_of(const RegionTotals& r, bool clocks_complete) {
  Terms t;
  t.useful_avg = mean(r.useful_sum_ns, r.threads);
  t.useful_max = value(r.useful_max_ns);
  t.useful_max_avg = mean(r.useful_max_weighted_ns, r.threads);
  t.useful_node_max = largest_of_nodes(
      r, t.useful_avg, &NodeShare::useful_sum_ns, &NodeShare::threads);
  t.useful_max_node_max =
      largest_of_nodes(r, t.useful_max_avg, &NodeShare::useful_max_weighted_ns,
                       &NodeShare::threads);
  t.pl_cue = value(r.pl_cue_ns);
  t.cue = clock(r.cue_ns, clocks_complete);
  t.coo = clock(r.coo_ns, clocks_complete);
  t.coow = clock(r.coow_ns, clocks_complete && keeps_coow(r));
  t.all = clock(r.all_ns, clocks_complete);
  t.accelerator_avg = mean(r.accelerator_sum_ns, r.threads);
  return t;
}

MultiplicativeTerms multiplicative_terms(const RegionTotals& r,
                                         bool clocks_complete) {
  if (r.mpi_callers == 0) {
    return {kUndefined, kUndefined, kUndefined,
            kUndefined, kUndefined, kUndefined};
  }
  const double average = mean(r.mpi_callers_outside_sum_ns, r.processes);
  const double max = value(r.mpi_callers_outside_max_ns);
  const bool is_same = r.accelerator_sum_ns == 0;
  return {average,
          max,
          largest_of_nodes(r, average, &NodeShare::mpi_callers_outside_sum_ns,
                           &NodeShare::processes),
          clock(r.com_ns, clocks_complete),
          is_same ? average
                  : ratio(known_amount(r.amounts, kCallersOutsideBoth.name),
                          value(r.processes)),
          is_same ? max : known_amount(r.amounts, kCallersOutsideBothMax.name)};
}

AdditiveTerms additive_terms(const RegionTotals& r, bool clocks_complete) {
  const int64_t useful_inside_ns = r.useful_sum_ns - r.serial_sum_ns;
  const int64_t accelerator_ns = amount(r, kLostWaiting) +
                                 amount(r, kLostCopying) +
                                 amount(r, kLostLaunching);
  const int64_t accelerator_inside_ns = amount(r, kAcceleratorInside);
  AdditiveTerms t;
  t.accelerator_avg = mean(accelerator_ns, r.threads);
  t.device_waiting_avg = mean(r, kLostWaiting);
  t.device_copying_avg = mean(r, kLostCopying);
  t.device_launching_avg = mean(r, kLostLaunching);
  t.openmp_avg = mean(r.openmp_weighted_ns, r.threads);
  t.serial_avg = mean(r.serial_weighted_ns, r.threads);
  t.outside_mpi_avg = mean(r.openmp_weighted_ns + r.serial_weighted_ns +
                               accelerator_ns - accelerator_inside_ns,
                           r.threads);
  t.outside_mpi_max = value(r.outside_mpi_max_ns);
  t.outside_mpi_node_max = largest_of_nodes(r, t.outside_mpi_avg,
                                            &NodeShare::outside_mpi_weighted_ns,
                                            &NodeShare::threads);
  t.ideal = clock(r.comp_ns, clocks_complete);
  if (works_off_the_line(r)) {
    t.thread_lost_avg = t.amdahl_avg = t.openmp_lost_avg = t.serialised_avg =
        t.mpi_inside_avg = t.scheduling_avg = t.not_started_avg =
            t.accelerator_inside_avg = t.imbalance_avg = kUndefined;
    return t;
  }
  t.thread_lost_avg =
      t.outside_mpi_avg - mean(r.useful_sum_ns, r.threads) - t.accelerator_avg;
  t.amdahl_avg = mean(r.serial_weighted_ns - r.serial_sum_ns, r.threads);
  t.openmp_lost_avg =
      mean(r.openmp_weighted_ns - useful_inside_ns - accelerator_inside_ns,
           r.threads);
  t.serialised_avg = mean(r, kOpenMpSerialised);
  t.mpi_inside_avg =
      mean(r, kMpiInside) + mean(amount(r, kOpenMpMpiInside), r.threads);
  t.scheduling_avg = mean(r, kOpenMpScheduling);
  t.not_started_avg = mean(r, kOpenMpNotStarted);
  t.accelerator_inside_avg =
      mean(amount(r, kOpenMpAcceleratorInside), r.threads);
  t.imbalance_avg = t.openmp_lost_avg - t.serialised_avg - t.mpi_inside_avg -
                    t.scheduling_avg - t.not_started_avg -
                    t.accelerator_inside_avg;
  return t;
}

TalpTerms talp_terms(const RegionTotals& r) {
  return {value(r.talp_useful_ns),
          value(r.talp_mpi_ns),
          value(r.talp_omp_serial_ns),
          value(r.talp_omp_load_balance_ns),
          value(r.talp_omp_scheduling_ns),
          value(r.talp_not_mpi_max_ns),
          value(r.processes),
          balance_of_nodes(r.nodes),
          value(amount(r, kTalpAccelerator))};
}

CounterTerms counter_terms(const RegionTotals& r) {
  return {counted(r.amounts, "PAPI_TOT_INS"),
          counted(r.amounts, "PAPI_TOT_CYC"),
          counted(r.amounts, kCountedUseful), float_counts(r)};
}

IoTerms io_terms(const RegionTotals& r) {
  const auto number = [&](const Quantity& quantity) {
    return has_amount(r.amounts, quantity.name) ? value(amount(r, quantity))
                                                : kUndefined;
  };
  const double posix_avg = poprt::mean(amount(r, kPosixIo), r.threads);
  return {{mean(r, kMpiIo), value(amount(r, kMpiIo)), number(kMpiIoRead),
           number(kMpiIoWritten), number(kMpiIoCalls)},
          {posix_avg, value(amount(r, kPosixIo)), number(kPosixIoRead),
           number(kPosixIoWritten), number(kPosixIoCalls)}};
}

MpiParts mpi_parts(const RegionTotals& r) {
  return {poprt::mean(r.mpi_sum_ns, r.threads), mean(r, kMpiWaiting),
          mean(r, kMpiTransfer), mean(r, kMpiUnknown)};
}

DeviceMetrics device_metrics_of(const RegionTotals& r) {
  return device_metrics(r.devices, r.elapsed_max_ns);
}

DeviceShares device_shares_of(const RegionTotals& r, bool clocks_complete) {
  return clocks_complete ? device_shares(r.devices, r.all_ns)
                         : device_shares({}, 0);
}

Shares shares_of(const RegionTotals& r, bool clocks_complete) {
  const double all = clock(r.all_ns, clocks_complete);
  const double total = all * value(r.threads);
  const Terms terms = terms_of(r, clocks_complete);
  const MultiplicativeTerms process = multiplicative_terms(r, clocks_complete);
  Shares s;
  s.coo = ratio(value(r.coo_ns), all);
  s.coow = keeps_coow(r) ? ratio(value(r.coow_ns), all) : kUndefined;
  s.cue = ratio(value(r.cue_ns), all);
  s.pl_cue = ratio(value(r.pl_cue_ns), all);
  s.useful_max = ratio(value(r.useful_max_ns), all);
  s.useful_max_node_max = ratio(terms.useful_max_node_max, all);
  s.useful_max_avg = ratio(value(r.useful_max_weighted_ns), total);
  s.useful_node_max = ratio(terms.useful_node_max, all);
  s.useful_avg = ratio(value(r.useful_sum_ns), total);
  s.ideal = ratio(process.ideal, all);
  s.outside_mpi_max = ratio(process.outside_mpi_max, all);
  s.outside_mpi_node_max = ratio(process.outside_mpi_node_max, all);
  s.outside_mpi_avg = ratio(process.outside_mpi_avg, all);
  s.outside_both_max = ratio(process.outside_both_max, all);
  s.outside_both_avg = ratio(process.outside_both_avg, all);
  return s;
}

Inputs::Inputs(const RegionTotals& region, bool clocks_complete)
    : terms(terms_of(region, clocks_complete)),
      multiplicative(multiplicative_terms(region, clocks_complete)),
      additive(additive_terms(region, clocks_complete)),
      talp(talp_terms(region)),
      counters(counter_terms(region)),
      io(io_terms(region)),
      mpi_parts(poprt::mpi_parts(region)),
      shares(shares_of(region, clocks_complete)),
      devices(device_metrics_of(region)),
      device_shares(device_shares_of(region, clocks_complete)) {}

}  // namespace poprt
