// The OpenMP time of a process by construct and place (POPRT_CALLS).
#ifndef POPRT_OPENMP_CONSTRUCT_SITE_TOTALS_H_
#define POPRT_OPENMP_CONSTRUCT_SITE_TOTALS_H_

#include <cstdint>
#include <vector>

#include "measure/thread.h"
#include "model/totals.h"

namespace poprt {

// Sorted as combine() needs it, and so that the times of a region's entries add
// up to its time in OpenMP.  Only members count.  The threads should be at
// rest.  Empty if constructs are not told apart.
std::vector<ConstructSiteTotals> construct_site_totals(
    const std::vector<Thread*>& threads, int64_t now_ns,
    const std::vector<RegionTotals>& regions, std::vector<std::string>* notes);

// The files of their code, of which the longest path has only the marks.
std::vector<std::string> construct_modules(const std::vector<Thread*>& threads);

}  // namespace poprt

#endif  // POPRT_OPENMP_CONSTRUCT_SITE_TOTALS_H_
