// Threads whose work is in no figure of the report.
#ifndef POPRT_REPORT_UNKNOWN_THREADS_H_
#define POPRT_REPORT_UNKNOWN_THREADS_H_

#include <string>

#include "model/job.h"

namespace poprt {

// The share of threads that are not measured in all time that is known of: of
// their time on a core, or their time in MPI if that is longer, and of the core
// time of the report. GCC's OpenMP, of which the report says so, does not count
// here.
double unseen_share(const JobReport& report);

// The sentence for the main finding of a report in which too much of the time
// is theirs.
std::string no_verdict(const JobReport& report);

// What is known of them, one line; empty if they did next to nothing.
std::string unknown_threads_note(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_UNKNOWN_THREADS_H_
