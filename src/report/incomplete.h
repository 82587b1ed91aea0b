// What a report says of a run that did not come to its end.
#ifndef POPRT_REPORT_INCOMPLETE_H_
#define POPRT_REPORT_INCOMPLETE_H_

#include <string>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// Which ranks ended how, and which numbers are bounds, in one line.
// REQUIRES: is_incomplete().
std::string incomplete_note(const RunContext& context);

// Whether a run that did not come to its end makes this metric a lower bound.
// A sum is one.  So is the useful time of all threads as a share of the longest
// process's: what the others did after their last checkpoints is missing in it.
// Other efficiencies compare numbers that are both too small.
bool is_least(const RunContext& context, const Metric& metric);

}  // namespace poprt

#endif  // POPRT_REPORT_INCOMPLETE_H_
