// Every formula of the five hierarchies, and nothing else: a function from the
// totals of a region to its metrics (spec: metrics.md, sections 1 to 5).
//
// An undefined value is NaN: 0/0, the rows of a layer that the program does
// not have, the rows that need G clocks where these are not complete.  Nothing
// is clamped.
#ifndef POPRT_MODEL_METRICS_H_
#define POPRT_MODEL_METRICS_H_

#include "model/totals.h"

namespace poprt {

struct PopMetrics {
  double parallel_efficiency;
  double load_balance;
  double communication_efficiency;
  double serialisation_efficiency;
  double transfer_efficiency;
};

struct CriticalPathMetrics {
  double parallel_efficiency;
  double load_balance;
  double communication_efficiency;
  double serialisation_efficiency;
  double transfer_efficiency;
  double mpi_parallel_efficiency;
  double mpi_load_balance;
  double mpi_communication_efficiency;
  double mpi_serialisation_efficiency;
  double mpi_transfer_efficiency;
  double openmp_parallel_efficiency;
  double openmp_load_balance;
  double openmp_communication_efficiency;
  double openmp_serialisation_efficiency;
  double openmp_transfer_efficiency;
};

struct MultiplicativeMetrics {
  double parallel_efficiency;
  double load_balance;
  double communication_efficiency;
  double mpi_parallel_efficiency;
  double mpi_load_balance;
  double mpi_communication_efficiency;
  double mpi_serialisation_efficiency;
  double mpi_transfer_efficiency;
  double openmp_parallel_efficiency;  // these three may exceed 1
  double openmp_load_balance;
  double openmp_communication_efficiency;
};

struct AdditiveMetrics {
  double parallel_efficiency;
  double process_efficiency;
  double process_load_balance;
  double process_communication_efficiency;
  double process_transfer_efficiency;
  double process_serialisation_efficiency;
  double thread_efficiency;
  double openmp_region_efficiency;
  double serial_region_efficiency;
};

struct TalpMetrics {
  double parallel_efficiency;
  double mpi_parallel_efficiency;
  double mpi_communication_efficiency;
  double mpi_load_balance;
  double mpi_load_balance_in;
  double mpi_load_balance_out;
  double openmp_parallel_efficiency;
  double openmp_serialization_efficiency;
  double openmp_load_balance;
  double openmp_scheduling_efficiency;
};

struct Metrics {
  PopMetrics pop;
  CriticalPathMetrics critical_path;
  MultiplicativeMetrics multiplicative;
  AdditiveMetrics additive;
  TalpMetrics talp;
};

// Which layers the program has at all, and whether the region's G clocks are
// complete.
struct Layers {
  bool mpi = true;
  bool openmp = true;
  bool clocks = true;
};

Metrics metrics_of(const RegionTotals& region, const Layers& layers);

// Makes the rows of a layer that the program does not have NaN.
void hide_absent_layers(const Layers& layers, Metrics* metrics);

}  // namespace poprt

#endif  // POPRT_MODEL_METRICS_H_
