// What was run: where two runs differ in it, they do not repeat one another,
// although they have the same ranks and threads.
#ifndef POPRT_COMPARE_VARIANTS_H_
#define POPRT_COMPARE_VARIANTS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "compare/runs.h"

namespace poprt {

// The command, the program's metadata, the MPI and the OpenMP runtime, and the
// tool that measured: what each is called, and its value.
using Variant = std::map<std::string, std::string>;
Variant variant_of(const JobReport& run);

// "a", "b", ... "z", "aa", ...
std::string letter_of(size_t index);

// Where configurations have letters, what these stand for, one line for each:
// "a: version=1".  Only what tells them apart is named.
std::vector<std::string> letter_notes(
    const std::vector<Configuration>& configurations);

// These, or where there are no letters: what is not the same in all of them as
// in the reference, one line for each.
std::vector<std::string> variant_notes(
    const std::vector<Configuration>& configurations, size_t reference);

}  // namespace poprt

#endif  // POPRT_COMPARE_VARIANTS_H_
