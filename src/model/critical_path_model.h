// The metrics of the model `critical_path`.
#ifndef POPRT_MODEL_CRITICAL_PATH_MODEL_H_
#define POPRT_MODEL_CRITICAL_PATH_MODEL_H_

#include "model/load_balance.h"
#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

// The factors of the model's products and sums.
namespace critical_path {
inline double mpi_load_balance(const Inputs& x) {
  return ratio(x.terms.useful_max_avg, x.terms.useful_max);
}
inline double mpi_serialisation(const Inputs& x) {
  return ratio(x.terms.pl_cue, x.terms.cue);
}
inline double mpi_transfer(const Inputs& x) {
  return ratio(x.terms.cue, x.terms.coo);
}
inline double mpi_communication(const Inputs& x) {
  return mpi_serialisation(x) * mpi_transfer(x);
}
inline double mpi_load_balance_loss(const Inputs& x) {
  return x.shares.useful_max - x.shares.useful_max_avg;
}
inline double mpi_communication_loss(const Inputs& x) {
  return (x.shares.cue - x.shares.pl_cue) + (x.shares.coo - x.shares.cue);
}
inline double openmp_load_balance(const Inputs& x) {
  return ratio(x.terms.useful_avg, x.terms.useful_max_avg);
}
inline double openmp_serialisation(const Inputs& x) {
  return ratio(x.terms.useful_max, x.terms.pl_cue);
}
inline double openmp_transfer(const Inputs& x) {
  return ratio(x.terms.coo, x.terms.all);
}
inline double openmp_communication(const Inputs& x) {
  return openmp_serialisation(x) * openmp_transfer(x);
}
inline double openmp_load_balance_loss(const Inputs& x) {
  return x.shares.useful_max_avg - x.shares.useful_avg;
}
inline double openmp_communication_loss(const Inputs& x) {
  return (x.shares.pl_cue - x.shares.useful_max) + (1 - x.shares.coo);
}
}  // namespace critical_path

