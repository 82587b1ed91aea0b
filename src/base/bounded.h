// A value between two bounds that may contradict each other.
#ifndef POPRT_BASE_BOUNDED_H_
#define POPRT_BASE_BOUNDED_H_

namespace poprt {

// `value`, or the bound that it is beyond. A thread that reads the times of
// another one while they change may find `most` below `least`: std::clamp() has
// no defined result then, and ends the process where the C++ library's
// assertions are on. Here it is one of the two, and who reads sees that the
// times have changed, and reads again.
template <typename T>
constexpr T bounded(T value, T least, T most) {
  return value < least ? least : most < value ? most : value;
}

}  // namespace poprt

#endif  // POPRT_BASE_BOUNDED_H_
