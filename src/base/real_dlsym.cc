#include "base/real_dlsym.h"

#include <dlfcn.h>

#include <atomic>

#include "base/jump.h"

POPRT_OLD(dlvsym);

// Of glibc before 2.34, for its own use: dlopen() and dlsym() without libdl.
extern "C" {
[[gnu::weak]] void* __libc_dlopen_mode(const char* path, int mode);
[[gnu::weak]] void* __libc_dlsym(void* library, const char* name);
}

namespace poprt {

void* of_libdl(const char* name) {
  if (__libc_dlopen_mode == nullptr) return nullptr;
  static constinit std::atomic<void*> libdl{nullptr};
  if (libdl.load() == nullptr) {
    // The flag that dlopen() itself adds (__RTLD_DLOPEN).
    libdl.store(__libc_dlopen_mode("libdl.so.2",
                                   RTLD_LAZY | static_cast<int>(0x80000000)));
  }
  return libdl.load() == nullptr ? nullptr : __libc_dlsym(libdl.load(), name);
}

}  // namespace poprt

namespace {

using Dlsym = void*(void*, const char*);

// By its version, behind this library: libraries for MPI have a dlsym() that
// all others find first.  Null if the C library's is not found.
Dlsym* behind() {
  static constinit std::atomic<Dlsym*> known{nullptr};
  if (Dlsym* const call = known.load()) return call;
  auto* const search = poprt::of_libdl(&old_dlvsym, "dlvsym");
  if (search == nullptr) return nullptr;
  void* const found = search(RTLD_NEXT, "dlsym", POPRT_OLDEST);
  // Null: before 2.34, and libdl is not the program's own.
  known.store(reinterpret_cast<Dlsym*>(
      found != nullptr ? found : poprt::of_libdl("dlsym")));
  return known.load();
}

}  // namespace

extern "C" POPRT_JUMPS void* __wrap_dlsym(void* scope,
                                          const char* name) noexcept {
  Dlsym* const call = behind();
  if (call == nullptr) return nullptr;
  POPRT_JUMP call(scope, name);
}
