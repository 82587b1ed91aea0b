// The place of a member of a model's struct among the numbers of Metrics.
#ifndef POPRT_MODEL_PLACE_OF_H_
#define POPRT_MODEL_PLACE_OF_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "model/metrics.h"

namespace poprt {

using MetricValues = std::array<double, kMetricCount>;

template <auto kModel, auto kMember>
consteval size_t find_place() {
  Metrics metrics{};
  metrics.*kModel.*kMember = 1;
  const auto values = std::bit_cast<MetricValues>(metrics);
  return static_cast<size_t>(std::find(values.begin(), values.end(), 1.0) -
                             values.begin());
}
template <auto kModel, auto kMember>
inline constexpr size_t place_of = find_place<kModel, kMember>();

}  // namespace poprt

#endif  // POPRT_MODEL_PLACE_OF_H_
