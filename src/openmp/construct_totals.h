// The sum over a process's threads of what each construct did.
#ifndef POPRT_OPENMP_CONSTRUCT_TOTALS_H_
#define POPRT_OPENMP_CONSTRUCT_TOTALS_H_

#include <cstdint>
#include <vector>

#include "measure/thread.h"
#include "model/totals.h"

namespace poprt {

// Of the whole process, and of each of `regions`, sorted by key, that was open
// when a parallel region began.  Sorted as combine() needs it.  If there are
// many constructs, those with the lowest cost become one entry.  Only members
// count; `members` is their number. The threads should be at rest; an open
// instance is taken to end at `now_ns`.
std::vector<ConstructTotals> construct_totals(
    const std::vector<Thread*>& threads, int64_t members, int64_t now_ns,
    const std::vector<RegionTotals>& regions);

// Begins again with zeros, when measurement does.
void restart_constructs(const std::vector<Thread*>& threads);

}  // namespace poprt

#endif  // POPRT_OPENMP_CONSTRUCT_TOTALS_H_
