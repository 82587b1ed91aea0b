// The blocks of the text report that have a hierarchy of metrics as rows.
#ifndef POPRT_REPORT_TABLE_H_
#define POPRT_REPORT_TABLE_H_

#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

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

// One model: Global and the regions that lost most as columns, the metrics as
// rows, and what each row lost of the job's core time (model/losses.h).
std::string model_table(const JobReport& report, Model model,
                        Footnotes* footnotes);

}  // namespace poprt

#endif  // POPRT_REPORT_TABLE_H_
