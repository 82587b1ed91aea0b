// What a report says of threads whose work is in none of its figures.
#ifndef POPRT_REPORT_UNKNOWN_THREADS_H_
#define POPRT_REPORT_UNKNOWN_THREADS_H_

#include <string>

#include "model/job.h"

namespace poprt {

// Whether such threads had 1 % of the core time and 10 ms for each process.
bool have_unknown_threads_worked(const JobReport& report);

// One line.  REQUIRES: have_unknown_threads_worked().
std::string unknown_threads_note(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_UNKNOWN_THREADS_H_
