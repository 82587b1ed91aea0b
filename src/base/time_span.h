// Times in what a user writes: 500ms, 10s, 2min.
#ifndef POPRT_BASE_TIME_SPAN_H_
#define POPRT_BASE_TIME_SPAN_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/whole_number.h"

namespace poprt {

// In ns, from `least_ns` to a day; a number without a unit is in `usual_unit`,
// where there is one.
inline std::optional<int64_t> time_span_ns(std::string_view text,
                                           std::string_view usual_unit,
                                           int64_t least_ns) {
  struct Unit {
    std::string_view name;
    int64_t ns;
  };
  constexpr Unit kUnits[] = {
      {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}};
  constexpr int64_t kDayNs = 86'400'000'000'000;
  const size_t digits =
      std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view written = text.substr(digits);
  const std::string_view name = written.empty() ? usual_unit : written;
  for (const Unit& unit : kUnits) {
    if (name != unit.name) continue;
    const auto number = whole_number(text.substr(0, digits), kDayNs / unit.ns);
    if (!number || *number * unit.ns < least_ns) return std::nullopt;
    return *number * unit.ns;
  }
  return std::nullopt;
}

}  // namespace poprt

#endif  // POPRT_BASE_TIME_SPAN_H_
