// What stands behind a report: for those who ask for all of it.
#ifndef POPRT_REPORT_DETAILS_H_
#define POPRT_REPORT_DETAILS_H_

#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "report/table_options.h"

namespace poprt {

// What the core time of each region was spent on; regions as columns.
Table core_time_table(const JobReport& report, const TableOptions& options);

// Each host with its processes, threads and cores, and what is known of its
// energy, power and memory; no rows for an imported run.
Table host_table(const JobReport& report);

// What the measurement took, and what it could not see; empty for an imported
// run.
FactList quality_facts(const JobReport& report);

// What was run, when, where, and how; metadata of the program come last.
FactList provenance_facts(const JobReport& report, const std::string& run_file);

// All of these, each as a section.
std::vector<Block> details(const JobReport& report, const std::string& run_file,
                           const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_DETAILS_H_
