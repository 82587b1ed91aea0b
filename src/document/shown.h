// The text of a document's cells, the same in all formats.
#ifndef POPRT_DOCUMENT_SHOWN_H_
#define POPRT_DOCUMENT_SHOWN_H_

#include <string>
#include <vector>

#include "document/document.h"

namespace poprt {

// A number and what follows it: the mark of its grade, or "%".
struct ShownCell {
  std::string number;  // "-" if it is not known
  std::string sign;
};
ShownCell shown(const TableCell& cell);

// Whether the cell's bounds are shown as two numbers.  Then "~" stands in front
// of its own.
bool is_estimate(const TableCell& cell);

// What columns mean, those of one meaning together: "useful, LB: % of the
// time".
std::vector<std::string> meanings_of(const std::vector<TableColumn>& columns);

// "!" for attention, "x" for poor, "+" for better than what it is compared
// with, else "".
std::string mark_of(Grade grade);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_SHOWN_H_
