// Jumps out of signal handlers: they may leave a call that waits.
#include <csetjmp>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {
namespace {

// Filled in by EntrySlots.
using Jump = void(__jmp_buf_tag*, int);
constinit Function<Jump> real_longjmp, real_old_longjmp, real_siglongjmp,
    real_longjmp_chk;

// A jump that stays inside of the handler is taken for one that leaves the
// call, too: then the rest of the wait counts as useful.
template <const Function<Jump>& kReal>
void my_jump(__jmp_buf_tag* to, int value) {
  if (Thread* const thread = measured_thread()) {
    const ThreadCalls& calls = calls_of(*thread);
    if (calls.waits.load(std::memory_order_relaxed) ||
        calls.busy.load(std::memory_order_relaxed)) {
      leave_call(*thread);
    }
  }
  kReal(to, value);
}

}  // namespace

std::vector<Entry> jump_entries() {
  return {
      entry("longjmp", my_jump<real_longjmp>, real_longjmp),
      entry("_longjmp", my_jump<real_old_longjmp>, real_old_longjmp),
      entry("siglongjmp", my_jump<real_siglongjmp>, real_siglongjmp),
      entry("__longjmp_chk", my_jump<real_longjmp_chk>, real_longjmp_chk),
  };
}

}  // namespace poprt::modules::threads
