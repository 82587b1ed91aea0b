// Which program or library holds an address.
#ifndef POPRT_BASE_IMAGE_H_
#define POPRT_BASE_IMAGE_H_

#include <dlfcn.h>

namespace poprt {

struct Image {
  const void* base = nullptr;  // null: none holds it
  const char* path = "";       // as it was loaded; the loader's own text
};

inline Image image_of(const void* address) {
  Dl_info info;
  if (address == nullptr || dladdr(address, &info) == 0) return {};
  return {info.dli_fbase, info.dli_fname == nullptr ? "" : info.dli_fname};
}

// Whether one image holds both.
inline bool are_of_one_image(const void* a, const void* b) {
  const void* const base = image_of(a).base;
  return base != nullptr && base == image_of(b).base;
}

}  // namespace poprt

#endif  // POPRT_BASE_IMAGE_H_
