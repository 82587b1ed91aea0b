// From a JobReport to what a person or a program reads.  Writers return
// strings: where those go is the caller's affair.
#ifndef POPRT_REPORT_WRITERS_H_
#define POPRT_REPORT_WRITERS_H_

#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// The table that a person reads at the end of a run, 80 columns wide: regions
// as columns, the hierarchies of `models` as rows.  `run_file` is named at the
// end where it is not empty.
std::string to_text(const JobReport& report, const std::vector<Model>& models,
                    const std::string& run_file);

// The run file: schema "poprt.run" (docs/file_format.md).
std::string to_json(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_WRITERS_H_
