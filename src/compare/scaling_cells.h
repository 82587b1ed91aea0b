// The cells of a scaling table as text and Markdown show them.
#ifndef POPRT_COMPARE_SCALING_CELLS_H_
#define POPRT_COMPARE_SCALING_CELLS_H_

#include <string>

#include "compare/scaling_table.h"
#include "report/table.h"

namespace poprt {

// The cell of `row` in this column: the median of the runs, or their largest
// less their least; of times and factors that is in % of the median.  '+' marks
// what is better than the reference; the spread of one run is "-".
TableCell shown_cell(const ScalingRow& row, size_t column, bool spread);

// The label with its unit: times of a row have all the same.
std::string label_of(const ScalingRow& row, bool spread);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_CELLS_H_
