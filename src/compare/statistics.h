// Statistics of one number over repeated runs.
#ifndef POPRT_COMPARE_STATISTICS_H_
#define POPRT_COMPARE_STATISTICS_H_

#include <cstddef>
#include <vector>

namespace poprt {

// Of the values that are defined.  All are NaN if there is none.
struct Statistics {
  size_t count = 0;
  double median;
  double min;
  double max;
  double mean;
  double square_sum;  // sum of squared differences from the mean
};

Statistics statistics_of(std::vector<double> values);

}  // namespace poprt

#endif  // POPRT_COMPARE_STATISTICS_H_
