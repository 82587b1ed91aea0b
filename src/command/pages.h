// The pages for a browser that the commands write.
#ifndef POPRT_COMMAND_PAGES_H_
#define POPRT_COMMAND_PAGES_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling_table.h"
#include "document/format.h"
#include "model/metric_table.h"
#include "page/page.h"
#include "report/table_options.h"

namespace poprt {

struct PageOptions {
  std::vector<Model> models = {};  // the first is shown first; empty: the usual
  PageView first = {};
  Thresholds thresholds = {};
};

// Runs, each on its own.
std::string page_of_runs(const std::vector<RunFile>& runs,
                         const PageOptions& options);

// How the runs of a study scale, and each on its own.  `how` tells how strong
// or weak was decided.
std::string page_of_study(const ScalingStudy& study, const std::string& how,
                          const PageOptions& options);

// The assessment of a study, with its figures.
std::string page_of_assessment(const ScalingStudy& study,
                               const std::string& how,
                               const PageOptions& options);

}  // namespace poprt

#endif  // POPRT_COMMAND_PAGES_H_
