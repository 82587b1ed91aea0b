// Lists of regions by loss, and of parallel regions and tasks by cost.  Where a
// run cannot be judged they are by time, and no loss stands in them.
#ifndef POPRT_REPORT_RANKINGS_H_
#define POPRT_REPORT_RANKINGS_H_

#include <cstddef>
#include <string>

#include "document/document.h"
#include "model/job.h"

namespace poprt {

// How many rows there is room for in a text.
inline constexpr size_t kRankedRegions = 10;
inline constexpr size_t kRankedConstructs = 6;

// At most the first `most` rows; without rows if there are none.
Table region_ranking(const JobReport& report, size_t most = kRankedRegions);
// `region`: those in this one of the program's regions; empty: of the job.
Table parallel_region_ranking(const JobReport& report,
                              size_t most = kRankedConstructs,
                              const std::string& region = "");
// The same parallel regions: what each lost, by source.
Table parallel_region_sources(const JobReport& report,
                              size_t most = kRankedConstructs,
                              const std::string& region = "");
Table task_ranking(const JobReport& report, size_t most = kRankedConstructs);

}  // namespace poprt

#endif  // POPRT_REPORT_RANKINGS_H_
