// How many rows of threads a run keeps, and what is known of them.
//
// A thread is looked for because it has more or less to do than others, so the
// rows at both ends are kept.  A thread that is at an end of the job is at that
// end in every part of the job, so the order of combining does not matter.
#ifndef POPRT_MODEL_THREAD_ROWS_H_
#define POPRT_MODEL_THREAD_ROWS_H_

#include "model/totals.h"

namespace poprt {

// Of all regions together.
inline constexpr size_t kThreadRowsMax = 65536;

// Leaves in each region at most its share of kThreadRowsMax: one half of it are
// the threads with the most useful time, one half those with the least.
void limit_thread_rows(JobTotals* job);

// What threads lose in parallel regions is not known.
void forget_sources(JobTotals* own);

}  // namespace poprt

#endif  // POPRT_MODEL_THREAD_ROWS_H_
