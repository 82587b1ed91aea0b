// Asks for cache lines that another core has, some time before they are used:
// by the time a line comes, a synchronisation would have waited for it.  These
// are hints without any effect on values.
#ifndef POPRT_BASE_CACHE_LINE_H_
#define POPRT_BASE_CACHE_LINE_H_

#include <cstddef>

namespace poprt {

inline constexpr size_t kCacheLine = 64;

// The calling thread is going to read the first `bytes` of the object, or to
// write them.
inline void will_read(const void* object, size_t bytes) {
  const char* const first = static_cast<const char*>(object);
  for (size_t i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(first + i);
}
inline void will_write(const void* object, size_t bytes) {
  const char* const first = static_cast<const char*>(object);
  for (size_t i = 0; i < bytes; i += kCacheLine) {
#if defined(__x86_64__)
    // Compilers make a read of it unless told that the processor is young
    // enough. Older ones do nothing.
    asm volatile("prefetchw %0" : : "m"(first[i]));
#else
    __builtin_prefetch(first + i, 1);
#endif
  }
}

}  // namespace poprt

#endif  // POPRT_BASE_CACHE_LINE_H_
