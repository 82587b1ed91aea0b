// The cause that a finding names, and what it means in this run.
#ifndef POPRT_REPORT_LARGEST_LOSS_H_
#define POPRT_REPORT_LARGEST_LOSS_H_

#include <optional>
#include <string>

#include "model/job.h"
#include "model/metric_table.h"
#include "report/agreement.h"

namespace poprt {

struct Loss {
  Metric metric;
  std::string meaning;
  std::optional<Denial> denial;  // why the metric is one of both layers
};

// The cause, by the model that is usual for the run, that lost most in a
// region; where another model denies it, what lost most whichever layer it is
// of.  nullopt where nothing is known to be lost.
std::optional<Loss> largest_loss(const JobReport& report,
                                 const RegionReport& region);

// MPI-IO as part of the time in MPI, and whether it is most of it.
double io_share(const RegionTotals& region);
bool is_mostly_io(const RegionTotals& region);

// Whether the row is the time of MPI calls rather than who waits for whom.
bool is_mpi_itself(const Metric& metric);

}  // namespace poprt

#endif  // POPRT_REPORT_LARGEST_LOSS_H_
