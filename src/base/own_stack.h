// A stack of the tool's own for work that needs more of it than the program may
// have left: a report at the end of a thread with 16 KiB, on a fibre, or in a
// handler on an alternate stack.
//
// Invariants.  1. It is used only where less than kRoom bytes are known to be
// left.  2. Work on it calls no MPI function, which may look where its stack is
// or wait for others.  3. The program's signal handlers do not run meanwhile
// (NoInterruption): for the kernel a thread that is here has left its alternate
// stack, so that the next handler would overwrite the frames of the one that
// was interrupted.  4. Work ends by returning: control moves here and back as
// by a call, which debuggers, unwinders and shadow stacks (CET, GCS) can
// follow.
#ifndef POPRT_BASE_OWN_STACK_H_
#define POPRT_BASE_OWN_STACK_H_

#include <cstddef>
#include <cstdint>

namespace poprt {

// What work may rely on (scripts/check_stack.py adds up that it needs less).
inline constexpr size_t kRoom = size_t{256} << 10;

// Runs work(data) with at least kRoom bytes of stack.  If there is no memory
// for a stack, or on an unknown kind of processor, it runs as if called.
// REQUIRES: it does not throw, and does not leave by a jump.
void call_with_room(void (*work)(void*), void* data);

// The own stack on which the calling thread is.
struct OwnStack {
  uintptr_t low;
  uintptr_t high;
  uintptr_t entered_at;       // the frame on the program's stack
  bool entered_on_alternate;  // that was a signal handler's

  bool holds(uintptr_t frame) const { return frame >= low && frame < high; }
};
extern thread_local constinit const OwnStack* t_own_stack;

// The own stack that has this frame of the calling thread, else null.
inline const OwnStack* own_stack_at(uintptr_t frame) {
  const OwnStack* const own = t_own_stack;
  return own != nullptr && own->holds(frame) ? own : nullptr;
}

}  // namespace poprt

#endif  // POPRT_BASE_OWN_STACK_H_
