// Models with rows of each layer split the same loss twice: by layers, and over
// both layers together.  Rows of two splits in one column do not add up, so
// reports show them as two tables.
#ifndef POPRT_REPORT_PARTITIONS_H_
#define POPRT_REPORT_PARTITIONS_H_

#include "document/document.h"

namespace poprt {

// Takes the rows of both layers out of a table of a model, all but its first
// metric, as a table of their own.  Without rows if there is only one split.
// With a red light no loss is named.
Table take_both_layers(Table* table, bool is_red);

}  // namespace poprt

#endif  // POPRT_REPORT_PARTITIONS_H_
