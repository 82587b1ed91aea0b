// Memory for what the caller can do without.
#ifndef POPRT_BASE_OPTIONAL_MEMORY_H_
#define POPRT_BASE_OPTIONAL_MEMORY_H_

#include <cstddef>

namespace poprt {

// As take_memory() of memory.h, but leaves half of the reserve for what nobody
// can do without.  `new (std::nothrow)` comes here.
void* take_optional_memory(size_t bytes, size_t alignment);

}  // namespace poprt

#endif  // POPRT_BASE_OPTIONAL_MEMORY_H_
