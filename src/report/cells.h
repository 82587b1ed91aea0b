// How a line of a table is laid out: a label, then cells of one width, each a
// number with its mark or footnote.
#ifndef POPRT_REPORT_CELLS_H_
#define POPRT_REPORT_CELLS_H_

#include <string>

namespace poprt {

inline constexpr size_t kLabelWidth = 29;
inline constexpr size_t kCellWidthMax = 18;

// The label of a row at this depth of its hierarchy, kLabelWidth wide.
std::string row_label(std::string label, int depth);

// Text of a cell: number, then mark or footnote in the last three columns.
std::string cell(const std::string& number, const std::string& note,
                 size_t width);

// A name ends over its numbers if it can, else over their marks.
std::string name_cell(const std::string& name, size_t width);

// `text` in the colour of its mark (' ', '!', 'x', '+'); blanks around it stay
// outside.
std::string painted(const std::string& text, char mark, bool color);

std::string without_end_blanks(std::string line);

}  // namespace poprt

#endif  // POPRT_REPORT_CELLS_H_
