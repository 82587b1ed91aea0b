// The first rows of a report: what is worth knowing before bars and tables.
#ifndef POPRT_REPORT_OVERVIEW_H_
#define POPRT_REPORT_OVERVIEW_H_

#include "document/document.h"
#include "model/job.h"
#include "report/table_options.h"

namespace poprt {

// Parallel Efficiency; the time in MPI and what OpenMP lost, in two rows each,
// with the numbers of the bars; what threads were idle because of MPI, if they
// were; what devices made of their time, and instructions per cycle, if that
// was measured. Without rows if nothing was measured.
Table overview(const JobReport& report, const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_OVERVIEW_H_
