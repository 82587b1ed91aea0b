// The cause that a finding names.
#ifndef POPRT_MODEL_LARGEST_LOSS_H_
#define POPRT_MODEL_LARGEST_LOSS_H_

#include <optional>

#include "model/agreement.h"
#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

struct Loss {
  Metric metric;
  std::optional<Denial> denial;  // why the metric is one of both layers
  // Where most of a loss by transfer is calls whose partner's clock is not
  // known, it is one by communication: they may as well have waited.  Their
  // share of the region's core time; else 0.
  double unknown_calls = 0;
};

// The row with the largest loss in a region, among those that name a cause, by
// the model that is usual for the run, and those of accelerators.  If another
// model contradicts it, or Transfer of MPI is not known and may be larger, the
// largest among the rows of both layers. nullopt if no loss is known, or it may
// be a wait for a device, or most of it is that a recovered run does not know
// its ranks to the same time.
std::optional<Loss> largest_loss(const JobReport& report,
                                 const RegionReport& region);

// Whether at least half of the largest loss may be what a recovered run does
// not know of ranks whose last checkpoint was earlier than that of others.
bool is_mostly_not_known(const JobReport& report, const RegionReport& region);

// Whether a loss of this share of the job's core time is larger than what may
// have been a wait for accelerators and is not measured as such.
bool is_above_devices(const JobReport& report, double lost);

}  // namespace poprt

#endif  // POPRT_MODEL_LARGEST_LOSS_H_
