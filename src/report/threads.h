// The rows of a run's threads (POPRT_ROWS=thread) as tables and as CSV.
#ifndef POPRT_REPORT_THREADS_H_
#define POPRT_REPORT_THREADS_H_

#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "report/table_options.h"

namespace poprt {

// thread_blocks() has a table for each region, with the threads with the most
// and the least useful time.  threads_csv() has a line for each row.  Both have
// the regions that `options` names, or only Global if it names none.
bool has_thread_rows(const JobReport& report);
std::vector<Block> thread_blocks(const JobReport& report,
                                 const TableOptions& options);
std::string threads_csv_heading();
std::string threads_csv(const JobReport& report, const std::string& file,
                        const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_THREADS_H_
