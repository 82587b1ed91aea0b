// What the numbers of a run mean: the largest loss, and what to look at next.
#ifndef POPRT_REPORT_FINDINGS_H_
#define POPRT_REPORT_FINDINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// The largest loss, with the numbers of this run, by the model that is usual
// for it.  No layer is named if another model of the run contradicts it, or if
// too much of the time is unknown.  Empty if nothing was measured.
std::vector<Finding> main_finding(const JobReport& report);

// What the bars of the core time show of the loss that the main finding names;
// empty if it names none, or they show nothing of it.
std::string loss_among_bars(const JobReport& report);

// The metric that the main finding names, or would name for another region.
struct MainCause : Metric {
  std::string meaning;  // in this run, as part of a sentence
};

// nullopt if it names none.
std::optional<MainCause> main_cause(const JobReport& report,
                                    const RegionReport& region);

// The command that tells more about it; `run_file` is its file.  Empty if no
// metric is named.
std::string next_step(const JobReport& report, const std::string& run_file);

}  // namespace poprt

#endif  // POPRT_REPORT_FINDINGS_H_
