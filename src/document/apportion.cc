#include "document/apportion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace poprt {

std::vector<int> apportioned(const std::vector<double>& shares, int total) {
  std::vector<int> result;
  std::vector<std::pair<double, size_t>> remainders;
  for (size_t i = 0; i < shares.size(); ++i) {
    const double exact = shares[i] * total;
    if (i == 0) {
      result.push_back(static_cast<int>(std::lround(exact)));
    } else {
      result.push_back(static_cast<int>(exact));
      remainders.push_back({exact - std::floor(exact), i});
    }
  }
  std::sort(remainders.rbegin(), remainders.rend());
  int left_over = total - std::accumulate(result.begin(), result.end(), 0);
  for (size_t i = 0; left_over > 0 && i < remainders.size(); ++i, --left_over) {
    ++result[remainders[i].second];
  }
  return result;
}

}  // namespace poprt
