#include "compare/figure.h"
#include "document/format.h"

namespace poprt {

std::string figure_csv(const Figure& figure) {
  std::string text = csv_field(figure.axis);
  for (const Series& series : figure.series) {
    text += "," + csv_field(series.key);
  }
  for (const Series& series : figure.series) {
    if (!series.grades.empty()) text += "," + csv_field(series.key + "_grade");
  }
  text += "\n";
  for (size_t i = 0; i < figure.names.size(); ++i) {
    text += csv_field(figure.names[i]);
    for (const Series& series : figure.series) {
      text += "," + csv_number(series.values[i]);
    }
    for (const Series& series : figure.series) {
      if (!series.grades.empty()) text += "," + series.grades[i];
    }
    text += "\n";
  }
  return text;
}

}  // namespace poprt
