// Which runs others may be compared with.
#ifndef POPRT_COMPARE_REFERENCE_H_
#define POPRT_COMPARE_REFERENCE_H_

#include <optional>
#include <string>
#include <vector>

#include "compare/runs.h"
#include "model/job.h"

namespace poprt {

// Why no run is compared with this one, in a few words; empty if it may be the
// reference.
std::string why_no_reference(const JobReport& run);

// That of the first of its runs that has one: the medians rest on all of them.
std::string why_no_reference(const Configuration& configuration);

// The index of the first that may be the reference, which has the fewest cores
// of these; nullopt if none may.
std::optional<size_t> first_reference(
    const std::vector<Configuration>& configurations);

// Of each configuration that may not be the reference, one line.
std::vector<std::string> reference_notes(
    const std::vector<Configuration>& configurations);

}  // namespace poprt

#endif  // POPRT_COMPARE_REFERENCE_H_
