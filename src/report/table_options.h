// What the reader wants to see of a run's tables.
#ifndef POPRT_REPORT_TABLE_OPTIONS_H_
#define POPRT_REPORT_TABLE_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "document/document.h"
#include "document/format.h"

namespace poprt {

// What the cells of a table show: the metric, or what its row lost.
enum class View { kEfficiency, kLoss };

struct TableOptions {
  // Names of the regions to show; empty for Global and the four that lost most.
  std::vector<std::string> regions = {};
  // Numbers of windows to show beside them, from 0. Without names of regions
  // only these.
  std::vector<int64_t> windows = {};
  View view = View::kEfficiency;
  Thresholds thresholds = {};
  std::vector<Block> blocks = {};  // further blocks after the tables
  bool all_rows = false;           // of the rankings
  bool all_places = false;         // of MPI calls and OpenMP constructs
};

}  // namespace poprt

#endif  // POPRT_REPORT_TABLE_OPTIONS_H_
