// Functions of glibc by the oldest version of their names, and those of libdl
// also where the program has no libdl.  Only in preloaded libraries.
#ifndef POPRT_BASE_REAL_DLSYM_H_
#define POPRT_BASE_REAL_DLSYM_H_

#if defined(__x86_64__)
#define POPRT_OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define POPRT_OLDEST "GLIBC_2.17"
#else
#error "which is the first version of glibc for this processor?"
#endif

// old_NAME is the function by its oldest version.  Null: before 2.34, and the
// program has not loaded libpthread or libdl.
#define POPRT_OLD(name) POPRT_OLD_SINCE(name, POPRT_OLDEST)
#define POPRT_OLD_SINCE(name, version)                  \
  extern "C" [[gnu::weak]] decltype(::name) old_##name; \
  asm(".symver old_" #name ", " #name "@" version)

namespace poprt {

// A function of libdl, loaded into a program without; null if that fails.
void* of_libdl(const char* name);

// The function of libdl, if `known` has not been found in the program.
template <class Function>
Function* of_libdl(Function* known, const char* name) {
  return known != nullptr ? known : reinterpret_cast<Function*>(of_libdl(name));
}

}  // namespace poprt

// dlsym() of the C library.  A jump: RTLD_NEXT is behind who calls this one.
// The linker puts it in the place of dlsym() in all of the library (--wrap).
extern "C" void* __wrap_dlsym(void* scope, const char* name) noexcept;

#endif  // POPRT_BASE_REAL_DLSYM_H_
