// Whether threads had the cores that the report counts.
#ifndef POPRT_REPORT_CORE_USE_H_
#define POPRT_REPORT_CORE_USE_H_

#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

// Why threads lacked cores, as the end of a sentence; "" where the numbers do
// not prove it.
std::string why_no_core(const JobReport& report);

// What to do against it with the cores that this job may use.
std::string how_to_get_cores(const JobReport& report);

// What to know and to do about it, one line each.
std::vector<std::string> core_notes(const JobReport& report);

// What the hosts are, and which of their cores the job might use, in a few
// words each; empty if it is not known.
std::vector<std::string> host_facts(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_CORE_USE_H_
