// Turns a JobReport into what programs read: CSV and JSON, made directly from
// its values.  What people read is first made into a document
// (report_document.h).
//
// CSV is not a view of a document.  It has a line for each value, in base units
// with all digits and under documented names, including those that a document
// leaves out.
#ifndef POPRT_REPORT_WRITERS_H_
#define POPRT_REPORT_WRITERS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"
#include "report/document.h"
#include "report/format.h"

namespace poprt {

// What the cells of a table show: the metric, or what its row lost.
enum class View { kEfficiency, kLoss };

enum class EfficiencyUnit { kPercent, kFraction };

struct TableOptions {
  // Names of the regions to show; empty for Global and the four that lost most.
  std::vector<std::string> regions = {};
  // Numbers of windows to show beside them, from 0. Without names of regions
  // only these.
  std::vector<int64_t> windows = {};
  View view = View::kEfficiency;
  EfficiencyUnit unit =
      EfficiencyUnit::kPercent;  // in tables; sentences always use per cent
  Thresholds thresholds = {};
  std::vector<Block> blocks = {};  // further blocks after the tables
  bool all_rows = false;           // of the rankings
  bool all_places = false;         // of MPI calls and OpenMP constructs
};

// A number as a field of CSV, with all its digits, independent of the locale;
// empty if it is not finite.
std::string csv_number(double value);

// One line for each metric of each region, without heading.  `file` is the
// first field.  Undefined values are empty.
std::string csv_heading();
// The lines of numbers of the whole run that are known (job_numbers.h).
std::string job_csv(const JobReport& report, const std::string& file);
std::string to_csv(const JobReport& report, const std::string& file,
                   const std::vector<Model>& models,
                   const TableOptions& options);

// The rows of processes (docs/file_format.md), if the report has any: of the
// regions that are shown, or only of Global if no names are given.
bool has_rows(const JobReport& report);
// For each region a table with sum, mean and extremes of each column, and one
// of the processes with the most and the least useful time.
std::vector<Block> process_blocks(const JobReport& report,
                                  const TableOptions& options);
// The same rows of several runs for spreadsheets: a line for each process of
// each region.  Each counter that any of them has is a column "counters.NAME"
// behind the others, empty where it was not counted.
class ProcessesCsv {
 public:
  void add(const JobReport& report, const std::string& file,
           const TableOptions& options);
  std::string text() const;

 private:
  struct Line {
    std::string fields;
    std::map<std::string, int64_t, std::less<>> counts;  // by counter
  };
  std::vector<Line> lines_;
  std::set<std::string, std::less<>> counters_;
};

// The rows of threads, if the report has any: of the regions that are shown, or
// only of Global if no names are given.  A list of the threads with the most
// and the least useful time for each region; and a line for each row, for
// spreadsheets.
bool has_thread_rows(const JobReport& report);
std::vector<Block> thread_blocks(const JobReport& report,
                                 const TableOptions& options);
std::string threads_csv_heading();
std::string threads_csv(const JobReport& report, const std::string& file,
                        const TableOptions& options);

// MPI calls and OpenMP constructs by place (POPRT_CALLS), if the report has
// any, for spreadsheets: a line for each place in each region, or in those that
// are named.
bool has_places(const JobReport& report);
std::string places_csv_heading();
std::string places_csv(const JobReport& report, const std::string& file,
                       const TableOptions& options);

// The JSON Schema (2020-12) of the run file that to_json() writes.
std::string run_file_schema();

// The run file: schema "poprt.run" (docs/file_format.md).
std::string to_json(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_WRITERS_H_
