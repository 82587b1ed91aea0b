// Why a number is not there, or out of its range.
#ifndef POPRT_REPORT_REASONS_H_
#define POPRT_REPORT_REASONS_H_

#include <span>
#include <string>

#include "model/job.h"
#include "model/metric_table.h"
#include "model/missing.h"
#include "report/sentence.h"

namespace poprt {

// A value that is not known, of a metric of this layer.
struct Absent {
  Missing why;
  Layer layer = Layer::kAny;
};

// Of each the first that is true.
std::span<const Sentence<Absent>> reasons();

std::string undefined_reason(const RegionReport& region, const Metric& metric);
std::string unknown_run_time(const RegionReport& region);

// Why `value`, as shown, is below 0 or above 100 %; empty if it is not.
std::string outside_reason(const Metric& metric, double value);

}  // namespace poprt

#endif  // POPRT_REPORT_REASONS_H_
