// What each row of a hierarchy lost, so that rows can be compared: a row of
// 90 % near the top may cost more than one of 70 % below it.
//
// In every model the losses of a row's children add up to the row's own, up
// to 1 - parallel_efficiency.  Of the products this holds because the factors
// are ratios of times in one descending chain, and a row lost its step of it:
//
//   pop             R > G-CUE > max useful > avg useful
//                   transfer, serialisation, load balance
//   critical_path   R > G-COO > G-CUE > max PL-CUE > max useful
//                     > avg of the processes' max useful > avg useful
//                   transfer OpenMP, MPI; serialisation MPI, OpenMP;
//                   load balance MPI, OpenMP
//   multiplicative  R > R_ideal > max outside MPI > avg outside MPI
//                     > avg useful
//                   MPI transfer, serialisation, load balance; OpenMP
//
// which is (1 - value) times the factors that come before it in the chain.
// OpenMP Communication of `multiplicative` has no time of its own (it may
// exceed 1): it lost (1 - value) of the time outside MPI, a negative loss
// where it exceeds 1, and OpenMP Load Balance the rest.
//
// In `additive` a row lost 1 - value by definition.  In TALP both MPI and
// OpenMP are relative to all time, so these losses add up although the
// efficiencies do not multiply; below them are products as above.
#ifndef POPRT_MODEL_LOSSES_H_
#define POPRT_MODEL_LOSSES_H_

#include "model/metrics.h"
#include "model/totals.h"

namespace poprt {

// The loss of every metric, in the metric's place, as a share of R times the
// threads (TALP: of the time of all threads).  NaN as in metrics_of(), but 0
// rather than NaN for a 0/0 that lost nothing.
Metrics losses_of(const RegionTotals& region, const Layers& layers);

}  // namespace poprt

#endif  // POPRT_MODEL_LOSSES_H_
