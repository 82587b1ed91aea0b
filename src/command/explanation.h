// What `poprt explain` says of a metric, as documents.
#ifndef POPRT_COMMAND_EXPLANATION_H_
#define POPRT_COMMAND_EXPLANATION_H_

#include <string>
#include <vector>

#include "compare/scaling.h"
#include "document/document.h"
#include "model/job.h"
#include "model/metric_table.h"
#include "report/job_numbers.h"

namespace poprt {

// Its meaning, what to do if it is low, its other names, the rows below it, and
// for each region the formula with the numbers of `report`.  `file` is the
// report's run file.  Without regions, `report` may be nullptr.
Document explanation_of(const Metric& metric, const JobReport* report,
                        const std::vector<const RegionReport*>& regions,
                        const std::string& file);

// For a number that compares runs, which a single run does not have.
Document explanation_of(const ScalingMetric& metric);

// For a number of the whole run, with its value in `report`, which may be
// nullptr.
Document explanation_of(const JobNumber& number, const JobReport* report,
                        const std::string& file);

}  // namespace poprt

#endif  // POPRT_COMMAND_EXPLANATION_H_
