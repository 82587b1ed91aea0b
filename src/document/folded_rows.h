// Rows of a hierarchy that say nothing on their own.
#ifndef POPRT_DOCUMENT_FOLDED_ROWS_H_
#define POPRT_DOCUMENT_FOLDED_ROWS_H_

#include <vector>

#include "document/document.h"

namespace poprt {

// For each row whether it can share one line with others: all its cells are
// 100 %, all are unknown, or all are 0 of what is no efficiency, nothing is
// lost, and the same is true of all rows below it.  A root of 100 % is not one
// of them, nor a single row.
std::vector<bool> folded_rows(const Table& table);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_FOLDED_ROWS_H_
