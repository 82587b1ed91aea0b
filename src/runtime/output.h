// What becomes of a finished measurement: the text on stderr, the run file.
#ifndef POPRT_RUNTIME_OUTPUT_H_
#define POPRT_RUNTIME_OUTPUT_H_

#include "model/job.h"
#include "runtime/region_selection.h"

namespace poprt {

// Writes what the POPRT_ variables of the environment ask for; this process
// stands for all in what it says of the program.  Never fails as
// far as the program can see: what cannot be written is said in one line.
void write_report(RunContext context, JobTotals totals);

// Whether they ask for anything.
bool report_wanted();

// Whether they ask for rows of processes.
bool rows_wanted();
// The regions that they select.
RegionSelection selected_regions();

std::string host_name();

}  // namespace poprt

#endif  // POPRT_RUNTIME_OUTPUT_H_
