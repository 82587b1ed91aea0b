// MPI functions that a program looks up in the MPI library itself, by a handle
// of it (Julia, Python's ctypes), past all libraries in front.  It gets the
// entries of this library instead.  What has no entry is remembered.  Not part
// of the tests' programs.
#include <dlfcn.h>

#include <string_view>

#include "base/image.h"
#include "base/jump.h"
#include "base/real_dlsym.h"
#include "base/search_entries.h"
#include "wrappers/calls/unwrapped.h"

// Of this library: where its entries begin (entry.h).
extern "C" [[gnu::visibility("hidden")]] const char poprt_entry_MPI_Init;

namespace {

// As C has it: entries have these names.
bool is_of_mpi(std::string_view name) {
  return name.starts_with("MPI_") || name.starts_with("PMPI_");
}

// Asked first: a sanitizer looks its functions up before those of the C library
// can be called.
bool may_be_of_mpi(const char* name) {
  return name != nullptr && ((name[0] == 'M' && name[1] == 'P') ||
                             (name[0] == 'P' && name[1] == 'M'));
}

// In place of `function`, which the program has found in `scope`: our entry, if
// that is the MPI library's and we have one.  Not the first one in the order of
// loading, which may be the program's own: it would call itself.
void* entry_for(void* function, const char* name, void* scope) {
  const void* const own = &poprt_entry_MPI_Init;
  const void* const init = __wrap_dlsym(scope, "PMPI_Init");
  if (init == own || !poprt::are_of_one_image(function, init)) return function;
  // Our entries lead to the first MPI library behind this one.  If that is a
  // translator, this is its search in the MPI library below.
  const void* const next = __wrap_dlsym(RTLD_NEXT, "PMPI_Init");
  if (next != nullptr && !poprt::are_of_one_image(next, init)) return function;
  void* const library =
      dlopen(poprt::image_of(own).path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return function;
  void* const entry = __wrap_dlsym(library, name);
  dlclose(library);
  return poprt::are_of_one_image(entry, own) ? entry : function;
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
  poprt::mpi::note_new_images();
  if (!may_be_of_mpi(name)) POPRT_JUMP __wrap_dlsym(scope, name);
  if (poprt::mpi::is_unwrapped(name)) {
    // The program's search comes after this one, so dlerror() tells of that.
    poprt::mpi::note_search(name, __wrap_dlsym(scope, name),
                            __builtin_return_address(0));
  } else if (scope != RTLD_NEXT && scope != RTLD_DEFAULT && is_of_mpi(name)) {
    void* const found = __wrap_dlsym(scope, name);
    if (found == nullptr) return nullptr;
    void* const entry = entry_for(found, name, scope);
    __wrap_dlsym(scope, name);  // dlerror() tells of the program's own search
    return entry;
  }
  POPRT_JUMP __wrap_dlsym(scope, name);
}
