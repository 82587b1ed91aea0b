// Lists of regions by loss, and of parallel regions and tasks by cost.
#ifndef POPRT_REPORT_RANKINGS_H_
#define POPRT_REPORT_RANKINGS_H_

#include "model/job.h"
#include "report/document.h"

namespace poprt {

// Without rows if there are none.
Table region_ranking(const JobReport& report);
Table parallel_region_ranking(const JobReport& report);
// The same parallel regions: what each lost, by source.
Table parallel_region_sources(const JobReport& report);
Table task_ranking(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_RANKINGS_H_
