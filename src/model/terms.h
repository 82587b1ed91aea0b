// What the formulas of docs/metrics.md are written in: averages, maxima and
// clocks of a region.  metrics.cc computes with them, and reports show them.
//
// All are in ns; NaN is what is undefined, or needs a clock that is not
// complete.
#ifndef POPRT_MODEL_TERMS_H_
#define POPRT_MODEL_TERMS_H_

#include "model/ratio.h"
#include "model/totals.h"

namespace poprt {

double mean(int64_t sum, int64_t count);

// Of POP's, the critical-path, the multiplicative and the additive model.
struct Terms {
  double useful_avg;
  double useful_max;
  double useful_max_avg;  // sum_p(t_p max_t useful) / T
  double pl_cue;          // max_p(PL-CUE)
  double cue;             // runtime_ideal
  double coo;
  double all;  // R
};
Terms terms_of(const RegionTotals& region, bool clocks_complete);

// The process level of the multiplicative model: the threads that call MPI, and
// no time of theirs in MPI.  Processes count alike, whatever their threads.
struct MultiplicativeTerms {
  double outside_mpi_avg;
  double outside_mpi_max;
  // The run time on an ideal network: G-COM, and never less than what one of
  // those threads does outside MPI (G-COM follows the primary threads).
  double ideal;
};
MultiplicativeTerms multiplicative_terms(const RegionTotals& region,
                                         bool clocks_complete);

// The process level of the additive model: the primary thread's line, whose MPI
// inside parallel regions is OpenMP's.
struct AdditiveTerms {
  double openmp_avg;
  double serial_avg;
  double outside_mpi_avg;  // of both
  double outside_mpi_max;
  double amdahl_avg;       // sum_p serial_p (t_p - 1) / T
  double openmp_lost_avg;  // avg_t(openmp - useful in parallel regions)
  double ideal;            // the run time on an ideal network: G-COMP
};
AdditiveTerms additive_terms(const RegionTotals& region, bool clocks_complete);

// TALP's, as sums over processes of averages over a process's threads.
struct TalpTerms {
  double useful;
  double mpi;
  double serial;
  double imbalance;
  double scheduling;
  double not_mpi_max;  // of one process

  double idle() const { return serial + imbalance + scheduling; }
  double all() const { return useful + mpi + serial + imbalance + scheduling; }
};
TalpTerms talp_terms(const RegionTotals& region);

}  // namespace poprt

#endif  // POPRT_MODEL_TERMS_H_
