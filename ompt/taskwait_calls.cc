// Works around an error of LLVM 19 in `taskwait depend`.
//
// If a tool has a callback for dependences, __kmpc_omp_taskwait_deps_51()
// writes the types mutexinoutset and inoutset beyond the end of its array and
// breaks the heap.  It does not for clauses in its second list (of addresses
// that are named once), nor for other types.  So these entries pass such
// clauses in a form that is safe and waits for the same tasks.
#include "ompt/taskwait_calls.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/events.h"
#include "ompt/real_function.h"
#include "openmp/tasking.h"

namespace poprt::ompt {
namespace {

// kmp_depend_info_t of the runtime's interface to compilers (kmp.h).
struct Clause {
  intptr_t address;
  size_t length;
  uint8_t flags;
};
constexpr uint8_t kInout = 0x3;
constexpr uint8_t kMutexinoutset = 0x4;
constexpr uint8_t kInoutset = 0x8;
constexpr uint8_t kAllMemory = 0x80;

struct Clauses {
  std::vector<Clause> first;
  std::vector<Clause> second;
  bool all_memory = false;

  void add(const Clause& clause) {
    all_memory |= (clause.flags & kAllMemory) != 0;
    if (clause.flags == kInoutset) {
      second.push_back(clause);
    } else {
      first.push_back(clause);
      // A taskwait runs nothing that could exclude another task, so
      // mutexinoutset waits for the same tasks as inout.
      if (clause.flags == kMutexinoutset) first.back().flags = kInout;
    }
  }
};

// Whether the runtime can report these clauses as they are.  Then the entry is
// a jump, see runtime_calls.cc.
bool usual(int32_t count, const Clause* list) {
  return measured_thread() == nullptr ||
         std::all_of(list, list + count, [](const Clause& clause) {
           return (clause.flags & ~kInout) == 0;
         });
}

// Calls the runtime with clauses that it can report.  REQUIRES: not usual().
template <class Call>
void wait(int32_t count, Clause* list, int32_t noalias_count, Clause* noalias,
          Call call) {
  Thread* const thread = measured_thread();
  if (thread == nullptr) {  // measurement has just ended
    return call(count, list, noalias_count, noalias);
  }
  Clauses clauses;
  for (int32_t i = 0; i < count; ++i) clauses.add(list[i]);
  clauses.second.insert(clauses.second.end(), noalias, noalias + noalias_count);
  announce_all_memory(*thread, clauses.all_memory);
  call(static_cast<int32_t>(clauses.first.size()), clauses.first.data(),
       static_cast<int32_t>(clauses.second.size()), clauses.second.data());
}

}  // namespace
}  // namespace poprt::ompt

using poprt::ompt::Clause;

extern "C" {

__attribute__((visibility("default"))) void __kmpc_omp_taskwait_deps_51(
    void* where, int32_t thread, int32_t count, Clause* list,
    int32_t noalias_count, Clause* noalias, int32_t no_wait) {
  using Function =
      void(void*, int32_t, int32_t, Clause*, int32_t, Clause*, int32_t);
  Function* const function =
      POPRT_REAL(Function, "__kmpc_omp_taskwait_deps_51");
  if (poprt::ompt::usual(count, list)) {
    return function(where, thread, count, list, noalias_count, noalias,
                    no_wait);
  }
  poprt::ompt::wait(count, list, noalias_count, noalias,
                    [&](int32_t n, Clause* l, int32_t m, Clause* s) {
                      function(where, thread, n, l, m, s, no_wait);
                    });
}

// The older name of the function.  Programs built by GCC come here, through the
// runtime.
__attribute__((visibility("default"))) void __kmpc_omp_wait_deps(
    void* where, int32_t thread, int32_t count, Clause* list,
    int32_t noalias_count, Clause* noalias) {
  using Function = void(void*, int32_t, int32_t, Clause*, int32_t, Clause*);
  Function* const function = POPRT_REAL(Function, "__kmpc_omp_wait_deps");
  if (poprt::ompt::usual(count, list)) {
    return function(where, thread, count, list, noalias_count, noalias);
  }
  poprt::ompt::wait(count, list, noalias_count, noalias,
                    [&](int32_t n, Clause* l, int32_t m, Clause* s) {
                      function(where, thread, n, l, m, s);
                    });
}
}

bool poprt::ompt::taskwait_comes_here() {
  return dlsym(RTLD_DEFAULT, "__kmpc_omp_taskwait_deps_51") ==
         reinterpret_cast<void*>(&__kmpc_omp_taskwait_deps_51);
}
