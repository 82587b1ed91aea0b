// What mending the largest loss of a configuration saves.
#ifndef POPRT_COMPARE_GAINS_H_
#define POPRT_COMPARE_GAINS_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "model/finding_values.h"

namespace poprt {

// Of its typical run.  Empty without runs, and where one cannot be judged.
std::vector<FindingValue> finding_values(const Configuration& configuration);

// Fields of a line of CSV: the loss, and the ends of its gain; empty where they
// are not known.
std::string gain_fields(const Configuration& configuration);

// The loss and its gain in words.  Empty if it is not known.
std::string gain_sentence(const Configuration& configuration);

}  // namespace poprt

#endif  // POPRT_COMPARE_GAINS_H_
