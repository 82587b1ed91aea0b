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

// The row with the largest loss in a region, among those that name a cause, by
// the model that is usual for the run.  If another model contradicts it, the
// largest among the rows of both layers. nullopt if no loss is known, or it may
// be a wait for a device (devices.h), or most of it is that a recovered run
// does not know its ranks to the same time.
std::optional<Loss> largest_loss(const JobReport& report,
                                 const RegionReport& region);

// Whether at least half of the largest loss may be what a recovered run does
// not know of ranks whose last checkpoint was earlier than that of others.
bool is_mostly_not_known(const JobReport& report, const RegionReport& region);

// The share of MPI-IO in the time in MPI, and whether it is most of it.
double io_share(const RegionTotals& region);
bool is_mostly_io(const RegionTotals& region);

// The share of waits for locks and dependences in what parallel regions lose,
// and whether it is most of it. 0 if it is not known.
double serialised_share(const RegionTotals& region);
bool is_mostly_serialised(const RegionTotals& region);

// Whether the row is about the time of MPI calls rather than about waiting.
bool is_mpi_itself(const Metric& metric);

}  // namespace poprt

#endif  // POPRT_REPORT_LARGEST_LOSS_H_
