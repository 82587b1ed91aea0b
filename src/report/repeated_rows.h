// Rows of a hierarchy that say what another row has said.
#ifndef POPRT_REPORT_REPEATED_ROWS_H_
#define POPRT_REPORT_REPEATED_ROWS_H_

#include "document/document.h"
#include "model/metric_table.h"

namespace poprt {

// nullptr for rows that are not metrics of the table's model.
const Metric* metric_of(const Table& table, const TableRow& row);

// Leaves out the rows that repeat the numbers of another row for the same
// reason: in a job of one layer only (MPI or OpenMP), those of both layers,
// whose numbers are the layer's; and the only row below another one, if both
// are equal.  A row with another number in any column stays.
void leave_out_repeated(Table* table);

// Whether the tables of two models show the same numbers in rows of the same
// names, but for "MPI", "OpenMP" or "Process" in front and "Efficiency" behind.
bool are_the_same(const Table& a, const Table& b);

}  // namespace poprt

#endif  // POPRT_REPORT_REPEATED_ROWS_H_
