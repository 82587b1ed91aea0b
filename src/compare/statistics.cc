#include "compare/statistics.h"

#include <algorithm>
#include <cmath>

#include "model/ratio.h"

namespace poprt {

Statistics statistics_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  Statistics s = {values.size(), kUndefined, kUndefined,
                  kUndefined,    kUndefined, kUndefined};
  if (values.empty()) return s;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  s.median = values.size() % 2 == 1 ? values[half]
                                    : (values[half - 1] + values[half]) / 2;
  s.min = values.front();
  s.max = values.back();
  double sum = 0;
  for (const double value : values) sum += value;
  s.mean = sum / static_cast<double>(values.size());
  s.square_sum = 0;
  for (const double value : values) {
    s.square_sum += (value - s.mean) * (value - s.mean);
  }
  return s;
}

}  // namespace poprt
