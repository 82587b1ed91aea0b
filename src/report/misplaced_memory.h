// A note on memory that is on other NUMA nodes than the threads.
#ifndef POPRT_REPORT_MISPLACED_MEMORY_H_
#define POPRT_REPORT_MISPLACED_MEMORY_H_

#include <string>

#include "model/job.h"

namespace poprt {

// Whether that is much; false if it is not known.
bool is_memory_misplaced(const JobReport& report);

// REQUIRES: it is.
std::string misplaced_memory(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_MISPLACED_MEMORY_H_
