// Threads whose work is in no figure of the report.
#ifndef POPRT_REPORT_UNKNOWN_THREADS_H_
#define POPRT_REPORT_UNKNOWN_THREADS_H_

#include <string>

#include "model/job.h"

namespace poprt {

// Whether they did more than next to nothing.
bool have_unknown_threads_worked(const JobReport& report);

// What is known of them, one line. REQUIRES: they have worked.
std::string unknown_threads_note(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_UNKNOWN_THREADS_H_
