// A library that is linked as the preloaded ones are: tries what
// base/old_glibc.cc gives it.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "base/guard.h"

namespace {

// Through frames that have no handler.
[[gnu::noinline]] void substring_of_nothing(size_t at) {
  const std::string_view nothing;
  (void)nothing.substr(at).size();
}

bool unwinds() {
  bool failed = true;
  for (int i = 0; i < 2; ++i) {  // tables are looked for twice
    failed &=
        !poprt::completes([](void*) { substring_of_nothing(3); }, nullptr);
  }
  return failed && poprt::completes([](void*) {}, nullptr);
}

bool stats() {
  struct stat link;
  struct stat file;
  struct stat open_file;
  // Of an emulated process, /proc/self/exe is another file for open().
  Dl_info own;
  if (dladdr(reinterpret_cast<const void*>(&stats), &own) == 0) return false;
  if (lstat("/proc/self/exe", &link) != 0 || !S_ISLNK(link.st_mode) ||
      stat(own.dli_fname, &file) != 0 || !S_ISREG(file.st_mode) ||
      stat("/no/such/file", &link) == 0 || errno != ENOENT ||
      fstat(-1, &link) == 0 || errno != EBADF) {
    return false;
  }
  FILE* const same = fopen(own.dli_fname, "re");
  const bool is_same =
      same != nullptr && fstat(fileno(same), &open_file) == 0 &&
      open_file.st_ino == file.st_ino && open_file.st_size == file.st_size;
  if (same != nullptr) fclose(same);
  return is_same;
}

bool searches() {
  void* const here = dlsym(RTLD_DEFAULT, "getpid");
  Dl_info info;
  void* const c_library = dlopen("libc.so.6", RTLD_LAZY);
  link_map* map = nullptr;
  // This library itself has a function of that name.
  void* const next = dlsym(RTLD_NEXT, "pop_what_is_wrong");
  return here != nullptr && dladdr(here, &info) != 0 && c_library != nullptr &&
         dlsym(c_library, "getpid") == here && dlclose(c_library) == 0 &&
         next == nullptr &&
         dladdr(reinterpret_cast<void*>(&searches), &info) != 0 &&
         dlinfo(c_library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr &&
         dlopen("/none", RTLD_LAZY) == nullptr && dlerror() != nullptr &&
         dlerror() == nullptr;
}

bool signals() {
  sigset_t none;
  sigset_t one;
  sigset_t now;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  return pthread_sigmask(SIG_BLOCK, &one, &none) == 0 &&
         pthread_sigmask(SIG_SETMASK, &none, &now) == 0 &&
         sigismember(&now, SIGUSR1) == 1 &&
         pthread_sigmask(99, &none, nullptr) == EINVAL;
}

pthread_once_t g_once = PTHREAD_ONCE_INIT;
int g_times = 0;
void count() { ++g_times; }

bool threads() {
  pthread_once(&g_once, count);
  pthread_once(&g_once, count);
  pthread_testcancel();
  pthread_key_t key;
  const int made = pthread_key_create(&key, nullptr);
  // Only a program that cannot have threads is without.
  const bool keeps =
      made == 0 ? pthread_setspecific(key, &key) == 0 : made == EAGAIN;
  return g_times == 1 && keeps && gettid() == syscall(SYS_gettid);
}

}  // namespace

// "" if nothing is.
extern "C" [[gnu::visibility("default")]] const char* pop_what_is_wrong() {
  return !unwinds()    ? "an exception is not caught"
         : !stats()    ? "stat()"
         : !searches() ? "dlsym()"
         : !signals()  ? "pthread_sigmask()"
         : !threads()  ? "pthread_once()"
                       : "";
}
