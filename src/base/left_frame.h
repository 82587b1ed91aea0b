// Recognises calls that the program has left by siglongjmp() from a signal
// handler.
#ifndef POPRT_BASE_LEFT_FRAME_H_
#define POPRT_BASE_LEFT_FRAME_H_

#include <csignal>
#include <cstdint>

#include "base/own_stack.h"

namespace poprt {

// The kernel saves at least this much on the stack for a handler.
inline constexpr uintptr_t kLeastSignalFrame = 512;

// Whether this thread has left the call with the stack frame `before` without a
// return.  A call made from it, or from a handler that has interrupted it,
// would have a frame more than `between` bytes deeper than that; the stack
// grows downwards.  `now` is the frame of the present call.
inline bool is_left(uintptr_t before, uintptr_t now, uintptr_t between) {
  if (const OwnStack* const own = own_stack_at(now);
      own != nullptr && !own->holds(before)) {
    // Compared is where the program's stack was left.
    if (own->entered_on_alternate) return false;
    now = own->entered_at;
  }
  if (now + between < before) return false;
  stack_t stack;  // handlers may run on another stack
  return sigaltstack(nullptr, &stack) != 0 ||
         (stack.ss_flags & SS_ONSTACK) == 0;
}

}  // namespace poprt

#endif  // POPRT_BASE_LEFT_FRAME_H_
