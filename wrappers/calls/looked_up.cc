// MPI functions that a program looks up in the MPI library itself, by a handle
// of it (Julia, Python's ctypes), past all libraries in front.  It gets the
// entries of this library instead.  Not part of the tests' programs.
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

// By a name of its own for this library.
extern "C" [[gnu::visibility("hidden"), gnu::alias("dlsym")]] void*
poprt_program_dlsym(void* scope, const char* name);

extern "C" POPRT_JUMPS void* poprt_dlsym(void* scope, const char* name) {
  poprt::reach_searched_objects();
  if (scope != RTLD_NEXT && scope != RTLD_DEFAULT && is_of_mpi(name)) {
    void* const found = __wrap_dlsym(scope, name);
    if (found == nullptr) return nullptr;
    void* const entry = poprt::mpi::entry_for(found, name, scope);
    __wrap_dlsym(scope, name);  // dlerror() tells of the program's own search
    return entry;
  }
  POPRT_JUMP __wrap_dlsym(scope, name);
}
