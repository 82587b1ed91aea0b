// Where processes ran and what they took of their hosts, by rank.
#ifndef POPRT_REPORT_PLACEMENT_H_
#define POPRT_REPORT_PLACEMENT_H_

#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"

namespace poprt {

// A table of what processes took, one of where they might run and ran, and the
// cores of each host with the ranks that might use them.  Empty without rows of
// processes.
std::vector<Block> placement_blocks(const JobReport& report);

// The further fields of a process in CSV: each begins with a comma.
std::string csv_placement_heading();
// REQUIRES: `rank` has a place.
std::string csv_placement(const JobReport& report, int64_t rank);

}  // namespace poprt

#endif  // POPRT_REPORT_PLACEMENT_H_
