// What the threads of a process did in each construct, added up.
#ifndef POPRT_RUNTIME_CONSTRUCT_TOTALS_H_
#define POPRT_RUNTIME_CONSTRUCT_TOTALS_H_

#include <cstdint>
#include <vector>

#include "model/totals.h"
#include "runtime/thread.h"

namespace poprt {

// Sorted, as combine() needs them; those that cost least are one entry where
// they are many.  Only what members did counts; `members` is their number.  The
// threads should be at rest; an instance that is open ends at `now_ns`.
std::vector<ConstructTotals> construct_totals(
    const std::vector<Thread*>& threads, int64_t members, int64_t now_ns);

// Measurement begins again.
void restart_constructs(const std::vector<Thread*>& threads);

}  // namespace poprt

#endif  // POPRT_RUNTIME_CONSTRUCT_TOTALS_H_
