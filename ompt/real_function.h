// The functions of the OpenMP runtime that this library has entries for.
#ifndef POPRT_OMPT_REAL_FUNCTION_H_
#define POPRT_OMPT_REAL_FUNCTION_H_

#include <atomic>

namespace poprt::ompt {

// The runtime's own function of that name, for who called ours from `caller`.
// Does not return where there is none: then the caller could not have been
// loaded without this library either.
void* find_in_runtime(const char* name, const void* caller);

// What a program without this library would have called.
template <class Function>
Function* real(std::atomic<Function*>& known, const char* name,
               const void* caller) {
  Function* function = known.load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(find_in_runtime(name, caller));
    known.store(function, std::memory_order_relaxed);
  }
  return function;
}

}  // namespace poprt::ompt

// In the entry `name`, whose type is `Function`: the real one, looked up once.
#define POPRT_REAL(Function, name)                           \
  ([](const void* caller) {                                  \
    static std::atomic<Function*> known{nullptr};            \
    return poprt::ompt::real<Function>(known, name, caller); \
  }(__builtin_return_address(0)))

#endif  // POPRT_OMPT_REAL_FUNCTION_H_
