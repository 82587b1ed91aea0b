// Rows of a hierarchy that say what another row has said.
#ifndef POPRT_REPORT_REPEATED_ROWS_H_
#define POPRT_REPORT_REPEATED_ROWS_H_

#include "document/document.h"

namespace poprt {

// Leaves out the rows that repeat the numbers of another row for the same
// reason: in a job of one layer only (MPI or OpenMP), those of both layers,
// whose numbers are the layer's; and the only row below another one, if both
// are equal.  A row with another number in any column stays.
void leave_out_repeated(Table* table);

}  // namespace poprt

#endif  // POPRT_REPORT_REPEATED_ROWS_H_
