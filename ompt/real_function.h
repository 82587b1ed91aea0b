// Looks up the functions of the OpenMP runtime for which this library has
// entries.
#ifndef POPRT_OMPT_REAL_FUNCTION_H_
#define POPRT_OMPT_REAL_FUNCTION_H_

#include <atomic>

namespace poprt::ompt {

// The OpenMP runtime's function `name`, for the code at `caller` that called
// this library's entry.  Ends the process if no runtime has it: without this
// library the caller could not have been loaded either.
void* find_in_runtime(const char* name, const void* caller);

// Like find_in_runtime(), but looked up once and remembered in `known`.
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

// For use in the entry `name`: the runtime's function of that name, of type
// `Function`, looked up once.
#define POPRT_REAL(Function, name)                           \
  ([](const void* caller) {                                  \
    static std::atomic<Function*> known{nullptr};            \
    return poprt::ompt::real<Function>(known, name, caller); \
  }(__builtin_return_address(0)))

#endif  // POPRT_OMPT_REAL_FUNCTION_H_
