// What fixing the largest loss would save, in words.
#ifndef POPRT_REPORT_GAIN_H_
#define POPRT_REPORT_GAIN_H_

#include <string>
#include <vector>

#include "model/gain.h"
#include "model/job.h"

namespace poprt {

// "Fixing this loss would save about 48 to 52 % of the run time (estimated: as
// if ...).": rounded outwards, so that it contains the interval.
std::string gain_words(const Gain& gain);
// "How much ... is not known: ...".
std::string gain_words(NoGain reason);

// The loss that the finding names and its gain, as numbers or texts with the
// keys of the run file: of `finding`, then of `finding.gain`.  NaN and empty
// where there is none; none of them if nothing was measured.
struct FindingValue {
  const char* key;
  double number;
  std::string text;
  bool is_of_gain = true;  // else of the finding

  // "finding.gain.low"
  std::string key_in_file() const {
    return std::string(is_of_gain ? "finding.gain." : "finding.") + key;
  }
};
std::vector<FindingValue> finding_values(const JobReport& report);

// By how much the run would be shorter if the work in the region took no time,
// by its longest path without it (POPRT_PATH=without): a share of the run time.
// NaN: not known.
double share_without(const JobReport& report, const RegionReport& region);

}  // namespace poprt

#endif  // POPRT_REPORT_GAIN_H_
