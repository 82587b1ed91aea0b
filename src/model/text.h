// A text as an argument of a template.
#ifndef POPRT_MODEL_TEXT_H_
#define POPRT_MODEL_TEXT_H_

#include <algorithm>
#include <cstddef>

namespace poprt {

template <size_t kSize>
struct Text {
  consteval Text(const char (&text)[kSize]) { std::copy_n(text, kSize, value); }
  char value[kSize];
};

}  // namespace poprt

#endif  // POPRT_MODEL_TEXT_H_
