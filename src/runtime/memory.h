// The tool's own memory, apart from the program's: what malloc() does for the
// program, or does not, and whom a signal has interrupted in it, is nothing to
// the tool.
//
// A reserve is taken when measurement starts, for when the system has no more:
// a program may live with that, and so must the tool.  One part of it is for
// events, one only for the end of the run.  Where it is used up too, the
// piece of work that needs memory is given up: attempt().
#ifndef POPRT_RUNTIME_MEMORY_H_
#define POPRT_RUNTIME_MEMORY_H_

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace poprt::memory {

// Takes the reserve, once.
void prepare();
// The end of the run may use its part from here on.
void begin_end();

// Memory in cache lines of its own; null: there is none.
void* take(size_t bytes, size_t alignment = 16);
// What take() has given.  Null is nothing.
void give(void* memory);

// How many pieces of work were given up.
int64_t given_up();

// A piece of work under way on this thread.
struct Attempt {
  std::jmp_buf out;
  Attempt* outer;
};
void push(Attempt* attempt);
void pop(const Attempt* attempt);
// There is no memory for the piece of work that is under way: gives it up, and
// does not return.  Where there is none, the process cannot go on.
[[noreturn]] void run_out();

// Does a piece of work; false: there was no memory for it.  Then it has stopped
// where it was, without destructors: it must not hold a lock, and what it
// leaves behind is lost.  (Exceptions would do the same with more: the library
// is built without.)
template <class Work>
[[gnu::noinline]] bool attempt(Work&& work) {
  Attempt here;
  push(&here);
  // Not setjmp(), which may save the signals' mask.
  const bool done = _setjmp(here.out) == 0;
  if (done) std::forward<Work>(work)();
  pop(&here);
  return done;
}

}  // namespace poprt::memory

#endif  // POPRT_RUNTIME_MEMORY_H_
