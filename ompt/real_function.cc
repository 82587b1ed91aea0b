#include "ompt/real_function.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "base/log.h"

namespace poprt::ompt {

// The runtime is usually behind this library in the global scope.  Where the
// program has loaded its OpenMP code privately (extensions of Python), the
// runtime is in the scope of the library that calls.
void* find_in_runtime(const char* name, const void* caller) {
  if (void* const next = dlsym(RTLD_NEXT, name)) return next;
  Dl_info info;
  if (dladdr(caller, &info) != 0) {
    if (void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
      void* const found = dlsym(library, name);
      dlclose(library);
      if (found != nullptr) return found;
    }
  }
  say(std::string("the program calls ") + name +
      ", but no OpenMP runtime has it");
  std::abort();
}

}  // namespace poprt::ompt
