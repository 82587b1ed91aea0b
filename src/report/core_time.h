// What the core time of a job was spent on.
#ifndef POPRT_REPORT_CORE_TIME_H_
#define POPRT_REPORT_CORE_TIME_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "document/document.h"
#include "model/job.h"

namespace poprt {

// "1.234 core-s".
std::string core_seconds(int64_t ns);
// `ns` as a share of the job's core time.  REQUIRES: that is not 0.
double share_of_job(const JobReport& report, int64_t ns);

// Whether a run without the bar of this key had no such time.
bool is_known_part(const JobTotals& totals, std::string_view key);

// The job's core time by what it was spent on; adds up to 100 %. REQUIRES: it
// is not 0.
Bars core_time_bars(const JobReport& report);
// That of one region of the job. REQUIRES: its core time is not 0.
Bars core_time_bars(const JobReport& report, const RegionTotals& region);

}  // namespace poprt

#endif  // POPRT_REPORT_CORE_TIME_H_
