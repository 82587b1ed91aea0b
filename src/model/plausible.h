// Values that no run can have: what becomes of them, and who is told.
//
// A mistake of the tool's, a runtime that reports events in an order nobody has
// seen, a file that was changed: whatever brought them about, a report comes of
// them, its numbers are in their range or a note has them as they were, and its
// run file can be read.
#ifndef POPRT_MODEL_PLAUSIBLE_H_
#define POPRT_MODEL_PLAUSIBLE_H_

#include <cstdint>

#include "model/job.h"
#include "model/totals.h"

namespace poprt {

// Larger integers are nobody's: sums and differences of a few of them, as the
// model makes them, stay inside 64 bits.
inline constexpr int64_t kLargestInteger = (int64_t{1} << 62) - 1;

// Brings all integers into the range that formulas, writers and the reader of
// run files rely on.  What was not is named in a note, with its raw number.
void make_plausible(JobTotals* totals);

// Adds a note for each region that has metrics out of their range, with their
// values, and one for parallel regions.
void note_out_of_range(JobReport* report);

}  // namespace poprt

#endif  // POPRT_MODEL_PLAUSIBLE_H_
