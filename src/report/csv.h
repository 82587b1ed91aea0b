// Metrics of a run for spreadsheets and scripts.
//
// CSV is not a view of a document.  It has a line for each value, in base units
// with all digits and under documented names, including those that a document
// leaves out.
#ifndef POPRT_REPORT_CSV_H_
#define POPRT_REPORT_CSV_H_

#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"
#include "report/table_options.h"

namespace poprt {

std::string csv_heading();
// The lines of numbers of the whole run that are known (job_numbers.h).
std::string job_csv(const JobReport& report, const std::string& file);
// The light with its causes, then one line for each metric of each region.
// `file` is the first field.  Undefined values are empty, and so are grades
// where the light is red.
std::string to_csv(const JobReport& report, const std::string& file,
                   const std::vector<Model>& models,
                   const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_CSV_H_
