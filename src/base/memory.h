// Memory of the tool's own, apart from the program's heap: it works in any
// state of the program's malloc(), and in a signal handler that has interrupted
// it.
//
// A reserve is taken when measurement starts, for the case that the system has
// no more memory, which the program may survive.  One part of it is for events,
// the other only for the end of the run.  When the reserve is used up too, the
// piece of work that needs memory is given up, see attempt().
#ifndef POPRT_BASE_MEMORY_H_
#define POPRT_BASE_MEMORY_H_

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace poprt::memory {

// Takes the reserve.  To be called once.
void prepare();
// From now on the part for the end of the run may be used.
void begin_end();

// Memory that shares no cache line with other memory.  Null if there is none.
void* take(size_t bytes, size_t alignment = 16);
// Frees what take() has returned.  Null is allowed.
void release(void* memory);

// How many pieces of work were given up.
int64_t given_up();

// A piece of work that this thread is doing.
struct Attempt {
  std::jmp_buf out;
  Attempt* outer;
};
void push(Attempt* attempt);
void pop(const Attempt* attempt);
// There is no memory for the current piece of work: gives it up and does not
// return.  Without a current piece of work the process ends.
[[noreturn]] void run_out();

// Does a piece of work.  False: there was no memory for it.  Then it was left
// in the middle by a jump, without destructors: what it had allocated is lost,
// and it must not hold a lock. (The library is built without exceptions.)
template <class Work>
[[gnu::noinline]] bool attempt(Work&& work) {
  Attempt here;
  push(&here);
  // setjmp() would also save the signal mask.
  const bool done = _setjmp(here.out) == 0;
  if (done) std::forward<Work>(work)();
  pop(&here);
  return done;
}

}  // namespace poprt::memory

#endif  // POPRT_BASE_MEMORY_H_
