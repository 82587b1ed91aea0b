// The heading of every report: what was run, and on how many cores.
#ifndef POPRT_REPORT_HEADING_H_
#define POPRT_REPORT_HEADING_H_

#include <string>

#include "model/job.h"

namespace poprt {

// The program and its arguments, printable.
std::string command_line(const RunContext& context);

// "4 ranks x 8 threads = 32 cores, 2 hosts".
std::string shape(const JobTotals& totals);

// "8", or "2-8" if ranks have 2 to 8 threads; "unknown" as its OpenMP is.
std::string threads_of_processes(const JobTotals& totals);

// "4x8", "4x2-8" or "4xunknown": ranks and threads, as in the names of run
// files, where no shell or archive trips over them.
std::string file_shape(const JobTotals& totals);

// Like file_shape(), but different for all different shapes: "4x2-8=20" if the
// ranks have 20 threads in all; "4x?" with unknown OpenMP.
std::string short_shape(const JobTotals& totals);

// What the measurement took of the core time: "~0.1 %", "unknown".
std::string overhead_words(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_HEADING_H_
