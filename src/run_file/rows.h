// The rows of processes in a run file, which are columns there.
#ifndef POPRT_RUN_FILE_ROWS_H_
#define POPRT_RUN_FILE_ROWS_H_

#include "model/totals.h"
#include "run_file/json_document.h"

namespace poprt {

// The minor version of the schema that brought them.
inline constexpr int kRowsSince = 4;

// "processes": where the processes with rows ran.  REQUIRES: totals->hosts and
// totals->processes have been read.
void read_places(const Cursor& processes, JobTotals* totals);

// "regions[].rows": columns of one length, with ranks that are among those of
// `job`, and times whose sums stay inside 64 bits.
void read_rows(const Cursor& rows, const JobTotals& job, RegionTotals* region);

}  // namespace poprt

#endif  // POPRT_RUN_FILE_ROWS_H_
