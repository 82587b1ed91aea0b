// Whether the models of a run agree on the layer that has lost time.  Each
// model splits the same loss between the layers in its own way.  What one
// of them says about a layer is only reported if no other model contradicts it.
#ifndef POPRT_REPORT_AGREEMENT_H_
#define POPRT_REPORT_AGREEMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// The loss of a row of one layer, and the least that another model leaves for
// that layer.
struct Denial {
  double claimed;     // share of the region's core time
  double left;        // likewise, at least 0
  std::string words;  // both, as part of a sentence
  // Which of the two is right, as a sentence; empty if that is not known.
  std::string belief = "";
};

// nullopt if no other model contradicts at least half of the row's loss, or if
// there is nothing to compare: the row is of no layer, the program has only
// one, or the run was imported.
std::optional<Denial> denial_of(const JobReport& report,
                                const RegionReport& region,
                                const Metric& metric);

// For the largest loss of a region that another model contradicts, first of
// those of which it is known who is right: says so. Empty if there is none.
std::string denial_note(const JobReport& report, const RegionReport& region,
                        const std::vector<Metric>& metrics);

// The row of all layers for the same kind of loss: Transfer Efficiency for MPI
// Transfer Efficiency.  A row without one is returned itself.
Metric row_of_both_layers(const Metric& metric);

// The row itself, or the row of both layers if another model contradicts it.
Metric undenied(const JobReport& report, const RegionReport& region,
                const Metric& metric);

// What threads did, as shares of the region's core time.
struct LayerTimes {
  double mpi;              // in MPI
  double openmp;           // in the OpenMP runtime, or without work
  double idle_during_mpi;  // part of `openmp`: the primary thread was in MPI
  double absent;           // processes that were not in the region
  // Parts of `mpi`; NaN if they were not measured.
  double waiting;   // for partners that were late
  double transfer;  // and calls whose partner's clock is not known
};
LayerTimes layer_times(const RegionReport& region);

}  // namespace poprt

#endif  // POPRT_REPORT_AGREEMENT_H_
