// Entries in front of LLVM's lock functions. omp_set_lock() and the others
// reach them through the dynamic linker, from C and from Fortran.
//
// The runtime reports three events for each lock, even if no thread waits for
// it, and each would cost a time stamp.  An entry first tries to take the lock.
// There is an event only if the thread has to wait, if it takes the lock over
// from another thread, or if it leaves clocks for another thread.  The clocks
// are left before the lock is released, so the next holder always finds them.
#include "ompt/lock_calls.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "measure/call_sites.h"
#include "measure/events.h"
#include "ompt/callbacks.h"
#include "ompt/real_function.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"

namespace poprt::ompt {
namespace {

// How many calls a failed attempt goes through in the runtime: its own entry
// and its table of functions, on the way in and out.
constexpr int64_t kPollCalls = 3;

std::atomic<bool> g_come_here{false};
std::atomic<bool> g_measured{false};

// The calling thread and its lock.  Null if the thread is not in useful code:
// MPI and the runtime use locks too.
struct Use {
  Thread* thread = nullptr;
  OmpThread* omp = nullptr;
  Lock* lock = nullptr;
};

// In a program with very many locks the tool's object for a lock is not in the
// caches.  How long it takes to find one is timed now and then.
[[gnu::noinline]] Lock* find_timed(OmpThread& omp, uint64_t wait_id) {
  const int64_t begin = strict_now_ns();
  const int64_t middle = strict_now_ns();
  Lock* const lock = lock_of(wait_id);
  omp.lock_searches.add(strict_now_ns() - middle);
  omp.lock_stamps.add(middle - begin);
  return lock;
}

inline Lock* find(OmpThread& omp, uint64_t wait_id) {
  const bool timed = omp.locks.get() % kSeldom == kSeldom / 2;
  return timed ? find_timed(omp, wait_id) : lock_of(wait_id);
}

// The first call, or locks are told apart by their places: then the runtime's
// events are used, which have the place of the call.
[[gnu::noinline]] bool come_here() {
  if (construct_sites_wanted()) return false;
  g_come_here.store(true);
  locks_have_entries();
  return true;
}

// `attempts`: of an attempt, for which a failure has no event.
[[gnu::always_inline]] inline Use use_of(void** user_lock,
                                         bool attempts = false) {
  Use use;
  if (!g_come_here.load(std::memory_order_relaxed)) [[unlikely]] {
    if (!come_here() && !attempts) return use;
  }
  Thread* const thread = measured_thread();
  if (thread == nullptr || thread->state() != State::kUseful) return use;
  use.omp = omp_thread(*thread);
  if (use.omp == nullptr) return use;
  const auto wait_id = reinterpret_cast<uint64_t>(user_lock);
  Lock* lock = use.omp->lock;
  if (lock == nullptr ||
      lock->wait_id.load(std::memory_order_relaxed) != wait_id) {
    lock = use.omp->lock = find(*use.omp, wait_id);
    if (lock == nullptr) return use;
  }
  use.lock = lock;
  use.thread = thread;
  return use;
}

[[gnu::always_inline]] inline void taken(const Use& use) {
  if (lock_changes_hands(*use.thread, *use.lock)) [[unlikely]] {
    lock_taken(*use.thread, *use.lock, now_ns());
  }
}

[[gnu::noinline]] void hand_on(const Use& use, int64_t count) {
  // Books the time of the lock calls since the last stamp, which had no stamps
  // of their own.
  const int64_t now = now_ns();
  const int64_t calls = count - use.omp->settled_locks;
  use.omp->settled_locks = count;
  use.thread->book(now - calls * g_lock_all_ps.load(std::memory_order_relaxed) /
                             1000);
  use.thread->book_own_work(now);
  lock_handed_on(*use.thread, *use.lock, now);
}

[[gnu::always_inline]] inline void leave(void** user_lock) {
  const Use use = use_of(user_lock);
  if (use.thread == nullptr) return;
  use.omp->locks.add(1);
  const int64_t count = use.omp->locks.get();
  if (!lock_is_handed_on(*use.thread, *use.lock,
                         static_cast<uint32_t>(count))) {
    return;
  }
  hand_on(use, count);
}

// How many locks are released and taken by measure(), and how often.
constexpr int kBatches = 8;
constexpr int kLocks = 32;

// Measures how long it takes to release and take a lock, in the runtime alone
// and through this library's entries: the shortest of several batches.  Uses
// the program's own lock, which the thread has just taken.  False: another
// thread has it now.
template <class Test, class Unset, class OwnSet, class OwnUnset>
[[gnu::noinline]] bool measure(const Use& use, Test test, Unset unset,
                               OwnSet own_set, OwnUnset own_unset) {
  int64_t least = INT64_MAX;
  int64_t least_real = INT64_MAX;
  for (int batch = 0; batch < kBatches; ++batch) {
    int64_t begin = now_ns();
    for (int i = 0; i < kLocks; ++i) {
      unset();
      if (test() == 0) return false;
    }
    least_real = std::min(least_real, now_ns() - begin);
    begin = now_ns();
    for (int i = 0; i < kLocks; ++i) {
      own_unset();
      own_set();
    }
    least = std::min(least, now_ns() - begin);
  }
  use.omp->locks.add(-kBatches * kLocks);
  use.omp->settled_locks = use.omp->locks.get();
  g_lock_all_ps.store(least * 1000 / kLocks);
  g_lock_tool_ps.store(std::max<int64_t>(0, least - least_real) * 1000 /
                       kLocks);
  return true;
}

template <class Set, class Test, class Unset, class OwnSet, class OwnUnset>
inline void set(void** user_lock, Set set, Test test, Unset unset,
                OwnSet own_set, OwnUnset own_unset) {
  const Use use = use_of(user_lock);
  if (use.thread == nullptr) return set();
  if (test() != 0) {
    taken(use);
    if (g_measured.load(std::memory_order_relaxed)) [[likely]]
      return;
    if (g_measured.exchange(true)) return;
    if (measure(use, test, unset, own_set, own_unset)) return;
  }
  lock_wait_begin(*use.thread, *use.lock, leave_ns());
  set();
  lock_wait_end(*use.thread, *use.lock, now_ns());
}

// A failed attempt that follows another failed attempt is a wait.
template <class Test>
inline int attempt(void** user_lock, Test test) {
  const Use use = use_of(user_lock, true);
  if (use.thread == nullptr) return test();
  const bool polls = use.omp->polls;
  if (polls)
    use.thread->switch_to(State::kOmp,
                          now_ns() - kPollCalls * g_call_outside_ns);
  const int depth = test();
  use.omp->polls = depth == 0;
  if (polls) lock_wait_over(*use.thread, now_ns());
  if (depth != 0) taken(use);
  return depth;
}

}  // namespace

bool locks_come_here() { return g_come_here.load(std::memory_order_relaxed); }

// A `critical` or `ordered` construct begins: from now on the runtime's events
// are needed.
inline void construct_begins() {
  if (!wants_mutex_events()) [[unlikely]]
    want_mutex_events();
}

}  // namespace poprt::ompt

