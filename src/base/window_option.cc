#include "base/window_option.h"

#include <cstdint>

#include "base/time_span.h"
#include "base/whole_number.h"

namespace poprt {
namespace {

constexpr int64_t kMostVisits = 1'000'000'000;
constexpr int64_t kShortestNs = 1'000'000;

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
  const auto length_ns = time_span_ns(value, "", kShortestNs);
  if (!length_ns) return std::nullopt;
  spec.length_ns = *length_ns;
  return spec;
}

}  // namespace poprt
