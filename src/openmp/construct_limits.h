// What constructs lose and do, within the limits of the region's totals.
#ifndef POPRT_OPENMP_CONSTRUCT_LIMITS_H_
#define POPRT_OPENMP_CONSTRUCT_LIMITS_H_

#include <vector>

#include "model/totals.h"

namespace poprt {

// The sources of what a construct loses are not more than that, though cores
// that threads of other teams had may have come to the team.
void limit_losses(ConstructTotals* totals);

// Makes the constructs of a region no more than the region, and what they leave
// of it no less than nothing.
void limit_to(const RegionTotals& region,
              const std::vector<ConstructTotals*>& constructs);

}  // namespace poprt

#endif  // POPRT_OPENMP_CONSTRUCT_LIMITS_H_
