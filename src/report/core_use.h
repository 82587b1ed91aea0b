// Whether threads had the cores that the report counts.
#ifndef POPRT_REPORT_CORE_USE_H_
#define POPRT_REPORT_CORE_USE_H_

#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

// The share of the job's core time in which threads waited for a core; 0 where
// that is not known.
double waited_share(const JobReport& report);

// One sentence for the verdict if threads lacked cores for a noticeable part of
// the time; else empty.
std::string lack_of_cores(const JobReport& report);

// What to know and to do about it, one line each.
std::vector<std::string> core_notes(const JobReport& report);

// What the hosts are, and which of their cores the job might use, in a few
// words each; empty if it is not known.
std::vector<std::string> host_facts(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_CORE_USE_H_
