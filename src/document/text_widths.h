// How a table shares the width of a page.
#ifndef POPRT_DOCUMENT_TEXT_WIDTHS_H_
#define POPRT_DOCUMENT_TEXT_WIDTHS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "document/document.h"

namespace poprt {

// The page on which no name of the table is shortened and all its columns stand
// side by side; the report's width if that is enough.
size_t width_needed(const Table& table);

// How many columns stand side by side, if there is room: all but one that
// stands apart.
size_t columns_of_values(const Table& table);

// The label of a row, as it fits.
std::string label_in(size_t width, const TableRow& row);

// A table with a hierarchy.
struct HierarchyWidths {
  // REQUIRES: `page` is at least the report's width.
  HierarchyWidths(const Table& table, size_t page);

  // Of each of `count` columns that stand side by side.
  size_t cell(size_t count) const;

  size_t label;
  size_t columns_max;  // further columns go into further tables
  size_t apart;        // left for the column that stands apart
  size_t region;       // of the region's name in the title
  size_t time_margin;  // after a time, whose unit may stand in place of marks

 private:
  size_t room_;  // of all columns
  size_t cell_max_;
  size_t even_;  // further tables have as many columns; 0: what they need
};

// A list: what its content needs, and where that is more than the page has,
// first less room between its columns, then shorter names.
struct ListColumn {
  size_t gap;   // before it
  size_t room;  // for its texts
  bool is_words = false;

  size_t width() const { return gap + room; }
};
struct ListWidths {
  size_t label = 0;  // 0 if rows have no labels
  std::vector<ListColumn> cells;
  bool title_is_above_labels;  // else in a line of its own
};
// REQUIRES: `page` is at least the report's width.
ListWidths list_widths(const Table& table, size_t page);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_TEXT_WIDTHS_H_
