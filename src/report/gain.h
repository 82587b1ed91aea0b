// What fixing the largest loss would save, in words.
#ifndef POPRT_REPORT_GAIN_H_
#define POPRT_REPORT_GAIN_H_

#include <string>

#include "model/gain.h"

namespace poprt {

// "Fixing this loss would save about 48 to 52 % of the run time (estimated: as
// if ...).": rounded outwards, so that it contains the interval.
std::string gain_words(const Gain& gain);

}  // namespace poprt

#endif  // POPRT_REPORT_GAIN_H_
