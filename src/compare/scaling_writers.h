// A scaling study as a person or a program reads it.
#ifndef POPRT_COMPARE_SCALING_WRITERS_H_
#define POPRT_COMPARE_SCALING_WRITERS_H_

#include <string>
#include <vector>

#include "compare/scaling_table.h"

namespace poprt {

struct ScalingOptions {
  std::vector<Model> models;
  std::vector<std::string> regions;  // a table for each
  bool spread = false;               // cells show max - min of repeated runs
  bool color = false;  // by a terminal's escape sequences; text only
};

// Tables 80 columns wide, and what limits scaling.  `how` says how strong or
// weak was decided.
std::string scaling_text(const ScalingStudy& study, const std::string& how,
                         const ScalingOptions& options);

// The same tables in GitHub's Markdown.
std::string scaling_markdown(const ScalingStudy& study, const std::string& how,
                             const ScalingOptions& options);

// One line for each configuration, region and metric, with heading: median,
// least and largest of its runs.  Undefined values are empty.
std::string scaling_csv(const ScalingStudy& study,
                        const ScalingOptions& options);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_WRITERS_H_
