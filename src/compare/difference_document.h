// A comparison of two sets of runs, for people and for programs.
#ifndef POPRT_COMPARE_DIFFERENCE_DOCUMENT_H_
#define POPRT_COMPARE_DIFFERENCE_DOCUMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "compare/difference.h"
#include "compare/scaling.h"
#include "document/document.h"
#include "report/table_options.h"

namespace poprt {

struct DifferenceOptions {
  std::string name_a;  // the user's names for the sides
  std::string name_b;
  std::vector<Model> models;
  std::vector<std::string> regions;  // a table for each of them
  Thresholds thresholds = {};
  std::optional<Scaling> scaling = std::nullopt;  // as the user says
};

// Tables with the sides as columns, and notes on what the tables leave out.
// REQUIRES: there is a pair.
Document difference_document(const Comparison& comparison,
                             const DifferenceOptions& options);

// One line for each configuration, region and metric, with heading.  What one
// side does not have is empty.
std::string difference_csv(const Comparison& comparison,
                           const DifferenceOptions& options);

}  // namespace poprt

#endif  // POPRT_COMPARE_DIFFERENCE_DOCUMENT_H_
