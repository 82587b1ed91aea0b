// Memory of the tool's own, apart from the program's heap: it works in any
// state of the program's malloc(), and in a signal handler that has interrupted
// it.
//
// A reserve is taken when measurement starts, for the case that the system has
// no more memory, which the program may survive.  One part of it is for events,
// the other only for the end of the run.  When the reserve is used up too, the
// piece of work that needs memory is given up, see attempt_with_memory().
#ifndef POPRT_BASE_MEMORY_H_
#define POPRT_BASE_MEMORY_H_

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace poprt {

// Takes the reserve.  To be called once.
void reserve_memory();
// From now on the part for the end of the run may be used.
void open_reserve_for_end();

// Memory that shares no cache line with other memory.  Null if there is none.
void* take_memory(size_t bytes, size_t alignment = 16);
// Frees what take_memory() has returned.  Null is allowed.
void release_memory(void* memory);

// How many pieces of work were given up.
int64_t work_given_up();

// A piece of work that this thread is doing.
struct MemoryAttempt {
  std::jmp_buf out;
  MemoryAttempt* outer;
};
void push_attempt(MemoryAttempt* attempt);
void pop_attempt(const MemoryAttempt* attempt);
// There is no memory for the current piece of work: gives it up and does not
// return.  Without a current piece of work the process ends.
[[noreturn]] void run_out_of_memory();

// Does a piece of work.  False: there was no memory for it.  Then it was left
// in the middle by a jump, without destructors: what it had allocated is lost,
// and it must not hold a lock. (The library is built without exceptions.)
template <class Work>
[[gnu::noinline]] bool attempt_with_memory(Work&& work) {
  MemoryAttempt here;
  push_attempt(&here);
  // setjmp() would also save the signal mask.
  const bool done = _setjmp(here.out) == 0;
  if (done) std::forward<Work>(work)();
  pop_attempt(&here);
  return done;
}

}  // namespace poprt

#endif  // POPRT_BASE_MEMORY_H_
