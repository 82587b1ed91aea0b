// What fixing the largest loss would save, in words.
#ifndef POPRT_REPORT_GAIN_H_
#define POPRT_REPORT_GAIN_H_

#include <string>

#include "model/gain.h"
#include "model/job.h"

namespace poprt {

// "Fixing this loss would save about 48 to 52 % of the run time (estimated: as
// if ...).": rounded outwards, so that it contains the interval.
std::string gain_words(const Gain& gain, bool has_accelerators = false);
// "How much ... is not known: ...".
std::string gain_words(NoGain reason);

// By how much the run would be shorter if the work in the region took no time,
// by its longest path without it (POPRT_PATH=without): a share of the run time.
// NaN: not known.
double share_without(const JobReport& report, const RegionReport& region);

}  // namespace poprt

#endif  // POPRT_REPORT_GAIN_H_
