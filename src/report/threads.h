// The rows of a run's threads, as tables and for spreadsheets.
#ifndef POPRT_REPORT_THREADS_H_
#define POPRT_REPORT_THREADS_H_

#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "report/table_options.h"

namespace poprt {

// The rows of threads, if the report has any: of the regions that are shown, or
// only of Global if no names are given.  A list of the threads with the most
// and the least useful time for each region; and a line for each row, for
// spreadsheets.
bool has_thread_rows(const JobReport& report);
std::vector<Block> thread_blocks(const JobReport& report,
                                 const TableOptions& options);
std::string threads_csv_heading();
std::string threads_csv(const JobReport& report, const std::string& file,
                        const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_THREADS_H_
