// How many rows of threads a run keeps, and which ones.
//
// Of too many rows those of the threads with the most and the least useful time
// are kept.  A thread that is among these in the job is among them in each part
// of the job, so the order of combining does not matter.
#ifndef POPRT_MODEL_THREAD_ROWS_H_
#define POPRT_MODEL_THREAD_ROWS_H_

#include "model/totals.h"

namespace poprt {

// For all regions together.
inline constexpr size_t kThreadRowsMax = 65536;

// Leaves in each region an equal share of kThreadRowsMax at most.
void limit_thread_rows(JobTotals* job);

// Sets what threads lose in parallel regions to ThreadRow::kNotKnown.
void forget_sources(JobTotals* own);

}  // namespace poprt

#endif  // POPRT_MODEL_THREAD_ROWS_H_
