// The loss that the finding names and what fixing it would save, as numbers and
// texts with the keys of the run file.
#ifndef POPRT_MODEL_FINDING_VALUES_H_
#define POPRT_MODEL_FINDING_VALUES_H_

#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

struct FindingValue {
  enum class Kind { kText, kNumber, kCount };

  const char* key;
  Kind kind;
  double number;           // NaN: a text, or not known
  std::string text;        // empty: a number, or none
  bool is_of_gain = true;  // an object of its own in that of the finding

  // "finding.gain.low"
  std::string key_in_file() const {
    return std::string(is_of_gain ? "finding.gain." : "finding.") + key;
  }
};

// Those of the finding before those of its gain. Where no loss is named, all
// are there, and unknown.
std::vector<FindingValue> all_finding_values(const JobReport& report);

// None where no loss is named.
std::vector<FindingValue> finding_values(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_MODEL_FINDING_VALUES_H_
