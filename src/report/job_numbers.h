// Numbers of a run as a whole: what it took of its hosts.  No region has them,
// so they are in no model.
#ifndef POPRT_REPORT_JOB_NUMBERS_H_
#define POPRT_REPORT_JOB_NUMBERS_H_

#include <span>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// Stands where another number has its model: "hosts.energy_j".
inline constexpr char kHostsModel[] = "hosts";

// Its meaning in words is its paragraph in docs/metrics.md.
struct JobNumber {
  const char* key;
  const char* label;
  MetricUnit unit;
  double (*value)(const JobReport&);  // NaN if it is not known
  const char* unknown;                // why that may be
  // Of a run that did not come to its end it is a lower bound.
  bool only_grows = false;
};

std::span<const JobNumber> job_numbers();

// One of them: the sum of the processes' peak memory.
double peak_memory_bytes(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_JOB_NUMBERS_H_
