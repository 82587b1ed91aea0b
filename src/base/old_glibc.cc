// Functions of glibc under the names that were new in 2.29 and later, so that a
// preloaded library needs no version above GLIBC_2.28, wherever it was built:
// the loader ends every program whose glibc lacks a version that a preloaded
// library needs (a container's, say).  Linked into nothing else.  All code of
// the library gets these, the compiler's own archives too; the version script
// hides them.
//
// What glibc has always had in its other libraries is taken from where the
// program has it: a library that we need ourselves would be loaded into every
// process.
#include <features.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/real_dlsym.h"

POPRT_OLD(dladdr);
POPRT_OLD(dlclose);
POPRT_OLD(dlerror);
#if defined(__x86_64__)
POPRT_OLD_SINCE(dlinfo, "GLIBC_2.3.3");
#else
POPRT_OLD(dlinfo);
#endif
POPRT_OLD(dlopen);
POPRT_OLD(pthread_key_create);
POPRT_OLD(pthread_once);
POPRT_OLD(pthread_setspecific);
POPRT_OLD(pthread_testcancel);

using poprt::of_libdl;

#pragma GCC visibility push(hidden)
extern "C" {

// --- libdl ---

int dladdr(const void* address, Dl_info* info) noexcept {
  auto* const call = of_libdl(&old_dladdr, "dladdr");
  return call == nullptr ? 0 : call(address, info);
}

int dlclose(void* library) noexcept {
  auto* const call = of_libdl(&old_dlclose, "dlclose");
  return call == nullptr ? -1 : call(library);
}

char* dlerror() noexcept {
  auto* const call = of_libdl(&old_dlerror, "dlerror");
  return call == nullptr ? nullptr : call();
}

int dlinfo(void* library, int request, void* result) noexcept {
  auto* const call = of_libdl(&old_dlinfo, "dlinfo");
  return call == nullptr ? -1 : call(library, request, result);
}

void* dlopen(const char* path, int mode) noexcept {
  auto* const call = of_libdl(&old_dlopen, "dlopen");
  return call == nullptr ? nullptr : call(path, mode);
}

// --- libpthread: without it there is one thread, which nobody cancels ---

int pthread_key_create(pthread_key_t* key, void (*end)(void*)) noexcept {
  return old_pthread_key_create == nullptr ? EAGAIN
                                           : old_pthread_key_create(key, end);
}

int __pthread_key_create(pthread_key_t* key, void (*end)(void*)) noexcept {
  return pthread_key_create(key, end);
}

int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  return old_pthread_setspecific == nullptr
             ? EINVAL
             : old_pthread_setspecific(key, value);
}

int pthread_once(pthread_once_t* once, void (*work)()) {
  if (old_pthread_once != nullptr) return old_pthread_once(once, work);
  if (*once == 2) return 0;
  work();
  *once = 2;  // as libpthread marks it
  return 0;
}

void pthread_testcancel() {
  if (old_pthread_testcancel != nullptr) old_pthread_testcancel();
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  return sigprocmask(how, set, before) == 0 ? 0 : errno;  // of the thread
}

// --- system calls ---

int stat(const char* path, struct stat* facts) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, facts, 0));
}

int lstat(const char* path, struct stat* facts) noexcept {
  return static_cast<int>(
      syscall(SYS_newfstatat, AT_FDCWD, path, facts, AT_SYMLINK_NOFOLLOW));
}

int fstat(int file, struct stat* facts) noexcept {
  return static_cast<int>(syscall(SYS_fstat, file, facts));
}

pid_t gettid() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

// --- for the compiler's archives ---

// "There may be several threads", always.
extern const char __libc_single_threaded = 0;

#if __GLIBC_PREREQ(2, 35)
// Finds the unwind tables for a code address, as the unwinder did before there
// was such a function.
int _dl_find_object(void* address, dl_find_object* result) noexcept {
  struct Search {
    ElfW(Addr) address;
    dl_find_object* result;
  } search{reinterpret_cast<ElfW(Addr)>(address), result};
  const auto look_into = [](dl_phdr_info* info, size_t, void* argument) {
    const Search& its = *static_cast<Search*>(argument);
    bool is_here = false;
    void* tables = nullptr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info->dlpi_phdr[i];
      const ElfW(Addr) begin = info->dlpi_addr + header.p_vaddr;
      is_here |=
          header.p_type == PT_LOAD && its.address - begin < header.p_memsz;
      if (header.p_type == PT_GNU_EH_FRAME)
        tables = reinterpret_cast<void*>(begin);
    }
    if (!is_here) return 0;
    if (tables == nullptr) return -1;
    std::memset(its.result, 0, sizeof *its.result);
    its.result->dlfo_eh_frame = tables;
    return 1;
  };
  return dl_iterate_phdr(look_into, &search) == 1 ? 0 : -1;
}
#endif

}  // extern "C"
#pragma GCC visibility pop

#if __GLIBC_PREREQ(2, 38)
// What strtol() and its like are called in C++ since C23, which reads "0b" in a
// text as well.
#if defined(__x86_64__)
#define POPRT_JUMP_TO(name) "jmp " #name "@PLT\n"
#else
#define POPRT_JUMP_TO(name) "b " #name "\n"
#endif
#define POPRT_C23(name)                                                        \
  asm(".pushsection .text\n.globl __isoc23_" #name "\n.hidden __isoc23_" #name \
      "\n.type __isoc23_" #name ", %function\n__isoc23_" #name                 \
      ":\n" POPRT_JUMP_TO(name) ".size __isoc23_" #name                        \
                                ", . - __isoc23_" #name "\n.popsection\n")

POPRT_C23(sscanf);
POPRT_C23(strtol);
POPRT_C23(strtoll);
POPRT_C23(strtoul);
POPRT_C23(strtoull);
#endif

#endif  // glibc
