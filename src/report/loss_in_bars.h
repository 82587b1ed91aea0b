// Models tell whose a loss is, the bars of the core time what the threads did
// meanwhile: the same time, with other numbers. Says how they belong together.
#ifndef POPRT_REPORT_LOSS_IN_BARS_H_
#define POPRT_REPORT_LOSS_IN_BARS_H_

#include <string>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// "In the bars MPI Transfer is part of waiting in MPI (16.4 %) and transfer in
// MPI (3.2 %)." for what the row has lost of the job. Empty if no bar can have
// it.
std::string loss_in_bars(const JobReport& report, const Metric& metric);

// Whether most of what the row has lost by MPI is waiting to the bars and
// transfer to its model, or the other way round. False where ranks
// have threads, which may be why.
bool only_bars_wait(const JobReport& report, const Metric& metric);
bool only_model_waits(const JobReport& report, const Metric& metric);

// "waiting in MPI (16.4 %), ...": the largest that are not useful.
std::string lost_bars(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_LOSS_IN_BARS_H_
