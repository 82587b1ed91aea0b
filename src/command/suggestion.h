// Suggests the word that a misspelled one was meant to be.
#ifndef POPRT_COMMAND_SUGGESTION_H_
#define POPRT_COMMAND_SUGGESTION_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// The Damerau-Levenshtein distance: letters missing, added, replaced, or two
// neighbours exchanged.  Upper and lower case count as equal.
size_t edit_distance(std::string_view a, std::string_view b);

// " Did you mean "x"?" with the nearest candidate, to append to a sentence; ""
// if none is near.
std::string did_you_mean(const std::string& word,
                         const std::vector<std::string>& candidates);

// Like did_you_mean(), for names of metrics.
std::string did_you_mean_metric(const std::string& word);

}  // namespace poprt

#endif  // POPRT_COMMAND_SUGGESTION_H_
