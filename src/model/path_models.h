// The metrics of the models `critical_path` and `waiting`, which are the same
// but for the clock that splits Transfer between MPI and OpenMP: G-COO, in
// which all time in MPI counts, or G-COOW, in which waiting in MPI does not.
// In both the state accelerator counts as well, and in G-CUE it does not.  So
// where a thread was in it, Transfer of MPI, and what contains it, is unknown.
#ifndef POPRT_MODEL_PATH_MODELS_H_
#define POPRT_MODEL_PATH_MODELS_H_

#include "model/load_balance.h"
#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

template <Model kModel, PathMetrics Metrics::*kPlace, double Terms::*kClock,
          double Shares::*kShare>
struct PathModel {
  static double unless_accelerator(const Inputs& x, double value) {
    return x.terms.accelerator_avg > 0 ? kUndefined : value;
  }
  // The factors of the model's products and sums.
  static double mpi_load_balance(const Inputs& x) {
    return ratio(x.terms.useful_max_avg, x.terms.useful_max);
  }
  static double mpi_serialisation(const Inputs& x) {
    return ratio(x.terms.pl_cue, x.terms.cue);
  }
  static double mpi_transfer(const Inputs& x) {
    return unless_accelerator(x, ratio(x.terms.cue, x.terms.*kClock));
  }
  static double mpi_transfer_loss(const Inputs& x) {
    return unless_accelerator(x, x.shares.*kShare - x.shares.cue);
  }
  static double mpi_communication(const Inputs& x) {
    return mpi_serialisation(x) * mpi_transfer(x);
  }
  static double mpi_load_balance_loss(const Inputs& x) {
    return x.shares.useful_max - x.shares.useful_max_avg;
  }
  static double mpi_communication_loss(const Inputs& x) {
    return (x.shares.cue - x.shares.pl_cue) + mpi_transfer_loss(x);
  }
  static double openmp_load_balance(const Inputs& x) {
    return ratio(x.terms.useful_avg, x.terms.useful_max_avg);
  }
  static double openmp_serialisation(const Inputs& x) {
    return ratio(x.terms.useful_max, x.terms.pl_cue);
  }
  static double openmp_transfer(const Inputs& x) {
    return ratio(x.terms.*kClock, x.terms.all);
  }
  static double openmp_communication(const Inputs& x) {
    return openmp_serialisation(x) * openmp_transfer(x);
  }
  static double openmp_load_balance_loss(const Inputs& x) {
    return x.shares.useful_max_avg - x.shares.useful_avg;
  }
  static double openmp_communication_loss(const Inputs& x) {
    return (x.shares.pl_cue - x.shares.useful_max) + (1 - x.shares.*kShare);
  }

