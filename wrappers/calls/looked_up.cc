// MPI functions that a program looks up in the MPI library itself, by a handle
// of it (Julia, Python's ctypes), past all libraries in front.  It gets those
// of the libraries in front instead, as if it had been linked.  Not part of the
// tests' programs.
#include "wrappers/looked_up.h"

#include <dlfcn.h>

#include <cstring>

#include "base/jump.h"
#include "base/real_dlsym.h"
#include "base/search_entries.h"

namespace {

bool is_of_mpi(const char* name) {
  return name != nullptr && std::strncmp(name, "MPI_", 4) == 0;
}

}  // namespace

// Programs find this function, and the library itself does not.  Everything
// else is a jump, so that RTLD_NEXT is behind the program.
extern "C" [[gnu::visibility("default")]] void* poprt_dlsym(
    void* scope, const char* name) __asm__("dlsym");

extern "C" POPRT_JUMPS void* poprt_dlsym(void* scope, const char* name) {
  poprt::reach_searched_objects();
  if (scope != RTLD_NEXT && scope != RTLD_DEFAULT && is_of_mpi(name)) {
    return poprt::mpi::in_front_of(__wrap_dlsym(scope, name), name);
  }
  POPRT_JUMP __wrap_dlsym(scope, name);
}
