// The metrics of the model `multiplicative`.
#ifndef POPRT_MODEL_MULTIPLICATIVE_MODEL_H_
#define POPRT_MODEL_MULTIPLICATIVE_MODEL_H_

#include "model/load_balance.h"
#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

// The times in the model's ratios.
namespace multiplicative {
inline double parallel(const Inputs& x) {
  return ratio(x.terms.useful_avg, x.terms.all);
}
inline double load_balance(const Inputs& x) {
  return ratio(x.terms.useful_avg, x.terms.useful_max);
}
inline double communication(const Inputs& x) {
  return ratio(x.terms.useful_max, x.terms.all);
}
inline double mpi_parallel(const Inputs& x) {
  return ratio(x.multiplicative.outside_mpi_avg, x.terms.all);
}
inline double mpi_load_balance(const Inputs& x) {
  return ratio(x.multiplicative.outside_mpi_avg,
               x.multiplicative.outside_mpi_max);
}
inline double mpi_communication(const Inputs& x) {
  return ratio(x.multiplicative.outside_mpi_max, x.terms.all);
}
// Of MPI and the accelerator together: what OpenMP is measured by.
inline double both_parallel(const Inputs& x) {
  return ratio(x.multiplicative.outside_both_avg, x.terms.all);
}
inline double both_load_balance(const Inputs& x) {
  return ratio(x.multiplicative.outside_both_avg,
               x.multiplicative.outside_both_max);
}
inline double both_communication(const Inputs& x) {
  return ratio(x.multiplicative.outside_both_max, x.terms.all);
}
inline double accelerator_parallel_loss(const Inputs& x) {
  return x.shares.outside_mpi_avg - x.shares.outside_both_avg;
}
inline double accelerator_communication_loss(const Inputs& x) {
  return x.shares.outside_mpi_avg *
         (1 - ratio(x.shares.outside_both_max, x.shares.outside_mpi_max));
}
inline double openmp_parallel_loss(const Inputs& x) {
  return x.shares.outside_both_avg - x.shares.useful_avg;
}
inline double openmp_communication_loss(const Inputs& x) {
  return x.shares.outside_both_avg *
         (1 - ratio(x.shares.useful_max, x.shares.outside_both_max));
}
}  // namespace multiplicative