  static constexpr Metric kMetrics[] = {
      {kModel, "parallel_efficiency", "Parallel Efficiency", 0, Layer::kAny,
       place_of<kPlace, &PathMetrics::parallel_efficiency>,
       [](const Inputs& x) { return ratio(x.terms.useful_avg, x.terms.all); },
       [](const Inputs& x) { return 1 - x.shares.useful_avg; }},
      {kModel, "load_balance", "Load Balance", 1, Layer::kAny,
       place_of<kPlace, &PathMetrics::load_balance>,
       [](const Inputs& x) {
         return ratio(x.terms.useful_avg, x.terms.useful_max);
       },
       [](const Inputs& x) {
         return x.shares.useful_max - x.shares.useful_avg;
       },
       "processes or threads have unequal work"},
      of_nodes({kModel, "load_balance_in", "Load Balance In", 2, Layer::kAny,
                place_of<kPlace, &PathMetrics::load_balance_in>,
                load_balance_in, load_balance_in_loss}),
      of_nodes({kModel, "load_balance_out", "Load Balance Out", 2, Layer::kAny,
                place_of<kPlace, &PathMetrics::load_balance_out>,
                load_balance_out, load_balance_out_loss}),
      {kModel, "communication_efficiency", "Communication Efficiency", 1,
       Layer::kAny, place_of<kPlace, &PathMetrics::communication_efficiency>,
       [](const Inputs& x) { return ratio(x.terms.useful_max, x.terms.all); },
       [](const Inputs& x) { return 1 - x.shares.useful_max; }},
      {kModel, "serialisation_efficiency", "Serialisation Efficiency", 2,
       Layer::kAny, place_of<kPlace, &PathMetrics::serialisation_efficiency>,
       [](const Inputs& x) { return ratio(x.terms.useful_max, x.terms.cue); },
       [](const Inputs& x) { return x.shares.cue - x.shares.useful_max; },
       "processes or threads wait for one another although their work is "
       "balanced over the run"},
      {kModel, "transfer_efficiency", "Transfer Efficiency", 2, Layer::kAny,
       place_of<kPlace, &PathMetrics::transfer_efficiency>,
       [](const Inputs& x) { return ratio(x.terms.cue, x.terms.all); },
       [](const Inputs& x) { return 1 - x.shares.cue; },
       "time in MPI and in the OpenMP runtime that is no imbalance of work"},
      {kModel, "mpi_parallel_efficiency", "MPI Parallel Efficiency", 1,
       Layer::kMpi, place_of<kPlace, &PathMetrics::mpi_parallel_efficiency>,
       [](const Inputs& x) {
         return mpi_load_balance(x) * mpi_communication(x);
       },
       [](const Inputs& x) {
         return mpi_load_balance_loss(x) + mpi_communication_loss(x);
       }},
      {kModel, "mpi_load_balance", "MPI Load Balance", 2, Layer::kMpi,
       place_of<kPlace, &PathMetrics::mpi_load_balance>, mpi_load_balance,
       mpi_load_balance_loss, "some processes have more work than others"},
      of_nodes({kModel, "mpi_load_balance_in", "MPI Load Balance In", 3,
                Layer::kMpi,
                place_of<kPlace, &PathMetrics::mpi_load_balance_in>,
                [](const Inputs& x) {
                  return ratio(x.terms.useful_max_node_max, x.terms.useful_max);
                },
                [](const Inputs& x) {
                  return x.shares.useful_max - x.shares.useful_max_node_max;
                }}),
      of_nodes(
          {kModel, "mpi_load_balance_out", "MPI Load Balance Out", 3,
           Layer::kMpi, place_of<kPlace, &PathMetrics::mpi_load_balance_out>,
           [](const Inputs& x) {
             return ratio(x.terms.useful_max_avg, x.terms.useful_max_node_max);
           },
           [](const Inputs& x) {
             return x.shares.useful_max_node_max - x.shares.useful_max_avg;
           }}),
      {kModel, "mpi_communication_efficiency", "MPI Communication Efficiency",
       2, Layer::kMpi,
       place_of<kPlace, &PathMetrics::mpi_communication_efficiency>,
       mpi_communication, mpi_communication_loss},
      {kModel, "mpi_serialisation_efficiency", "MPI Serialisation Efficiency",
       3, Layer::kMpi,
       place_of<kPlace, &PathMetrics::mpi_serialisation_efficiency>,
       mpi_serialisation,
       [](const Inputs& x) { return x.shares.cue - x.shares.pl_cue; },
       "processes wait for one another although their work is balanced over "
       "the run"},
      {kModel, "mpi_transfer_efficiency", "MPI Transfer Efficiency", 3,
       Layer::kMpi, place_of<kPlace, &PathMetrics::mpi_transfer_efficiency>,
       mpi_transfer, mpi_transfer_loss,
       "time goes into moving data and into MPI itself"},
      {kModel, "openmp_parallel_efficiency", "OpenMP Parallel Efficiency", 1,
       Layer::kOpenMp,
       place_of<kPlace, &PathMetrics::openmp_parallel_efficiency>,
       [](const Inputs& x) {
         return openmp_load_balance(x) * openmp_communication(x);
       },
       [](const Inputs& x) {
         return openmp_load_balance_loss(x) + openmp_communication_loss(x);
       }},
      {kModel, "openmp_load_balance", "OpenMP Load Balance", 2, Layer::kOpenMp,
       place_of<kPlace, &PathMetrics::openmp_load_balance>, openmp_load_balance,
       openmp_load_balance_loss,
       "some threads have more work than others, or only one has any"},
      {kModel, "openmp_communication_efficiency",
       "OpenMP Communication Efficiency", 2, Layer::kOpenMp,
       place_of<kPlace, &PathMetrics::openmp_communication_efficiency>,
       openmp_communication, openmp_communication_loss},
      {kModel, "openmp_serialisation_efficiency",
       "OpenMP Serialisation Efficiency", 3, Layer::kOpenMp,
       place_of<kPlace, &PathMetrics::openmp_serialisation_efficiency>,
       openmp_serialisation,
       [](const Inputs& x) { return x.shares.pl_cue - x.shares.useful_max; },
       "threads wait for one another although their work is balanced over the "
       "run"},
      {kModel, "openmp_transfer_efficiency", "OpenMP Transfer Efficiency", 3,
       Layer::kOpenMp,
       place_of<kPlace, &PathMetrics::openmp_transfer_efficiency>,
       openmp_transfer, [](const Inputs& x) { return 1 - x.shares.*kShare; },
       "time goes into the OpenMP runtime: creating, scheduling, "
       "synchronising"},
  };
};

inline constexpr auto& kCriticalPathModel =
    PathModel<Model::kCriticalPath, &Metrics::critical_path, &Terms::coo,
              &Shares::coo>::kMetrics;
inline constexpr auto& kWaitingModel =
    PathModel<Model::kWaiting, &Metrics::waiting, &Terms::coow,
              &Shares::coow>::kMetrics;

}  // namespace poprt

#endif  // POPRT_MODEL_PATH_MODELS_H_
