// Futexes, by which std::atomic::wait(), std::latch and TBB wait, and the
// search for functions in libraries that were loaded while the program runs.
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

// A call in whose place this one stands sees the return address of the program:
// it is a jump.
#if defined(__clang__)
#define POPRT_JUMPS
#define POPRT_JUMP [[clang::musttail]] return
#else
#define POPRT_JUMPS __attribute__((optimize("O2")))
#define POPRT_JUMP return
#endif

namespace poprt::modules::threads {
namespace {

// Filled in by EntrySlots.
using Search = void*(void*, const char*);
using VersionedSearch = void*(void*, const char*, const char*);
constinit Function<long(long, ...)> real_syscall;
constinit Function<Search> real_dlsym;
constinit Function<VersionedSearch> real_dlvsym;

// The word had changed before the thread could wait, or it was woken.
bool is_woken(long result) { return result == 0 || errno == EAGAIN; }

// A system call by its number; it has up to six arguments.
POPRT_JUMPS long my_syscall(long number, long a, long b, long c, long d, long e,
                            long f) {
  const bool is_futex = number == SYS_futex;
  const long operation = b & FUTEX_CMD_MASK;
  const bool waits = operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;
  const bool wakes = operation == FUTEX_WAKE || operation == FUTEX_WAKE_BITSET;
  const auto* const word = reinterpret_cast<const void*>(a);
  if (is_futex && waits) {
    return waiting(
        word, [=] { return real_syscall(number, a, b, c, d, e, f); }, is_woken);
  }
  if (is_futex && wakes) let_go(word);
  using Call = long(long, long, long, long, long, long, long);
  auto* const call = reinterpret_cast<Call*>(real_syscall.address);
  POPRT_JUMP call(number, a, b, c, d, e, f);
}

// Who has loaded a library looks for its functions before it calls them.
POPRT_JUMPS void* my_dlsym(void* handle, const char* name) {
  reach_new_objects();
  auto* const call = reinterpret_cast<Search*>(real_dlsym.address);
  POPRT_JUMP call(handle, name);
}
POPRT_JUMPS void* my_dlvsym(void* handle, const char* name,
                            const char* version) {
  reach_new_objects();
  auto* const call = reinterpret_cast<VersionedSearch*>(real_dlvsym.address);
  POPRT_JUMP call(handle, name, version);
}

}  // namespace

std::vector<Entry> system_entries() {
  return {
      entry("syscall", reinterpret_cast<long (*)(long, ...)>(my_syscall),
            real_syscall),
      entry("dlsym", my_dlsym, real_dlsym),
      entry("dlvsym", my_dlvsym, real_dlvsym),
  };
}

}  // namespace poprt::modules::threads
