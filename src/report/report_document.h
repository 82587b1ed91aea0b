// The report of one run as a document.
#ifndef POPRT_REPORT_REPORT_DOCUMENT_H_
#define POPRT_REPORT_REPORT_DOCUMENT_H_

#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "model/metric_table.h"
#include "report/table_options.h"

namespace poprt {

// A table for each model, where the time went, what lost it, the findings, and
// the notes.  `run_file` is named if it is not empty.
Document report_document(const JobReport& report,
                         const std::vector<Model>& models,
                         const std::string& run_file,
                         const TableOptions& options = {});

// A label with sentences, as at the end of reports.
FactList note_list(const std::vector<std::string>& notes);

}  // namespace poprt

#endif  // POPRT_REPORT_REPORT_DOCUMENT_H_
