// --window: which windows of a run to show.
#ifndef POPRT_COMMAND_WINDOW_NUMBERS_H_
#define POPRT_COMMAND_WINDOW_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

// The numbers, from 0, of the windows that the words name ("3", "1-4", "all").
// nullopt, with a complaint, if the run of this file does not have one of them.
std::optional<std::vector<int64_t>> windows_named(
    const JobReport& report, const std::vector<std::string>& words,
    const std::string& file);

}  // namespace poprt

#endif  // POPRT_COMMAND_WINDOW_NUMBERS_H_
