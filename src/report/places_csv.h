// Places in the code for spreadsheets.
#ifndef POPRT_REPORT_PLACES_CSV_H_
#define POPRT_REPORT_PLACES_CSV_H_

#include <string>

#include "model/job.h"
#include "report/table_options.h"

namespace poprt {

// MPI calls and OpenMP constructs by place (POPRT_CALLS), if the report has
// any, for spreadsheets: a line for each place in each region, or in those that
// are named.
bool has_places(const JobReport& report);
std::string places_csv_heading();
std::string places_csv(const JobReport& report, const std::string& file,
                       const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_PLACES_CSV_H_
