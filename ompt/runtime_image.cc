#include "ompt/runtime_image.h"

#include <dlfcn.h>
#include <sys/auxv.h>

namespace poprt::ompt {
namespace {

// Start address of the runtime's image; null if the runtime is linked into the
// program.
const void* g_runtime_image = nullptr;

const void* image_of(const void* address) {
  Dl_info info;
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase
                                                           : nullptr;
}

}  // namespace

void set_runtime_image(const void* address) {
  // The program headers lie in the program's image.
  const void* const program =
      image_of(reinterpret_cast<const void*>(getauxval(AT_PHDR)));
  const void* const image = image_of(address);
  g_runtime_image = image == program ? nullptr : image;
}

bool in_runtime_image(const void* address) {
  return g_runtime_image != nullptr && image_of(address) == g_runtime_image;
}

}  // namespace poprt::ompt
