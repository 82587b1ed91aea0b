// Calls that the program has left by siglongjmp() from a signal's handler.
#ifndef POPRT_RUNTIME_LEFT_FRAME_H_
#define POPRT_RUNTIME_LEFT_FRAME_H_

#include <csignal>
#include <cstdint>

namespace poprt {

// What the kernel saves for a handler takes more of the stack.
inline constexpr uintptr_t kLeastSignalFrame = 512;

// Whether the call of this thread with the frame `before` is over, though it
// has not returned.  One that came from it, or from a handler that has
// interrupted it, would lie deeper in the stack, which grows downwards, than
// `now`: by more than `between` bytes.
inline bool is_left(uintptr_t before, uintptr_t now, uintptr_t between) {
  if (now + between < before) return false;
  stack_t stack;  // that of handlers is another one
  return sigaltstack(nullptr, &stack) != 0 ||
         (stack.ss_flags & SS_ONSTACK) == 0;
}

}  // namespace poprt

#endif  // POPRT_RUNTIME_LEFT_FRAME_H_
