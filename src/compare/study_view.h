// What an assessment asks a scaling study.
#ifndef POPRT_COMPARE_STUDY_VIEW_H_
#define POPRT_COMPARE_STUDY_VIEW_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling_document.h"
#include "compare/scaling_table.h"
#include "document/document.h"

namespace poprt {

// Numbers of Global, by the first model of the options; of single runs it is
// the first one of the configuration with the most cores.  The study and the
// options must outlive it.
class StudyView {
 public:
  StudyView(const ScalingStudy& study, const ScalingOptions& options);

 protected:
  // Whether a row is of a part of the assessment, by its key.
  using IsRow = std::function<bool(std::string_view)>;

  // Run time of each region as a share of that of the program.
  Table shares_of_regions() const;
  // The rows of these keys.
  Table table_with(const char* title, const IsRow& is_row) const;

  // Which of these rows is lowest in the largest run; "" if none is known.
  std::string lowest(const IsRow& is_row) const;
  // From which run on the speedup falls behind.
  std::string first_below() const;
  // What could be gained at most by the main cause of the region's losses; ""
  // if there is none to name.
  std::string gain_of(const RegionReport& region) const;

  // The median; NaN if it is not known.
  double value(std::string_view key, size_t column) const;
  double cores_of(size_t column) const;
  std::string time_of(size_t column) const;

  const ScalingStudy& study_;
  const ScalingOptions& options_;
  const Model model_;
  const Configuration& reference_;
  const size_t last_;
  const Configuration& largest_;
  const JobReport& report_;
  const std::vector<ScalingRow> rows_;
};

}  // namespace poprt

#endif  // POPRT_COMPARE_STUDY_VIEW_H_
