// Whether the models of a run agree on the layer that has lost time.  Each
// model splits the same loss between the layers in its own way.  What one
// of them says about a layer is only reported if no other model contradicts it.
#ifndef POPRT_MODEL_AGREEMENT_H_
#define POPRT_MODEL_AGREEMENT_H_

#include <cmath>
#include <optional>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// What another model, or the measured time itself, leaves for a layer.
struct Witness {
  enum class Kind {
    kLayer,         // all that the model counts as lost by the layer
    kTime,          // the time in the layer
    kTransfer,      // the model's transfer in MPI
    kTransferTime,  // the time of transfer in MPI
  };
  Kind kind;
  double loss;  // share of the region's core time; NaN if it does not know
  Model model = Model::kPop;  // of the kinds that have one
};

// The loss of a row of one layer, and the witness that leaves least for it.
struct Denial {
  Metric metric;
  double claimed;  // share of the region's core time
  Witness witness;
  // What tells that the witness is right: the share of the time in MPI that was
  // waiting for partners that were late.  NaN: who is right is not known.
  double waiting;

  bool is_settled() const { return !std::isnan(waiting); }
};

// nullopt if no other model contradicts at least half of the row's loss, or if
// there is nothing to compare: the row is of no layer, or of accelerators,
// whose time no model splits; the program has only one layer, or the run was
// imported.
std::optional<Denial> denial_of(const JobReport& report,
                                const RegionReport& region,
                                const Metric& metric);

// The other models that count at least half of the row's loss as its layer's.
std::vector<Model> agreeing_models(const RegionReport& region,
                                   const Metric& metric);

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
  // Likewise: it was in a call to an accelerator.
  double idle_during_accelerator;
  double absent;  // processes that were not in the region
  // Parts of `mpi`; NaN if they were not measured.
  double waiting;   // for partners that were late
  double transfer;  // and calls whose partner's clock is not known
};
LayerTimes layer_times(const RegionReport& region);

// The share of the core time that transfer in MPI can have cost, if threads
// that have no work while their process is in MPI wait for MPI.
double most_by_transfer(const LayerTimes& times);

}  // namespace poprt

#endif  // POPRT_MODEL_AGREEMENT_H_
