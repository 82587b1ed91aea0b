// Corrects and reports values that no run can have.
//
// They may come from an error in the tool, from a runtime that reports events
// in an unexpected order, or from a file that was changed.  In each case there
// is a report, its numbers are in their range or named in a note, and its run
// file can be read again.
#ifndef POPRT_MODEL_PLAUSIBLE_H_
#define POPRT_MODEL_PLAUSIBLE_H_

#include <cstdint>
#include <string>

#include "model/job.h"
#include "model/totals.h"

namespace poprt {

// No true value is larger.  Sums and differences of a few such integers, as the
// model computes them, stay inside 64 bits.
inline constexpr int64_t kLargestInteger = (int64_t{1} << 62) - 1;

// Brings all integers into the range that formulas, writers and the reader of
// run files rely on.  A note names each value that was outside, with its raw
// number.
void make_plausible(JobTotals* totals);

// Adds a note for each region whose metrics are out of their range, with their
// values, and one for parallel regions.
void note_out_of_range(JobReport* report);

// Adds a note for each region and window whose clocks are not in their order: a
// path is longer than one in which all that it counts weighs as much or more.
// For a run of this version; others have clocks of other definitions.
void note_order_of_clocks(JobReport* report);

// Whether the note is one of those above on values that no run can have.
bool is_of_wrong_values(const std::string& note);

}  // namespace poprt

#endif  // POPRT_MODEL_PLAUSIBLE_H_
