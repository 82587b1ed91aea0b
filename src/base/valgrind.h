// Requests to valgrind, if the process runs in it.  Elsewhere, and where its
// header was missing, they are a few instructions without effect.
#ifndef POPRT_BASE_VALGRIND_H_
#define POPRT_BASE_VALGRIND_H_

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace poprt {

inline bool is_in_valgrind() {
#if defined(RUNNING_ON_VALGRIND)
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

}  // namespace poprt

#endif  // POPRT_BASE_VALGRIND_H_
