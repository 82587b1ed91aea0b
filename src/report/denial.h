// That the models of a run do not agree (model/agreement.h), in words.
#ifndef POPRT_REPORT_DENIAL_H_
#define POPRT_REPORT_DENIAL_H_

#include <string>
#include <vector>

#include "model/agreement.h"
#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// What is claimed and what is left, as part of a sentence.
std::string words_of(const Denial& denial);

// The other models that say of an undisputed row that it is its layer's loss,
// as a sentence; empty if there are none.
std::string agreement_words(const RegionReport& region, const Metric& metric);

// Who is right, as a sentence without its end. REQUIRES: that is known.
std::string belief(const Denial& denial);

// For the largest loss of a region that another model contradicts, first of
// those of which it is known who is right: says so. Empty if there is none.
std::string denial_note(const JobReport& report, const RegionReport& region,
                        const std::vector<Metric>& metrics);

}  // namespace poprt

#endif  // POPRT_REPORT_DENIAL_H_
