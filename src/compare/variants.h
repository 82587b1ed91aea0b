// What was run.  Runs that differ in this are not repetitions, even with the
// same ranks and threads.
#ifndef POPRT_COMPARE_VARIANTS_H_
#define POPRT_COMPARE_VARIANTS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "compare/runs.h"

namespace poprt {

// The command, the program's metadata, the MPI and OpenMP runtimes, and the
// tool that measured: name and value of each.
using Variant = std::map<std::string, std::string>;
Variant variant_of(const JobReport& run);

// "a", "b", ... "z", "aa", ...
std::string letter_of(size_t index);

// What the letters of configurations stand for, one line each: "a: version=1".
// Only what differs is listed.
std::vector<std::string> letter_notes(
    const std::vector<Configuration>& configurations);

// Of each run that did not come to its end, or cannot be judged: its file, and
// what it is, or that it is left out; and which configurations are to be judged
// with care.
std::vector<std::string> light_notes(
    const std::vector<Configuration>& configurations);

// The notes on runs that are no reference, these notes, and those on letters.
// Without letters: what differs from the reference in some configuration, one
// line each.
std::vector<std::string> variant_notes(
    const std::vector<Configuration>& configurations, size_t reference);

}  // namespace poprt

#endif  // POPRT_COMPARE_VARIANTS_H_
