// A time that runs while its region is open.
#ifndef POPRT_MEASURE_ELAPSED_H_
#define POPRT_MEASURE_ELAPSED_H_

#include <cstdint>

namespace poprt {

// While it is open: now + offset, else the value itself.  In one word, so that
// both change at once.
struct Elapsed {
  bool open = false;
  int64_t ns = 0;  // value, or offset
  int64_t at(int64_t now_ns) const { return open ? ns + now_ns : ns; }

  int64_t word() const { return ns * 2 + (open ? 1 : 0); }
  static Elapsed of(int64_t word) { return {(word & 1) != 0, word >> 1}; }
};

}  // namespace poprt

#endif  // POPRT_MEASURE_ELAPSED_H_
