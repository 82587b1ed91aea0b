// The data of figures, as values: what a chart draws, and what stands in its
// CSV.
#ifndef POPRT_COMPARE_FIGURE_H_
#define POPRT_COMPARE_FIGURE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/scaling_document.h"
#include "compare/scaling_table.h"

namespace poprt {

// Values along the figure's axis.  NaN where one is not known.
struct Series {
  std::string key;  // "speedup"; times end in _s, shares have no unit
  std::vector<double> values;
  // For drawings.  Empty: the key.
  std::string label = "";
  // Of repeated runs, whose median is the value.  Empty: only that.
  std::vector<double> least = {};
  std::vector<double> most = {};
  // The values as the report writes them.  Empty: they are just numbers.
  std::vector<std::string> texts = {};
  // "poor": of efficiencies in a run that can be judged.  Empty: they have
  // none.
  std::vector<std::string> grades = {};
};

// A configuration in a figure.
struct Place {
  std::string name;    // "16x4"
  std::string letter;  // of its variant; empty if there is only one
  double cores = 0;    // NaN: not known
  int64_t ranks = 0;
  int64_t threads = 0;  // the most of a rank
  bool is_red = false;  // cannot be judged
};

Place place_of(const Configuration& configuration);

struct Figure {
  std::string axis;                // what the names are: "configuration"
  std::vector<std::string> names;  // "4x1"
  std::vector<Series> series;      // each with a value for each name
  // For drawings: what the names are for people; empty: the same.
  std::vector<std::string> labels = {};
  // Keys of the names' colours, where they have any.
  std::vector<std::string> colours = {};
  // The configurations that the names are; of a figure of one run, that one.
  std::vector<Place> places = {};
};

struct FigureKind {
  const char* key;
  const char* help;
  Figure (*figure)(const ScalingStudy& study, const ScalingOptions& options);
  // Why a figure of this kind can be empty: "" if it never is.
  const char* lacks;
  // Whether it is drawn over cores.
  bool is_curve = false;
  // Whether that is all it says, which is not said of a red run.
  bool names_losses = false;
};

// Why it is not drawn though it has names; nullptr if it is.
const char* why_not_drawn(const FigureKind& kind, const Figure& figure);

// All kinds.  Those of one run show that with the most cores.
std::span<const FigureKind> figure_kinds();

// nullptr if there is none of that name.
const FigureKind* figure_kind(std::string_view key);

// A line for each name and a column for each series (RFC 4180); then one of the
// grades of each series that has them.  What is not known is empty.
std::string figure_csv(const Figure& figure);

}  // namespace poprt

#endif  // POPRT_COMPARE_FIGURE_H_
