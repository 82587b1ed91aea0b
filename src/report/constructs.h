// Which parallel regions and tasks cost what, as the text report shows it.
#ifndef POPRT_REPORT_CONSTRUCTS_H_
#define POPRT_REPORT_CONSTRUCTS_H_

#include <string>

#include "model/job.h"

namespace poprt {

// The parallel regions that cost most, and the tasks that did most: a block of
// lines, empty where there are none.
std::string parallel_region_ranking(const JobReport& report);
std::string task_ranking(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_CONSTRUCTS_H_
