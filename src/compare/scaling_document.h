// A scaling study, for people and for programs.
#ifndef POPRT_COMPARE_SCALING_DOCUMENT_H_
#define POPRT_COMPARE_SCALING_DOCUMENT_H_

#include <string>
#include <vector>

#include "compare/scaling_table.h"
#include "document/document.h"
#include "report/table_options.h"

namespace poprt {

struct ScalingOptions {
  std::vector<Model> models;
  std::vector<std::string> regions;  // a table for each of them
  bool spread = false;               // cells show max - min of repeated runs
  Thresholds thresholds = {};
};

// Whether any run of the study was repeated.
bool has_repetitions(const ScalingStudy& study);

// Of a value in a row: for efficiencies and scalings only.  Compares the
// numbers as shown, like the marks.
Grade grade_of(const ScalingRow& row, double value,
               const Thresholds& thresholds);

// "Reference 1x4".
Fact reference_fact(const ScalingStudy& study);

// A table for each region and model with the runs as columns, and the findings.
// `how` tells how strong or weak was decided.
Document scaling_document(const ScalingStudy& study, const std::string& how,
                          const ScalingOptions& options);

// One of its tables, and its findings.
Table scaling_values(const ScalingStudy& study, const std::string& region,
                     Model model, const ScalingOptions& options);
Findings scaling_findings(const ScalingStudy& study, Model model);

// One line for each configuration, region and metric, with heading: median,
// least and largest of its runs.  Undefined values are empty.
std::string scaling_csv(const ScalingStudy& study,
                        const ScalingOptions& options);

// The same as JSON: "poprt.scaling" (docs/command.md). Undefined values are
// null, with the reason where one is known.
std::string scaling_json(const ScalingStudy& study, const std::string& how,
                         const ScalingOptions& options);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_DOCUMENT_H_
