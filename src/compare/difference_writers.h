// Two sets of runs as a person or a program reads them.
#ifndef POPRT_COMPARE_DIFFERENCE_WRITERS_H_
#define POPRT_COMPARE_DIFFERENCE_WRITERS_H_

#include <string>
#include <vector>

#include "compare/difference.h"

namespace poprt {

struct DifferenceOptions {
  std::string name_a;  // what the user calls the sides
  std::string name_b;
  std::vector<Model> models;
  std::vector<std::string> regions;  // a table for each
  bool color = false;                // text only
};

// Tables 80 columns wide, and what they leave out.  REQUIRES: a pair.
std::string difference_text(const Comparison& comparison,
                            const DifferenceOptions& options);

// The same in GitHub's Markdown.
std::string difference_markdown(const Comparison& comparison,
                                const DifferenceOptions& options);

// One line for each configuration, region and metric, with heading; what one
// side does not have is empty.
std::string difference_csv(const Comparison& comparison,
                           const DifferenceOptions& options);

}  // namespace poprt

#endif  // POPRT_COMPARE_DIFFERENCE_WRITERS_H_
