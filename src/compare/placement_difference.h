// What differs in where two runs were and in what they took of their hosts.
#ifndef POPRT_COMPARE_PLACEMENT_DIFFERENCE_H_
#define POPRT_COMPARE_PLACEMENT_DIFFERENCE_H_

#include "document/document.h"
#include "model/job.h"

namespace poprt {

// One row for each fact that differs; no rows if all are alike, or are not
// known of one of the runs.  Numbers differ from a tenth on.
Table placement_difference(const JobReport& a, const JobReport& b);

}  // namespace poprt

#endif  // POPRT_COMPARE_PLACEMENT_DIFFERENCE_H_
