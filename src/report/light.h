// The light in words: why a run is to be judged with care, or not at all, and
// what to do that this machine can do.
#ifndef POPRT_REPORT_LIGHT_H_
#define POPRT_REPORT_LIGHT_H_

#include <string>

#include "document/document.h"
#include "model/judge.h"

namespace poprt {

// The cause as part of a sentence, with its number and the limit that it is
// beyond. REQUIRES: its value is known.
std::string words_of(const JobReport& report, const FoundCause& found);

// The light with all its causes and what to do about them.
FactList light_list(const JobReport& report);

// Of a red light: that this run cannot be judged, why, and what to do.
std::string red_sentence(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_LIGHT_H_
