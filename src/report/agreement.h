// Whether the models of one run agree on the layer that lost time.  Each model
// splits the same loss between MPI and OpenMP in its own way; what one of them
// says of a layer is only safe to say where no other one denies it.
#ifndef POPRT_REPORT_AGREEMENT_H_
#define POPRT_REPORT_AGREEMENT_H_

#include <optional>
#include <string>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// What a row of one layer says it lost, and what the model that says least
// leaves for it.
struct Denial {
  double claimed;     // of the region's core time
  double left;        // likewise, at least 0
  std::string words;  // of both, as part of a sentence
};

// nullopt where nobody denies at least half of what the row says it lost, and
// where there is nothing to compare: the row is of both layers, the program
// has one layer only, or the run was imported.
std::optional<Denial> denial_of(const JobReport& report,
                                const RegionReport& region,
                                const Metric& metric);

// The row of both layers for the same kind of loss: Transfer Efficiency for
// MPI Transfer Efficiency.  A row that has none is returned itself.
Metric row_of_both_layers(const Metric& metric);

// The row, or where another model denies it, that of both layers.
Metric undenied(const JobReport& report, const RegionReport& region,
                const Metric& metric);

// What threads did, as shares of the region's core time.
struct LayerTimes {
  double mpi;              // in MPI
  double openmp;           // in OpenMP's runtime, or without work
  double idle_during_mpi;  // part of `openmp`: the primary thread was in MPI
  double absent;           // processes that were not in the region
};
LayerTimes layer_times(const RegionReport& region);

}  // namespace poprt

#endif  // POPRT_REPORT_AGREEMENT_H_
