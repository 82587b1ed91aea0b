// Divisions of a run: sets of regions that follow one another and are all of
// it, so that what the run takes is the sum of what they take.
//
// A run file does not say which regions lie within others.  But the times of
// regions that do not overlap add up to at most those of the run, in each
// state, and a run time is at most the sum of theirs: it is the longest path,
// which is in each of them not longer than its longest.  If both sums are those
// of the run, one path is the longest in each of them.
#ifndef POPRT_MODEL_DIVISIONS_H_
#define POPRT_MODEL_DIVISIONS_H_

#include <vector>

#include "model/job.h"

namespace poprt {

using Division = std::vector<const RegionReport*>;

// Those of two or more to which no further one could be added.  Each region was
// entered by all processes and has all clocks.  Only the twelve regions with
// the longest run times are looked at.
std::vector<Division> divisions_of(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_MODEL_DIVISIONS_H_
