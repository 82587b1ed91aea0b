// What a loaded program or library takes from others, and what it has for them,
// by name.
#ifndef POPRT_BASE_IMPORTS_H_
#define POPRT_BASE_IMPORTS_H_

#include <link.h>

#include <vector>

namespace poprt {

struct Import {
  const char* name;          // the image's own text
  const void* const* place;  // of the address by which the image uses it
  // The loader has not looked for it yet, so the image has not called it.
  bool is_uncalled;
};

// What an image's relocations name and it does not define: functions that it
// may call, bound or not yet, and data.  One may come several times.
std::vector<Import> imports(const dl_phdr_info& image);

// Whether the image's memory has this address.
bool contains(const dl_phdr_info& image, const void* address);

// What others may take of an image under this name; null for nothing.
const void* exported(const dl_phdr_info& image, const char* name);

}  // namespace poprt

#endif  // POPRT_BASE_IMPORTS_H_
