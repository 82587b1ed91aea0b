// Futexes, by which std::atomic::wait(), std::latch and TBB wait.
#include <linux/futex.h>
#include <sys/syscall.h>

#include "base/jump.h"
#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {
namespace {

// Filled in by EntrySlots.
constinit Function<long(long, ...)> real_syscall;

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

}  // namespace

std::vector<Entry> system_entries() {
  return {
      entry("syscall", reinterpret_cast<long (*)(long, ...)>(my_syscall),
            real_syscall),
  };
}

}  // namespace poprt::modules::threads
