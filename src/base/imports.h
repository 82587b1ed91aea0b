// What a loaded program or library takes from others, by name.
#ifndef POPRT_BASE_IMPORTS_H_
#define POPRT_BASE_IMPORTS_H_

#include <link.h>

#include <vector>

namespace poprt {

// The names in an image's relocations that it does not define: functions that
// it may call, bound or not yet, and data.  One may come several times.  The
// texts are the image's own.
std::vector<const char*> imports(const dl_phdr_info& image);

}  // namespace poprt

#endif  // POPRT_BASE_IMPORTS_H_