inline constexpr Metric kMultiplicativeModel[] = {
    {Model::kMultiplicative, "parallel_efficiency", "Parallel Efficiency", 0,
     Layer::kAny,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::parallel_efficiency>,
     multiplicative::parallel,
     [](const Inputs& x) { return 1 - x.shares.useful_avg; }},
    {Model::kMultiplicative, "load_balance", "Load Balance", 1, Layer::kAny,
     place_of<&Metrics::multiplicative, &MultiplicativeMetrics::load_balance>,
     multiplicative::load_balance,
     [](const Inputs& x) { return x.shares.useful_max - x.shares.useful_avg; }},
    of_nodes({Model::kMultiplicative, "load_balance_in", "Load Balance In", 2,
              Layer::kAny,
              place_of<&Metrics::multiplicative,
                       &MultiplicativeMetrics::load_balance_in>,
              load_balance_in, load_balance_in_loss}),
    of_nodes({Model::kMultiplicative, "load_balance_out", "Load Balance Out", 2,
              Layer::kAny,
              place_of<&Metrics::multiplicative,
                       &MultiplicativeMetrics::load_balance_out>,
              load_balance_out, load_balance_out_loss}),
    {Model::kMultiplicative, "communication_efficiency",
     "Communication Efficiency", 1, Layer::kAny,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::communication_efficiency>,
     multiplicative::communication,
     [](const Inputs& x) { return 1 - x.shares.useful_max; }},
    {Model::kMultiplicative, "mpi_parallel_efficiency",
     "MPI Parallel Efficiency", 1, Layer::kMpi,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::mpi_parallel_efficiency>,
     multiplicative::mpi_parallel,
     [](const Inputs& x) { return 1 - x.shares.outside_mpi_avg; }},
    {Model::kMultiplicative, "mpi_load_balance", "MPI Load Balance", 2,
     Layer::kMpi,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::mpi_load_balance>,
     multiplicative::mpi_load_balance,
     [](const Inputs& x) {
       return x.shares.outside_mpi_max - x.shares.outside_mpi_avg;
     }},
    of_nodes({Model::kMultiplicative, "mpi_load_balance_in",
              "MPI Load Balance In", 3, Layer::kMpi,
              place_of<&Metrics::multiplicative,
                       &MultiplicativeMetrics::mpi_load_balance_in>,
              [](const Inputs& x) {
                return ratio(x.multiplicative.outside_mpi_node_max,
                             x.multiplicative.outside_mpi_max);
              },
              [](const Inputs& x) {
                return x.shares.outside_mpi_max - x.shares.outside_mpi_node_max;
              }}),
    of_nodes({Model::kMultiplicative, "mpi_load_balance_out",
              "MPI Load Balance Out", 3, Layer::kMpi,
              place_of<&Metrics::multiplicative,
                       &MultiplicativeMetrics::mpi_load_balance_out>,
              [](const Inputs& x) {
                return ratio(x.multiplicative.outside_mpi_avg,
                             x.multiplicative.outside_mpi_node_max);
              },
              [](const Inputs& x) {
                return x.shares.outside_mpi_node_max - x.shares.outside_mpi_avg;
              }}),
    {Model::kMultiplicative, "mpi_communication_efficiency",
     "MPI Communication Efficiency", 2, Layer::kMpi,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::mpi_communication_efficiency>,
     multiplicative::mpi_communication,
     [](const Inputs& x) { return 1 - x.shares.outside_mpi_max; }},
    {Model::kMultiplicative, "mpi_serialisation_efficiency",
     "MPI Serialisation Efficiency", 3, Layer::kMpi,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::mpi_serialisation_efficiency>,
     [](const Inputs& x) {
       return ratio(x.multiplicative.outside_mpi_max, x.multiplicative.ideal);
     },
     [](const Inputs& x) { return x.shares.ideal - x.shares.outside_mpi_max; },
     nullptr, Range::kOpenMpWaits},
    {Model::kMultiplicative, "mpi_transfer_efficiency",
     "MPI Transfer Efficiency", 3, Layer::kMpi,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::mpi_transfer_efficiency>,
     [](const Inputs& x) { return ratio(x.multiplicative.ideal, x.terms.all); },
     [](const Inputs& x) { return 1 - x.shares.ideal; }},
    {Model::kMultiplicative, "accelerator_parallel_efficiency",
     "Accelerator Parallel Efficiency", 1, Layer::kDevices,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::accelerator_parallel_efficiency>,
     [](const Inputs& x) {
       return ratio(x.multiplicative.outside_both_avg,
                    x.multiplicative.outside_mpi_avg);
     },
     multiplicative::accelerator_parallel_loss},
    {Model::kMultiplicative, "accelerator_load_balance",
     "Accelerator Load Balance", 2, Layer::kDevices,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::accelerator_load_balance>,
     [](const Inputs& x) {
       return ratio(multiplicative::both_load_balance(x),
                    multiplicative::mpi_load_balance(x));
     },
     [](const Inputs& x) {
       return multiplicative::accelerator_parallel_loss(x) -
              multiplicative::accelerator_communication_loss(x);
     },
     nullptr, Range::kUnequalCalls},
    {Model::kMultiplicative, "accelerator_communication_efficiency",
     "Accelerator Comm Efficiency", 2, Layer::kDevices,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::accelerator_communication_efficiency>,
     [](const Inputs& x) {
       return ratio(x.multiplicative.outside_both_max,
                    x.multiplicative.outside_mpi_max);
     },
     multiplicative::accelerator_communication_loss},
    {Model::kMultiplicative, "openmp_parallel_efficiency",
     "OpenMP Parallel Efficiency", 1, Layer::kOpenMp,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::openmp_parallel_efficiency>,
     [](const Inputs& x) {
       return ratio(multiplicative::parallel(x),
                    multiplicative::both_parallel(x));
     },
     multiplicative::openmp_parallel_loss, nullptr, Range::kCompensation},
    {Model::kMultiplicative, "openmp_load_balance", "OpenMP Load Balance", 2,
     Layer::kOpenMp,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::openmp_load_balance>,
     [](const Inputs& x) {
       return ratio(multiplicative::load_balance(x),
                    multiplicative::both_load_balance(x));
     },
     [](const Inputs& x) {
       return multiplicative::openmp_parallel_loss(x) -
              multiplicative::openmp_communication_loss(x);
     },
     nullptr, Range::kCompensation},
    {Model::kMultiplicative, "openmp_communication_efficiency",
     "OpenMP Communication Efficiency", 2, Layer::kOpenMp,
     place_of<&Metrics::multiplicative,
              &MultiplicativeMetrics::openmp_communication_efficiency>,
     [](const Inputs& x) {
       return ratio(multiplicative::communication(x),
                    multiplicative::both_communication(x));
     },
     multiplicative::openmp_communication_loss, nullptr, Range::kCompensation},
};

}  // namespace poprt

#endif  // POPRT_MODEL_MULTIPLICATIVE_MODEL_H_