inline constexpr Metric kCriticalPathModel[] = {
    {Model::kCriticalPath, "parallel_efficiency", "Parallel Efficiency", 0,
     Layer::kAny,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::parallel_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.useful_avg, x.terms.all); },
     [](const Inputs& x) { return 1 - x.shares.useful_avg; }},
    {Model::kCriticalPath, "load_balance", "Load Balance", 1, Layer::kAny,
     place_of<&Metrics::critical_path, &CriticalPathMetrics::load_balance>,
     [](const Inputs& x) {
       return ratio(x.terms.useful_avg, x.terms.useful_max);
     },
     [](const Inputs& x) { return x.shares.useful_max - x.shares.useful_avg; },
     "processes or threads have unequal work"},
    of_nodes({Model::kCriticalPath, "load_balance_in", "Load Balance In", 2,
              Layer::kAny,
              place_of<&Metrics::critical_path,
                       &CriticalPathMetrics::load_balance_in>,
              load_balance_in, load_balance_in_loss}),
    of_nodes({Model::kCriticalPath, "load_balance_out", "Load Balance Out", 2,
              Layer::kAny,
              place_of<&Metrics::critical_path,
                       &CriticalPathMetrics::load_balance_out>,
              load_balance_out, load_balance_out_loss}),
    {Model::kCriticalPath, "communication_efficiency",
     "Communication Efficiency", 1, Layer::kAny,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::communication_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.useful_max, x.terms.all); },
     [](const Inputs& x) { return 1 - x.shares.useful_max; }},
    {Model::kCriticalPath, "serialisation_efficiency",
     "Serialisation Efficiency", 2, Layer::kAny,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::serialisation_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.useful_max, x.terms.cue); },
     [](const Inputs& x) { return x.shares.cue - x.shares.useful_max; },
     "processes or threads wait for one another although their work is "
     "balanced over the run"},
    {Model::kCriticalPath, "transfer_efficiency", "Transfer Efficiency", 2,
     Layer::kAny,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::transfer_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.cue, x.terms.all); },
     [](const Inputs& x) { return 1 - x.shares.cue; },
     "time in MPI and in the OpenMP runtime that is no imbalance of work"},
    {Model::kCriticalPath, "mpi_parallel_efficiency", "MPI Parallel Efficiency",
     1, Layer::kMpi,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::mpi_parallel_efficiency>,
     [](const Inputs& x) {
       return critical_path::mpi_load_balance(x) *
              critical_path::mpi_communication(x);
     },
     [](const Inputs& x) {
       return critical_path::mpi_load_balance_loss(x) +
              critical_path::mpi_communication_loss(x);
     }},
    {Model::kCriticalPath, "mpi_load_balance", "MPI Load Balance", 2,
     Layer::kMpi,
     place_of<&Metrics::critical_path, &CriticalPathMetrics::mpi_load_balance>,
     critical_path::mpi_load_balance, critical_path::mpi_load_balance_loss,
     "some processes have more work than others"},
    of_nodes({Model::kCriticalPath, "mpi_load_balance_in",
              "MPI Load Balance In", 3, Layer::kMpi,
              place_of<&Metrics::critical_path,
                       &CriticalPathMetrics::mpi_load_balance_in>,
              [](const Inputs& x) {
                return ratio(x.terms.useful_max_node_max, x.terms.useful_max);
              },
              [](const Inputs& x) {
                return x.shares.useful_max - x.shares.useful_max_node_max;
              }}),
    of_nodes({Model::kCriticalPath, "mpi_load_balance_out",
              "MPI Load Balance Out", 3, Layer::kMpi,
              place_of<&Metrics::critical_path,
                       &CriticalPathMetrics::mpi_load_balance_out>,
              [](const Inputs& x) {
                return ratio(x.terms.useful_max_avg,
                             x.terms.useful_max_node_max);
              },
              [](const Inputs& x) {
                return x.shares.useful_max_node_max - x.shares.useful_max_avg;
              }}),
    {Model::kCriticalPath, "mpi_communication_efficiency",
     "MPI Communication Efficiency", 2, Layer::kMpi,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::mpi_communication_efficiency>,
     critical_path::mpi_communication, critical_path::mpi_communication_loss},
    {Model::kCriticalPath, "mpi_serialisation_efficiency",
     "MPI Serialisation Efficiency", 3, Layer::kMpi,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::mpi_serialisation_efficiency>,
     critical_path::mpi_serialisation,
     [](const Inputs& x) { return x.shares.cue - x.shares.pl_cue; },
     "processes wait for one another although their work is balanced over "
     "the run"},
    {Model::kCriticalPath, "mpi_transfer_efficiency", "MPI Transfer Efficiency",
     3, Layer::kMpi,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::mpi_transfer_efficiency>,
     critical_path::mpi_transfer,
     [](const Inputs& x) { return x.shares.coo - x.shares.cue; },
     "time goes into moving data and into MPI itself"},
    {Model::kCriticalPath, "openmp_parallel_efficiency",
     "OpenMP Parallel Efficiency", 1, Layer::kOpenMp,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::openmp_parallel_efficiency>,
     [](const Inputs& x) {
       return critical_path::openmp_load_balance(x) *
              critical_path::openmp_communication(x);
     },
     [](const Inputs& x) {
       return critical_path::openmp_load_balance_loss(x) +
              critical_path::openmp_communication_loss(x);
     }},
    {Model::kCriticalPath, "openmp_load_balance", "OpenMP Load Balance", 2,
     Layer::kOpenMp,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::openmp_load_balance>,
     critical_path::openmp_load_balance,
     critical_path::openmp_load_balance_loss,
     "some threads have more work than others, or only one has any"},
    {Model::kCriticalPath, "openmp_communication_efficiency",
     "OpenMP Communication Efficiency", 2, Layer::kOpenMp,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::openmp_communication_efficiency>,
     critical_path::openmp_communication,
     critical_path::openmp_communication_loss},
    {Model::kCriticalPath, "openmp_serialisation_efficiency",
     "OpenMP Serialisation Efficiency", 3, Layer::kOpenMp,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::openmp_serialisation_efficiency>,
     critical_path::openmp_serialisation,
     [](const Inputs& x) { return x.shares.pl_cue - x.shares.useful_max; },
     "threads wait for one another although their work is balanced over the "
     "run"},
    {Model::kCriticalPath, "openmp_transfer_efficiency",
     "OpenMP Transfer Efficiency", 3, Layer::kOpenMp,
     place_of<&Metrics::critical_path,
              &CriticalPathMetrics::openmp_transfer_efficiency>,
     critical_path::openmp_transfer,
     [](const Inputs& x) { return 1 - x.shares.coo; },
     "time goes into the OpenMP runtime: creating, scheduling, synchronising"},
};

}  // namespace poprt

#endif  // POPRT_MODEL_CRITICAL_PATH_MODEL_H_
