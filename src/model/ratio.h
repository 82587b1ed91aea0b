// Divisions that may be undefined.
#ifndef POPRT_MODEL_RATIO_H_
#define POPRT_MODEL_RATIO_H_

#include <limits>

namespace poprt {

// The value of what is undefined or not known.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// part / whole.  Undefined if the whole is not above 0 or if either is
// undefined.
inline double ratio(double part, double whole) {
  return whole > 0 ? part / whole : kUndefined;
}

}  // namespace poprt

#endif  // POPRT_MODEL_RATIO_H_
