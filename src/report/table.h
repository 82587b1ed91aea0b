// The blocks of the text report that have a hierarchy of metrics as rows.
#ifndef POPRT_REPORT_TABLE_H_
#define POPRT_REPORT_TABLE_H_

#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"
#include "report/writers.h"

namespace poprt {

// Reasons under the tables, numbered in the order of their first use.
class Footnotes {
 public:
  // "[1]".  A text used before has the number it had.
  std::string mark(const std::string& text);
  // One line or more for each; empty without any.
  std::string lines() const;

 private:
  std::vector<std::string> texts_;
};

// The regions that are shown, in the report's order.
std::vector<const RegionReport*> shown_regions(const JobReport& report,
                                               const TableOptions& options);

// Whether the job has rows of this layer.
bool layer_present(const JobReport& report, Layer layer);

// The rows of a model that exist in this job.
std::vector<Metric> shown_metrics(const JobReport& report, Model model);

// The models that are shown where none is asked for.
std::vector<Model> usual_models(const JobReport& report);

// "1.902 s"; "-" where it is not known.
std::string run_time(const JobReport& report, const RegionReport& region);

// Number of a cell, and ' ', '!' or 'x'.  NaN has "-" and ' '.
struct TableCell {
  std::string number;
  char mark;
};
TableCell cell_of(const RegionReport& region, const Metric& metric,
                  const TableOptions& options);

// Why this metric is NaN here.
const char* undefined_reason(const JobReport& report,
                             const RegionReport& region, const Metric& metric);

// Why `value`, as shown, is below 0 or above 100 %; nullptr where it is not.
const char* outside_reason(const Metric& metric, double value);

// "Hybrid, critical path, % of run time".
std::string table_title(Model model, const TableOptions& options);

// One model: regions as columns, the metrics as rows, and beside efficiencies
// what each row lost of the job's core time (model/losses.h).  More regions
// than fit are further tables.
std::string model_table(const JobReport& report, Model model,
                        const TableOptions& options, Footnotes* footnotes);

}  // namespace poprt

#endif  // POPRT_REPORT_TABLE_H_
