// Tables with a hierarchy of metrics as rows and regions as columns.
#ifndef POPRT_REPORT_TABLE_H_
#define POPRT_REPORT_TABLE_H_

#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "model/metric_table.h"
#include "report/table_options.h"

namespace poprt {

// The regions that are shown, in the report's order.
std::vector<const RegionReport*> shown_regions(const JobReport& report,
                                               const TableOptions& options);

// A row of the metric, still without cells.
TableRow metric_row(const Metric& metric);

// The unit of a metric's cells, with efficiencies in per cent.
CellUnit cell_unit(MetricUnit unit);
CellUnit cell_unit(const Metric& metric);

// The label of a model in a table with these metrics: "Hybrid, critical path",
// with "MPI" or "OpenMP" instead if only one layer has any.
std::string name_of(Model model, const std::vector<Metric>& metrics);

// That as a title: "Hybrid, critical path, % of run time".
std::string table_title(Model model, const std::vector<Metric>& metrics);

// One model: regions as columns, metrics as rows, and in the last column what
// each row lost of the job's core time (losses_of()).  Without rows that repeat
// others (repeated_rows.h).
Table model_table(const JobReport& report, Model model,
                  const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_TABLE_H_
