// The parts of the text report that say what the numbers mean: where the time
// went, which regions lost it, what stands out, what to doubt.  Each is a
// block of lines, empty where there is nothing to say.
#ifndef POPRT_REPORT_FINDINGS_H_
#define POPRT_REPORT_FINDINGS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// "1.234 core-s".
std::string core_seconds(int64_t ns);
// Of the job's core time.  REQUIRES: there was any.
double share_of_job(const JobReport& report, int64_t ns);

// The core time of the job by what it was spent on; adds up to 100 %.
std::string core_time_bars(const JobReport& report);

// The regions that lost most core time.
std::string region_ranking(const JobReport& report);

// What costs most, in this run's numbers and by the model that is usual for
// it.  No layer is named that another model of the run denies, and none where
// too much of the time is in no figure.
std::string main_finding(const JobReport& report);

// The metric that the main finding names, or would name of another region;
// nullopt where it names none.
std::optional<Metric> main_cause(const JobReport& report,
                                 const RegionReport& region);

// What this run adds to the general advice for a low value of the metric;
// empty for nothing.
std::string advice(const JobReport& report, const RegionReport& region,
                   const Metric& metric);

// The command that says more about it; `run_file` is its file.
std::string next_step(const JobReport& report, const std::string& run_file);

// Why some numbers may be off, and what the program did wrong.
std::string quality_notes(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_FINDINGS_H_
