// Who or what has most of a loss, by name, where the run's rows prove it.  Each
// is a sentence; empty where it was not measured, or nobody stands out.
#ifndef POPRT_REPORT_CULPRITS_H_
#define POPRT_REPORT_CULPRITS_H_

#include <string>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// Of unequal work: the ranks, the node, or the thread of each rank that has
// more than the mean.
std::string slow_ranks(const JobReport& report, const Metric& loss);
std::string slow_node(const JobReport& report, const Metric& loss);
std::string slow_thread(const JobReport& report, const Metric& loss);

// Of a loss in MPI: the call that has most of the waiting, or of the transfer.
std::string heaviest_call(const JobReport& report, const Metric& loss);

// Of a loss in OpenMP: the parallel region that has most of it.
std::string heaviest_parallel_region(const JobReport& report,
                                     const Metric& loss);

}  // namespace poprt

#endif  // POPRT_REPORT_CULPRITS_H_
