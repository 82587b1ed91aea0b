// From a JobReport to what a person or a program reads.  Writers return
// strings: where those go is the caller's affair.
#ifndef POPRT_REPORT_WRITERS_H_
#define POPRT_REPORT_WRITERS_H_

#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"
#include "report/format.h"

namespace poprt {

// What the cells of a table show: a metric, or what its row lost.
enum class View { kEfficiency, kLoss };

enum class EfficiencyUnit { kPercent, kFraction };

struct TableOptions {
  // Names of the regions to show; empty: Global and the four that lost most.
  std::vector<std::string> regions = {};
  View view = View::kEfficiency;
  EfficiencyUnit unit =
      EfficiencyUnit::kPercent;  // of tables; sentences are in per cent
  Thresholds thresholds = {};
  bool color = false;  // by a terminal's escape sequences; text only
  // Further blocks of lines, after the tables.
  std::vector<std::string> blocks = {};
};

// The table that a person reads at the end of a run, 80 columns wide: regions
// as columns, the hierarchies of `models` as rows.  `run_file` is named at the
// end where it is not empty.
std::string to_text(const JobReport& report, const std::vector<Model>& models,
                    const std::string& run_file,
                    const TableOptions& options = {});

// The same tables and findings in GitHub's Markdown.
std::string to_markdown(const JobReport& report,
                        const std::vector<Model>& models,
                        const std::string& run_file,
                        const TableOptions& options);

// A number as a field of CSV: all its digits, whatever the locale; empty where
// it is not finite.
std::string csv_number(double value);

// One line for each metric of each region, without heading; `file` is its
// first field.  Undefined values are empty.
std::string csv_heading();
std::string to_csv(const JobReport& report, const std::string& file,
                   const std::vector<Model>& models,
                   const TableOptions& options);

// The rows of processes (docs/file_format.md), where the report has any, of the
// regions that are shown; of Global alone where no names are given.
bool has_rows(const JobReport& report);
// Sum, mean and extremes of each column, and the processes with most and least
// useful time: one block for each region.
std::vector<std::string> process_blocks(const JobReport& report,
                                        const TableOptions& options);
// One line for each process of each region.
std::string csv_processes_heading();
std::string to_csv_processes(const JobReport& report, const std::string& file,
                             const TableOptions& options);

// JSON Schema (2020-12) of the run file, as to_json() writes it.
std::string run_file_schema();

// The run file: schema "poprt.run" (docs/file_format.md).
std::string to_json(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_WRITERS_H_
