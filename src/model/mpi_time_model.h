// The metrics of the model `mpi_time`: what the time in MPI was spent on
// (docs/metrics.md).
#ifndef POPRT_MODEL_MPI_TIME_MODEL_H_
#define POPRT_MODEL_MPI_TIME_MODEL_H_

#include "model/metric_table.h"
#include "model/place_of.h"
#include "model/ratio.h"

namespace poprt {

namespace mpi_time {
// A part of the time in MPI, of the core time.
template <double MpiParts::*kPart>
double share(const Inputs& x) {
  return ratio(x.mpi_parts.*kPart, x.terms.all);
}
template <double MpiTimeMetrics::*kMember, double MpiParts::*kPart>
constexpr Metric part(const char* key, const char* label) {
  Metric metric = {Model::kMpiTime, key,
                   label,           0,
                   Layer::kMpi,     place_of<&Metrics::mpi_time, kMember>,
                   share<kPart>};
  metric.unit = MetricUnit::kShare;
  metric.less_is_better = true;
  return metric;
}
}  // namespace mpi_time

inline constexpr Metric kMpiTimeModel[] = {
    mpi_time::part<&MpiTimeMetrics::mpi_share, &MpiParts::all>("mpi_share",
                                                               "Time in MPI"),
    mpi_time::part<&MpiTimeMetrics::mpi_waiting_share, &MpiParts::waiting>(
        "mpi_waiting_share", "Waiting for late partners"),
    mpi_time::part<&MpiTimeMetrics::mpi_transfer_share, &MpiParts::transfer>(
        "mpi_transfer_share", "Transfer in MPI"),
    mpi_time::part<&MpiTimeMetrics::mpi_unknown_share, &MpiParts::unknown>(
        "mpi_unknown_share", "Partner's clock unknown"),
};

}  // namespace poprt

#endif  // POPRT_MODEL_MPI_TIME_MODEL_H_