// Calls the runtime's function, which is looked up on the first call.
#define POPRT_LOCK_FUNCTION(Function, name)                                \
  [&] {                                                                    \
    static std::atomic<Function*> known{nullptr};                          \
    return poprt::ompt::real<Function>(known, name, caller)(where, thread, \
                                                            lock);         \
  }

// `kind` is part of the runtime's function names (kmp.h).
extern "C" __attribute__((visibility("default"))) void __kmpc_unset_lock(
    void* where, int32_t thread, void** lock);
extern "C" __attribute__((visibility("default"))) void __kmpc_unset_nest_lock(
    void* where, int32_t thread, void** lock);
#define POPRT_LOCK_CALLS(kind)                                                \
  extern "C" __attribute__((visibility("default"))) void __kmpc_set_##kind(   \
      void* where, int32_t thread, void** lock) {                             \
    const void* const caller = __builtin_return_address(0);                   \
    poprt::ompt::set(                                                         \
        lock, POPRT_LOCK_FUNCTION(LockCall, "__kmpc_set_" #kind),             \
        POPRT_LOCK_FUNCTION(LockAttempt, "__kmpc_test_" #kind),               \
        POPRT_LOCK_FUNCTION(LockCall, "__kmpc_unset_" #kind),                 \
        [&] { __kmpc_set_##kind(where, thread, lock); },                      \
        [&] { __kmpc_unset_##kind(where, thread, lock); });                   \
  }                                                                           \
  extern "C" __attribute__((visibility("default"))) int __kmpc_test_##kind(   \
      void* where, int32_t thread, void** lock) {                             \
    const void* const caller = __builtin_return_address(0);                   \
    return poprt::ompt::attempt(                                              \
        lock, POPRT_LOCK_FUNCTION(LockAttempt, "__kmpc_test_" #kind));        \
  }                                                                           \
  extern "C" __attribute__((visibility("default"))) void __kmpc_unset_##kind( \
      void* where, int32_t thread, void** lock) {                             \
    const void* const caller = __builtin_return_address(0);                   \
    poprt::ompt::leave(lock);                                                 \
    POPRT_LOCK_FUNCTION(LockCall, "__kmpc_unset_" #kind)();                   \
  }

using LockCall = void(void*, int32_t, void**);
using LockAttempt = int(void*, int32_t, void**);
POPRT_LOCK_CALLS(lock)
POPRT_LOCK_CALLS(nest_lock)

// While the events of mutual exclusion are off (which makes locks cheaper in
// the runtime), these entries are the only sign of such a construct.
#define POPRT_MUTEX_CONSTRUCT(name, parameters, arguments)                 \
  extern "C" __attribute__((visibility("default"))) void name parameters { \
    using Function = void parameters;                                      \
    Function* const function = POPRT_REAL(Function, #name);                \
    poprt::ompt::construct_begins();                                       \
    function arguments;                                                    \
  }

POPRT_MUTEX_CONSTRUCT(__kmpc_critical,
                      (void* where, int32_t thread, void* name),
                      (where, thread, name))
POPRT_MUTEX_CONSTRUCT(__kmpc_critical_with_hint,
                      (void* where, int32_t thread, void* name, uint32_t hint),
                      (where, thread, name, hint))
POPRT_MUTEX_CONSTRUCT(__kmpc_ordered, (void* where, int32_t thread),
                      (where, thread))
