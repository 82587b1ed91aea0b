// Entries in front of LLVM's lock functions. omp_set_lock() and the others
// reach them through the dynamic linker, from C and from Fortran.
//
// The runtime reports three events for each lock, even if no thread waits for
// it, and each would cost a time stamp.  An entry first tries to take the lock.
// If it gets it, it has not waited, and nothing follows: no event, and no look
// at the tool's object for the lock.  So a thread that releases a lock finds an
// object only if some thread has waited for that lock, and leaves its clocks
// there if one waits now.
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

// In a program with very many locks the tool's object for a lock is not in the
// caches.  How long it takes to find one is timed now and then.
[[gnu::noinline]] Lock* find_timed(OmpThread& omp, uint64_t wait_id) {
  const int64_t begin = strict_now_ns();
  const int64_t middle = strict_now_ns();
  Lock* const lock = known_lock(wait_id);
  omp.lock_searches.add(strict_now_ns() - middle);
  omp.lock_stamps.add(middle - begin);
  return lock;
}

// The first call, or locks are told apart by their places: then the runtime's
// events are used, which have the place of the call.
[[gnu::noinline]] bool come_here() {
  if (construct_sites_wanted()) return false;
  g_come_here.store(true);
  locks_have_entries();
  return true;
}
[[gnu::always_inline]] inline bool comes_here() {
  return g_come_here.load(std::memory_order_relaxed) || come_here();
}

// Null if the calling thread is not in useful code: MPI and the runtime use
// locks too.
[[gnu::always_inline]] inline Thread* user() {
  Thread* const thread = measured_thread();
  return thread != nullptr && thread->state() == State::kUseful &&
                 omp_thread(*thread) != nullptr
             ? thread
             : nullptr;
}

uint64_t name_of(void** user_lock) {
  return reinterpret_cast<uint64_t>(user_lock);
}

// Books the time of the lock calls since the last time, which had no stamps of
// their own.
[[gnu::noinline]] void settle_time(Thread& thread, OmpThread& omp,
                                   int64_t now_ns) {
  const int64_t calls = omp.locks.get() - omp.settled_locks;
  omp.settled_locks = omp.locks.get();
  thread.book(now_ns -
              calls * g_lock_all_ps.load(std::memory_order_relaxed) / 1000);
  thread.book_own_work(now_ns);
}

// A signal handler that interrupts this may release a nested lock, too.
[[gnu::noinline]] void hand_on(Thread& thread, OmpThread& omp, Lock& lock) {
  if (omp.hands_on) return;
  omp.hands_on = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (omp.polled.since.lock == &lock) omp.polled = {};
  if (is_awaited(lock)) {
    const int64_t now = now_ns();
    settle_time(thread, omp, now);
    lock_left(thread, lock, now);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  omp.hands_on = false;
}

[[gnu::always_inline]] inline void leave(void** user_lock) {
  Thread* const thread = user();
  if (thread == nullptr || !g_come_here.load(std::memory_order_relaxed)) return;
  OmpThread& omp = *omp_thread(*thread);
  omp.locks.add(1);
  const bool timed = omp.locks.get() % kSeldom == 0;
  Lock* const lock = timed ? find_timed(omp, name_of(user_lock))
                           : known_lock(name_of(user_lock));
  if (timed) settle_time(*thread, omp, now_ns());
  if (lock == nullptr) return;
  if (is_awaited(*lock) || omp.polled.since.lock == lock)
    hand_on(*thread, omp, *lock);
}

// How many locks are released and taken by measure(), and how often.
constexpr int kBatches = 8;
constexpr int kLocks = 32;

// Measures how long it takes to release and take a lock, in the runtime alone
// and through this library's entries: the shortest of several batches.  Uses
// the program's own lock, which the thread has just taken.  False: another
// thread has it now.
template <class Test, class Unset, class OwnSet, class OwnUnset>
[[gnu::noinline]] bool measure(OmpThread& omp, Test test, Unset unset,
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
  omp.locks.add(-kBatches * kLocks);
  omp.settled_locks = omp.locks.get();
  g_lock_all_ps.store(least * 1000 / kLocks);
  g_lock_tool_ps.store(std::max<int64_t>(0, least - least_real) * 1000 /
                       kLocks);
  return true;
}

template <class Set>
[[gnu::noinline]] void wait_for(void** user_lock, Set set) {
  Thread* const thread = user();
  Lock* const lock = thread == nullptr ? nullptr : lock_of(name_of(user_lock));
  if (lock == nullptr) return set();
  const LockWait wait = lock_wait_begin(*thread, lock, leave_ns());
  set();
  lock_wait_end(*thread, wait, now_ns());
}

template <class Set, class Test, class Unset, class OwnSet, class OwnUnset>
inline void set(void** user_lock, Set set, Test test, Unset unset,
                OwnSet own_set, OwnUnset own_unset) {
  if (!comes_here()) [[unlikely]]
    return set();
  if (test() == 0) return wait_for(user_lock, set);
  if (g_measured.load(std::memory_order_relaxed)) [[likely]]
    return;
  Thread* const thread = user();
  if (thread == nullptr || g_measured.exchange(true)) return;
  if (!measure(*omp_thread(*thread), test, unset, own_set, own_unset)) {
    wait_for(user_lock, set);
  }
}

// A failed attempt that follows another failed attempt is a wait.
template <class Test>
inline int attempt(void** user_lock, Test test) {
  // The runtime has no event for a failed attempt, so also if its other events
  // are used.
  comes_here();
  Thread* const thread = user();
  if (thread == nullptr) return test();
  OmpThread& omp = *omp_thread(*thread);
  const bool polls = omp.polls;
  const State before = thread->state();
  const int64_t last_ns = thread->last_event_ns();
  if (polls)
    thread->switch_to(State::kOmp, now_ns() - kPollCalls * g_call_outside_ns);
  const int64_t entered_ns = thread->last_event_ns();
  const int depth = test();
  omp.polls = depth == 0;
  if (polls) lock_wait_over(*thread, before, now_ns());
  if (polls && omp.polls) {
    thread->cost.looked_in_vain(entered_ns - last_ns,
                                thread->last_event_ns() - entered_ns);
  }
  if (depth == 0) {
    if (Lock* const lock = lock_of(name_of(user_lock))) {
      attempt_failed(*lock, &omp.polled);
    }
  } else if (omp.polled.since.lock != nullptr) {
    if (known_lock(name_of(user_lock)) == omp.polled.since.lock) {
      attempt_succeeded(*thread, &omp.polled, now_ns());
    }
  }
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
