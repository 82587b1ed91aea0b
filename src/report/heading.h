// What was run, and on how many cores: the heading of every report.
#ifndef POPRT_REPORT_HEADING_H_
#define POPRT_REPORT_HEADING_H_

#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

// The program and its arguments, printable.
std::string command_line(const RunContext& context);

// The first line of a text: "== poprt 1.0.0 == what ====".
// REQUIRES: printable.
std::string heading_line(const std::string& what);

// "4 ranks x 8 threads = 32 cores, 2 hosts".
std::string shape(const JobTotals& totals);

// "4x8": ranks, and threads of the rank with most, as run files are named.
std::string file_shape(const JobTotals& totals);

// The same, but different for runs of different shapes: "4x2-8=20" where the
// ranks have 2 to 8 threads, 20 together.
std::string short_shape(const JobTotals& totals);

// The blocks of lines with a blank line above each that has any, and the rule
// below the last.
std::string joined_blocks(const std::vector<std::string>& blocks);

}  // namespace poprt

#endif  // POPRT_REPORT_HEADING_H_
