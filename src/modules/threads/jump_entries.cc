// Jumps out of signal handlers: they may leave a call that waits.
#include <csetjmp>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {
namespace {

using Jump = void(__jmp_buf_tag*, int);

// A jump that stays inside of the handler is taken for one that leaves the
// call, too: then the rest of the wait counts as useful.
struct Jumps {
  static void call(const Function<Jump>& function, __jmp_buf_tag* to,
                   int value) {
    if (Thread* const thread = measured_thread()) {
      const ThreadCalls& calls = calls_of(*thread);
      if (calls.waits.load(std::memory_order_relaxed) ||
          calls.busy.load(std::memory_order_relaxed)) {
        leave_call(*thread);
      }
    }
    function(to, value);
  }
};

}  // namespace

std::vector<Entry> jump_entries() {
  return {
      entry<"longjmp", Jump, Jumps>(),
      entry<"_longjmp", Jump, Jumps>(),
      entry<"siglongjmp", Jump, Jumps>(),
      entry<"__longjmp_chk", Jump, Jumps>(),
  };
}

}  // namespace poprt::modules::threads
