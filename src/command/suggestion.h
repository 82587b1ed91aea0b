// What a word may have been meant to be.
#ifndef POPRT_COMMAND_SUGGESTION_H_
#define POPRT_COMMAND_SUGGESTION_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// Damerau's and Levenshtein's distance: letters that are missing, too many,
// wrong, or two neighbours exchanged.  Capital letters are as good as small
// ones.
size_t edit_distance(std::string_view a, std::string_view b);

// " Did you mean "x"?" of the candidate that is nearest, to put behind a
// sentence; "" where none is near.
std::string did_you_mean(const std::string& word,
                         const std::vector<std::string>& candidates);

// The same of metrics, as they can be named.
std::string did_you_mean_metric(const std::string& word);

}  // namespace poprt

#endif  // POPRT_COMMAND_SUGGESTION_H_
