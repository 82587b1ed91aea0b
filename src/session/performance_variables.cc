#include "session/performance_variables.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace poprt {
namespace {

constexpr std::string_view kPrefixes[] = {"OMP_",   "GOMP_", "KMP_",
                                          "POPRT_", "UCX_",  "FI_"};
// As of metadata, so that nothing makes the run file long.
constexpr size_t kMostVariables = 100;
constexpr size_t kLongest = 256;

}  // namespace

std::vector<Metadata> performance_variables(const char* const* environment) {
  std::vector<Metadata> found;
  for (; environment != nullptr && *environment != nullptr &&
         found.size() < kMostVariables;
       ++environment) {
    const std::string_view variable = *environment;
    const size_t equals = variable.find('=');
    const bool is_wanted = std::ranges::any_of(
        kPrefixes,
        [&](std::string_view prefix) { return variable.starts_with(prefix); });
    if (equals == std::string_view::npos || !is_wanted) continue;
    const std::string_view name = variable.substr(0, equals);
    // Of a name that is there twice, getenv() knows the first.
    if (std::ranges::find(found, name, &Metadata::key) != found.end()) continue;
    found.push_back({std::string(name),
                     std::string(variable.substr(equals + 1, kLongest)), 0});
  }
  std::ranges::sort(found, {}, &Metadata::key);
  return found;
}

}  // namespace poprt
