// What repeated runs say of one number.
#ifndef POPRT_COMPARE_STATISTICS_H_
#define POPRT_COMPARE_STATISTICS_H_

#include <cstddef>
#include <vector>

namespace poprt {

// Of the values that are defined; all are NaN where there is none.
struct Statistics {
  size_t count = 0;
  double median;
  double min;
  double max;
  double mean;
  double square_sum;  // of the differences from the mean
};

Statistics statistics_of(std::vector<double> values);

}  // namespace poprt

#endif  // POPRT_COMPARE_STATISTICS_H_
