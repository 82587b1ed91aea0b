// The symbols in the formulas of docs/metrics.md: averages, maxima and clocks
// of a region.  Metrics are computed from them, and reports show them.
//
// All are in ns.  NaN if undefined, or if a clock is needed that is not
// complete.
#ifndef POPRT_MODEL_TERMS_H_
#define POPRT_MODEL_TERMS_H_

#include "model/device_model.h"
#include "model/ratio.h"
#include "model/totals.h"
#include "model/vectorisation.h"

namespace poprt {

double mean(int64_t sum, int64_t count);

// For the POP, critical-path, multiplicative and additive models.
struct Terms {
  double useful_avg;
  double useful_max;
  double useful_max_avg;  // sum_p(t_p max_t useful) / T
  // The largest of the nodes' means: of useful, and of max_t useful.
  double useful_node_max;
  double useful_max_node_max;
  double pl_cue;  // max_p(PL-CUE)
  double cue;     // runtime_ideal
  double coo;
  double coow;
  double all;  // R
  double accelerator_avg;
};
Terms terms_of(const RegionTotals& region, bool clocks_complete);

// The process level of the multiplicative model: the threads that call MPI,
// with their time outside MPI.  All processes count equally, whatever their
// number of threads.
struct MultiplicativeTerms {
  double outside_mpi_avg;
  double outside_mpi_max;
  double outside_mpi_node_max;  // the largest of the nodes' means
  // The run time on an ideal network: G-COM.  Less than `outside_mpi_max` where
  // threads wait in OpenMP for others that are in MPI.
  double ideal;
  // The same threads outside MPI and the state accelerator.
  double outside_both_avg;
  double outside_both_max;
};
MultiplicativeTerms multiplicative_terms(const RegionTotals& region,
                                         bool clocks_complete);

// The process level of the additive model: the primary threads, with MPI inside
// parallel regions counted as OpenMP.
struct AdditiveTerms {
  double openmp_avg;
  double serial_avg;
  double outside_mpi_avg;  // of both, and of accelerator_p
  double outside_mpi_max;
  double outside_mpi_node_max;  // the largest of the nodes' means
  double amdahl_avg;            // sum_p serial_p (t_p - 1) / T
  // outside_mpi_avg less avg(useful) and less what the accelerator lost
  double thread_lost_avg;
  double openmp_lost_avg;  // avg_t(openmp - useful in parallel regions)
  double ideal;            // the run time on an ideal network: G-COMP
  // The sources of openmp_lost_avg, which they add up to. Undefined if the run
  // was measured by a version that did not tell them apart.
  double imbalance_avg;
  double serialised_avg;
  double mpi_inside_avg;
  double scheduling_avg;
  double not_started_avg;
  double accelerator_inside_avg;  // of others
  // sum_p(t_p accelerator_p) and the accelerator's time in parallel regions;
  // and its three parts.
  double accelerator_avg;
  double device_waiting_avg;
  double device_copying_avg;
  double device_launching_avg;
};
AdditiveTerms additive_terms(const RegionTotals& region, bool clocks_complete);

// TALP's terms: sums over processes of averages over a process's threads.
struct TalpTerms {
  double useful;
  double mpi;
  double serial;
  double imbalance;
  double scheduling;
  double not_mpi_max;  // of one process
  double processes;
  // The average over nodes of the mean time outside MPI, divided by the largest
  // of a node.
  double balance_of_nodes;
  double accelerator;

  double idle() const { return serial + imbalance + scheduling; }
  double all() const {
    return useful + mpi + serial + imbalance + scheduling + accelerator;
  }
};
TalpTerms talp_terms(const RegionTotals& region);

// What the counters have counted in useful time, over all threads.  NaN without
// the counter.
struct CounterTerms {
  double instructions;  // PAPI_TOT_INS
  double cycles;        // PAPI_TOT_CYC
  double useful_ns;     // of the threads whose counters ran
  FloatCounts floats;
};
CounterTerms counter_terms(const RegionTotals& region);

// File I/O: one of its two ways, MPI-IO or POSIX I/O.  Times are 0 without it.
// What was not measured is NaN, but the time in POSIX I/O, which is then 0.
struct IoWay {
  double avg;  // of the time in its calls, over threads
  double sum;
  double read;     // bytes
  double written;  // bytes
  double calls;
};
struct IoTerms {
  IoWay mpi;
  IoWay posix;
};
IoTerms io_terms(const RegionTotals& region);

// The time in MPI and its parts, averages over threads. NaN where the parts
// were not measured.
struct MpiParts {
  double all;
  double waiting;
  double transfer;
  double unknown;
};
MpiParts mpi_parts(const RegionTotals& region);

// What the devices did: undefined without any, and the shares also where the
// run time is not known.
DeviceMetrics device_metrics_of(const RegionTotals& region);
DeviceShares device_shares_of(const RegionTotals& region, bool clocks_complete);

// The steps in the chains of times (see losses_of()), as shares of R.
struct Shares {
  double coo;
  double coow;
  double cue;
  double pl_cue;
  double useful_max;
  double useful_max_node_max;
  double useful_max_avg;
  double useful_node_max;
  double useful_avg;
  // For the multiplicative model.
  double ideal;
  double outside_mpi_max;
  double outside_mpi_node_max;
  double outside_mpi_avg;
  double outside_both_max;
  double outside_both_avg;
};
Shares shares_of(const RegionTotals& region, bool clocks_complete);

// The input for the formula and the loss of a metric.
struct Inputs {
  Inputs(const RegionTotals& region, bool clocks_complete);

  Terms terms;
  MultiplicativeTerms multiplicative;
  AdditiveTerms additive;
  TalpTerms talp;
  CounterTerms counters;
  IoTerms io;
  MpiParts mpi_parts;
  Shares shares;
  DeviceMetrics devices;
  DeviceShares device_shares;
};

}  // namespace poprt

#endif  // POPRT_MODEL_TERMS_H_
