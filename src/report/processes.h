// The rows of a run's processes, as tables and for spreadsheets.
#ifndef POPRT_REPORT_PROCESSES_H_
#define POPRT_REPORT_PROCESSES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "report/table_options.h"

namespace poprt {

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

}  // namespace poprt

#endif  // POPRT_REPORT_PROCESSES_H_
