#include "base/window_option.h"

#include <cstdint>
#include <string>

#include "base/whole_number.h"

namespace poprt {
namespace {

constexpr int64_t kMostVisits = 1'000'000'000;
constexpr int64_t kShortestNs = 1'000'000;
constexpr int64_t kLongestNs = 86'400'000'000'000;

struct Unit {
  std::string_view name;
  int64_t ns;
};
constexpr Unit kUnits[] = {
    {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}};

}  // namespace

std::optional<WindowSpec> parse_windows(std::string_view value) {
  constexpr std::string_view kRegion = "region:";
  WindowSpec spec;
  if (value.starts_with(kRegion)) {
    value.remove_prefix(kRegion.size());
    spec.visits = 1;
    // A name may contain a slash, too.
    const size_t slash = value.rfind('/');
    if (slash != std::string_view::npos) {
      if (const auto n = whole_number(value.substr(slash + 1), kMostVisits)) {
        spec.visits = *n;
        value = value.substr(0, slash);
      }
    }
    spec.region = value;
    return value.empty() ? std::nullopt : std::optional(spec);
  }
  const size_t unit = value.find_first_not_of("0123456789");
  if (unit == std::string_view::npos) return std::nullopt;
  for (const Unit& each : kUnits) {
    if (value.substr(unit) != each.name) continue;
    const auto n = whole_number(value.substr(0, unit), kLongestNs / each.ns);
    if (!n || *n * each.ns < kShortestNs) return std::nullopt;
    spec.length_ns = *n * each.ns;
    return spec;
  }
  return std::nullopt;
}

}  // namespace poprt
