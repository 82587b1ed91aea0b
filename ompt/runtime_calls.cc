// Entries in front of functions of LLVM's OpenMP runtime that may take long and
// have no OMPT event: the next chunk of a loop, the creation of tasks,
// taskyield, the wait of a doacross loop.  Time in them is OpenMP time.  A task
// that runs inside such a call has events of its own.
//
// Programs built by GCC call GOMP_* functions, from which LLVM's runtime calls
// these functions through the dynamic linker.  So they need no entries of their
// own, but for one that corrects an error (GOMP_task).
#include <alloca.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "measure/events.h"
#include "ompt/event.h"
#include "ompt/real_function.h"
#include "openmp/doacross.h"

namespace poprt::ompt {
namespace {

// The calling thread if it is in useful code, else null: in MPI, in another
// runtime call, or if OpenMP is not measured.
[[gnu::always_inline]] inline Thread* working_thread() {
  Thread* const thread = measured_thread();
  if (thread == nullptr || omp_thread(*thread) == nullptr) return nullptr;
  return thread->state() == State::kUseful ? thread : nullptr;
}

// Useful code ends at `leave_ns`, less the allocations that were not timed.
void leave_useful(Thread& thread, int64_t leave_ns) {
  UntimedCalls& allocations = omp_thread(thread)->allocations;
  thread.switch_to(State::kOmp,
                   leave_ns - allocations.settle(thread.last_event_ns()));
}

// A call of the runtime.
class Call {
 public:
  Call(Thread& thread, const RuntimeCall& call)
      : thread_(thread),
        caller_(call.caller),
        before_(thread.state()),
        last_ns_(thread.last_event_ns()) {
    leave_useful(thread, leave_ns());
    entered_ns_ = thread.last_event_ns();
    omp_thread(thread)->call = call;
    omp_thread(thread)->call.before = before_;
  }
  ~Call() {
    if (!measuring()) return;
    OmpThread& omp = *omp_thread(thread_);
    // If the task has queued its own continuation here, the thread now executes
    // another task, whose state stays as it is.
    if (omp.call.caller != caller_) return;
    const bool in_vain =
        omp.call.looks && thread_.last_event_ns() == entered_ns_;
    omp.call = {};
    thread_.switch_to(before_, now_ns());
    if (in_vain) {
      thread_.cost.looked_in_vain(entered_ns_ - last_ns_,
                                  thread_.last_event_ns() - entered_ns_);
    }
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  Thread& thread_;
  const void* const caller_;
  const State before_;
  const int64_t last_ns_;
  int64_t entered_ns_;
};

// What a function does.
constexpr RuntimeCall call_of(std::string_view name, const void* caller) {
  // An untied task uses it also to queue the rest of itself.
  const bool queues = name == "__kmpc_omp_task";
  return {caller, queues, queues || name == "__kmpc_omp_task_with_deps",
          name == "__kmpc_omp_taskyield"};
}

// A loop whose chunks the runtime hands out begins, or the thread gets no more
// of them.  The begin tells also where the loop is cancelled, but in programs
// built by GCC it comes through no entry.
void loop_begins(Thread& thread) {
  OmpThread& omp = *omp_thread(thread);
  omp.loops = (omp.loops + kLoopStep) | 1;
}
void loop_ends(Thread& thread) {
  OmpThread& omp = *omp_thread(thread);
  if (omp.loops % 2 != 0) {
    --omp.loops;
  } else {
    omp.loops += kLoopStep;
  }
}

// The allocation of a task that the program will queue next.
template <class Allocate>
void* timed_allocation(Thread& thread, Allocate allocate) {
  const int64_t begin_ns = now_ns();
  const State before = thread.state();
  leave_useful(thread, begin_ns - g_call_outside_ns);
  void* const task = allocate();
  if (!measuring()) return task;
  const int64_t end_ns = now_ns();
  thread.switch_to(before, end_ns);
  // One of the two events is in it.
  omp_thread(thread)->allocations.add(
      std::max<int64_t>(0, end_ns - begin_ns - g_event_ps / 1000));
  return task;
}

using DoacrossCall = void(void*, int32_t, const int64_t*);

[[gnu::noinline]] void leave_source(const Iteration& iteration) {
  Event event;
  if (!event) return;
  doacross_source(event.thread(), iteration, event.now_ns());
  event.book_own_work();
}

// A source of a doacross loop: told to others before the runtime lets them go
// on.
[[gnu::always_inline]] inline void pass_source(const Thread& thread,
                                               const int64_t* indices) {
  OmpThread& omp = *omp_thread(thread);
  if (omp.doacross.depth == 0) return;
  const Iteration iteration = iteration_of(omp.doacross, indices);
  if (!doacross_passes(omp, iteration)) [[likely]]
    return;
  leave_source(iteration);
}

// Whether a sink is no event.
[[gnu::always_inline]] inline bool passes_sink(const Thread& thread,
                                               const int64_t* indices) {
  const OmpThread& omp = *omp_thread(thread);
  return omp.doacross.depth == 0 ||
         doacross_look(omp, iteration_of(omp.doacross, indices)) == kPassed;
}
[[gnu::noinline]] void pass_sink(Thread& thread, DoacrossCall* wait,
                                 void* where, int32_t number,
                                 const int64_t* indices) {
  const OmpThread& omp = *omp_thread(thread);
  const Iteration iteration = iteration_of(omp.doacross, indices);
  const State before = thread.state();
  if (doacross_look(omp, iteration) == kAwaited) {
    doacross_announce(iteration);
    leave_useful(thread, leave_ns());
  }
  wait(where, number, indices);
  Event event;
  if (!event) return;
  doacross_sink(event.thread(), iteration, before, event.now_ns());
  event.book_own_work();
}

}  // namespace
}  // namespace poprt::ompt

// Defines the entry: the runtime's function, measured.  `parameters` and
// `arguments` are in parentheses.  `body` uses the thread `self`, and call()
// for the function.  Where nothing is measured the entry is a jump, so that the
// runtime sees the program's return address, which it tells to a tool of the
// program's own.
#define POPRT_ENTRY(result, name, parameters, arguments, body)               \
  extern "C" __attribute__((visibility("default"))) result name parameters { \
    using Function = result parameters;                                      \
    Function* const function = POPRT_REAL(Function, #name);                  \
    poprt::Thread* const self = poprt::ompt::working_thread();               \
    if (self == nullptr) return function arguments;                          \
    const poprt::ompt::Call measured(                                        \
        *self, poprt::ompt::call_of(#name, __builtin_return_address(0)));    \
    const auto call = [&] { return function arguments; };                    \
    body                                                                     \
  }
#define POPRT_RUNTIME_CALL(result, name, parameters, arguments) \
  POPRT_ENTRY(result, name, parameters, arguments, return call();)

// The signatures are those of the runtime's interface to compilers (kmp.h).
// Pointers are only passed on.
#define POPRT_LOOP_CALLS(suffix, index, stride)                                \
  POPRT_ENTRY(void, __kmpc_dispatch_init_##suffix,                             \
              (void* where, int32_t thread, int32_t schedule, index low,       \
               index high, stride step, stride chunk),                         \
              (where, thread, schedule, low, high, step, chunk),               \
              poprt::ompt::loop_begins(*self);                                 \
              call();)                                                         \
  POPRT_ENTRY(int, __kmpc_dispatch_next_##suffix,                              \
              (void* where, int32_t thread, int32_t* last, index* low,         \
               index* high, stride* step),                                     \
              (where, thread, last, low, high, step), const int more = call(); \
              if (more == 0) poprt::ompt::loop_ends(*self); return more;)

POPRT_LOOP_CALLS(4, int32_t, int32_t)
POPRT_LOOP_CALLS(4u, uint32_t, int32_t)
POPRT_LOOP_CALLS(8, int64_t, int64_t)
POPRT_LOOP_CALLS(8u, uint64_t, int64_t)

POPRT_RUNTIME_CALL(void*, __kmpc_omp_target_task_alloc,
                   (void* where, int32_t thread, int32_t flags, size_t task,
                    size_t shared, void* entry, int64_t device),
                   (where, thread, flags, task, shared, entry, device))
POPRT_RUNTIME_CALL(int32_t, __kmpc_omp_task,
                   (void* where, int32_t thread, void* task),
                   (where, thread, task))
POPRT_RUNTIME_CALL(int32_t, __kmpc_omp_task_with_deps,
                   (void* where, int32_t thread, void* task, int32_t count,
                    void* list, int32_t noalias_count, void* noalias_list),
                   (where, thread, task, count, list, noalias_count,
                    noalias_list))
POPRT_RUNTIME_CALL(void, __kmpc_taskloop,
                   (void* where, int32_t thread, void* task, int32_t deferred,
                    uint64_t* low, uint64_t* high, int64_t step,
                    int32_t nogroup, int32_t schedule, uint64_t grain,
                    void* duplicate),
                   (where, thread, task, deferred, low, high, step, nogroup,
                    schedule, grain, duplicate))
POPRT_RUNTIME_CALL(void, __kmpc_taskloop_5,
                   (void* where, int32_t thread, void* task, int32_t deferred,
                    uint64_t* low, uint64_t* high, int64_t step,
                    int32_t nogroup, int32_t schedule, uint64_t grain,
                    int32_t modifier, void* duplicate),
                   (where, thread, task, deferred, low, high, step, nogroup,
                    schedule, grain, modifier, duplicate))
POPRT_RUNTIME_CALL(int32_t, __kmpc_omp_taskyield,
                   (void* where, int32_t thread, int32_t end),
                   (where, thread, end))

// Before each task, so short that most of these calls are not timed, unless
// events do more than to book time: that would be in the time of the others.
extern "C" __attribute__((visibility("default"))) void* __kmpc_omp_task_alloc(
    void* where, int32_t thread, int32_t flags, size_t task, size_t shared,
    void* entry) {
  using Function = void*(void*, int32_t, int32_t, size_t, size_t, void*);
  Function* const function = POPRT_REAL(Function, "__kmpc_omp_task_alloc");
  poprt::Thread* const self = poprt::ompt::working_thread();
  if (self == nullptr ||
      (self->is_quiet() &&
       !omp_thread(*self)->allocations.take(self->last_event_ns()))) {
    return function(where, thread, flags, task, shared, entry);
  }
  return poprt::ompt::timed_allocation(*self, [&]() {
    return function(where, thread, flags, task, shared, entry);
  });
}

extern "C" __attribute__((visibility("default"))) void __kmpc_doacross_init(
    void* where, int32_t thread, int32_t count, const void* dimensions) {
  using Function = void(void*, int32_t, int32_t, const void*);
  Function* const function = POPRT_REAL(Function, "__kmpc_doacross_init");
  if (poprt::Thread* const self = poprt::measured_thread()) {
    poprt::doacross_loop_begin(*self, static_cast<uint32_t>(count));
  }
  function(where, thread, count, dimensions);
}

// Most of these calls take no longer than a time stamp (openmp/doacross.h).
extern "C" __attribute__((visibility("default"))) void __kmpc_doacross_post(
    void* where, int32_t thread, const int64_t* indices) {
  poprt::ompt::DoacrossCall* const function =
      POPRT_REAL(poprt::ompt::DoacrossCall, "__kmpc_doacross_post");
  if (const poprt::Thread* const self = poprt::ompt::working_thread()) {
    poprt::ompt::pass_source(*self, indices);
  }
  function(where, thread, indices);
}

extern "C" __attribute__((visibility("default"))) void __kmpc_doacross_wait(
    void* where, int32_t thread, const int64_t* indices) {
  poprt::ompt::DoacrossCall* const function =
      POPRT_REAL(poprt::ompt::DoacrossCall, "__kmpc_doacross_wait");
  poprt::Thread* const self = poprt::ompt::working_thread();
  if (self == nullptr || poprt::ompt::passes_sink(*self, indices)) {
    return function(where, thread, indices);
  }
  poprt::ompt::pass_sink(*self, function, where, thread, indices);
}

// GCC's function for creating a task.  LLVM 19 executes an undeferred task
// (`if` clause) on the original firstprivate variables instead of a copy; with
// a copy function that gives wrong data or a crash.  So the copy is made here,
// as GCC's own runtime does.
extern "C" __attribute__((visibility("default"))) void GOMP_task(
    void (*body)(void*), void* data, void (*copy)(void*, void*), long size,
    long align, bool deferred, unsigned flags, void** depend, int priority,
    void* detach) {
  using Function = void(void (*)(void*), void*, void (*)(void*, void*), long,
                        long, bool, unsigned, void**, int, void*);
  Function* const function = POPRT_REAL(Function, "GOMP_task");
  poprt::Thread* const self = poprt::ompt::working_thread();
  const bool copies = !deferred && copy != nullptr;
  if (self == nullptr && !copies) {
    return function(body, data, copy, size, align, deferred, flags, depend,
                    priority, detach);
  }
  std::optional<poprt::ompt::Call> call;
  if (self != nullptr) {
    call.emplace(*self, poprt::RuntimeCall{__builtin_return_address(0)});
  }
  if (copies) {
    const auto room = static_cast<uintptr_t>(align) - 1;
    void* const memory = alloca(static_cast<size_t>(size) + room);
    void* const own = reinterpret_cast<void*>(
        (reinterpret_cast<uintptr_t>(memory) + room) & ~room);
    copy(own, data);
    data = own;
    copy = nullptr;
  }
  function(body, data, copy, size, align, deferred, flags, depend, priority,
           detach);
}
