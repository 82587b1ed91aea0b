// Catches exceptions.  No code here throws, but the C++ library does on invalid
// arguments (a negative length, a position out of range), and an exception
// would end the user's program.
#ifndef POPRT_BASE_GUARD_H_
#define POPRT_BASE_GUARD_H_

#include <type_traits>

#include "base/float_environment.h"
#include "base/memory.h"
#include "base/own_stack.h"

namespace poprt {

// Runs work(data).  False: an exception has ended it.  What it had allocated is
// lost.  REQUIRES: it holds no lock.
bool completes(void (*work)(void*), void* data);

// How a piece of work has ended.
enum class Outcome { kDone, kNoMemory, kError };
// What a note says of the cause.  REQUIRES: it is not kDone.
inline const char* cause_of(Outcome outcome) {
  return outcome == Outcome::kNoMemory ? "there was no memory"
                                       : "please report this";
}

// Does work() for which there may be no memory (attempt_with_memory()), or
// which an exception may end, with C's floating-point environment.
template <class Work>
[[nodiscard]] Outcome outcome_of(Work&& work) {
  using Plain = std::remove_reference_t<Work>;
  const DefaultFloatEnvironment environment;
  Outcome outcome = Outcome::kNoMemory;
  attempt_with_memory([&] {
    const bool complete =
        completes([](void* data) { (*static_cast<Plain*>(data))(); }, &work);
    outcome = complete ? Outcome::kDone : Outcome::kError;
  });
  return outcome;
}

// The same for work that needs up to kRoom bytes of stack (own_stack.h).
// REQUIRES: it calls no MPI function.
template <class Work>
[[nodiscard]] Outcome outcome_with_room(Work&& work) {
  struct Call {
    std::remove_reference_t<Work>& work;
    Outcome outcome = Outcome::kNoMemory;
  } call = {work};
  call_with_room(
      [](void* data) {
        Call& it = *static_cast<Call*>(data);
        it.outcome = outcome_of(it.work);
      },
      &call);
  return call.outcome;
}

}  // namespace poprt

#endif  // POPRT_BASE_GUARD_H_
