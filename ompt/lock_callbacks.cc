#include "ompt/callbacks.h"
#include "ompt/event.h"
#include "ompt/lock_calls.h"
#include "openmp/locks.h"

namespace poprt::ompt {
namespace {

bool is_known(ompt_mutex_t kind) {
  return kind <= ompt_mutex_test_nest_lock && locks_come_here();
}

uint64_t loops_of(const Thread& thread) {
  const OmpThread* const omp = omp_thread(thread);
  return omp == nullptr ? 0 : omp->loops;
}

}  // namespace

Lock* lock_or_turns(ompt_mutex_t kind, ompt_wait_id_t wait_id) {
  const Thread* const thread = t_thread;
  return lock_of(kind == ompt_mutex_ordered && thread != nullptr
                     ? name_of_loop(wait_id, loops_of(*thread))
                     : wait_id);
}

namespace {

void on_mutex_acquire(ompt_mutex_t kind, unsigned, unsigned,
                      ompt_wait_id_t wait_id, const void*) {
  // An attempt does not wait, and no event follows if it fails.
  if (kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock) return;
  if (is_known(kind)) return;
  Event event;
  if (!event) return;
  if (kind == ompt_mutex_ordered) {
    return turn_wait(event.thread(), event.now_ns());
  }
  lock_acquire(event.thread(), lock_of(wait_id), event.now_ns());
}

[[gnu::noinline]] void acquired_without_lock() {
  Event event;
  if (event) lock_again(event.thread(), event.now_ns());
}

void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void*) {
  if (is_known(kind) || !measuring()) return;
  Lock* const lock = lock_or_turns(kind, wait_id);
  if (lock == nullptr) [[unlikely]]
    return acquired_without_lock();
  lock_settle(*lock);
  Event event;
  if (!event) return;
  if (kind == ompt_mutex_ordered) {
    turn_begin(event.thread(), *lock, loops_of(event.thread()), event.now_ns());
  } else {
    lock_acquired(event.thread(), *lock, event.now_ns());
  }
}

void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void*) {
  if (is_known(kind)) return;
  Event event;
  if (!event) return;
  Lock* const lock = lock_or_turns(kind, wait_id);
  if (lock == nullptr) [[unlikely]] {
    event.thread().book(event.now_ns());
    return;
  }
  if (kind == ompt_mutex_ordered) {
    turn_end(event.thread(), *lock, loops_of(event.thread()), event.now_ns());
  } else {
    lock_released(event.thread(), *lock, event.now_ns());
  }
}

void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t, const void*) {
  if (endpoint != ompt_scope_begin || locks_come_here()) return;
  Event event;
  if (event) lock_again(event.thread(), event.now_ns());
}

void on_lock_destroy(ompt_mutex_t, ompt_wait_id_t wait_id, const void*) {
  Event event;
  if (!event) return;
  event.thread().book(event.now_ns());
  forget_lock(wait_id);
}

// omp_control_tool(): "start" opens the region Pcontrol, "pause" and "end"
// close it, like MPI_Pcontrol().
int on_control_tool(uint64_t command, uint64_t, void*, const void*) {
  constexpr uint64_t kStart = 1;
  constexpr uint64_t kPause = 2;
  constexpr uint64_t kEnd = 4;
  if (command != kStart && command != kPause && command != kEnd) return 0;
  Event event;
  if (!event) return 0;
  Thread& thread = event.thread();
  if (!thread.process().selects_region("Pcontrol")) return 0;
  thread.book(event.now_ns());
  if (command == kStart) {
    thread.process().region_start(thread, "Pcontrol");
  } else {
    thread.process().region_stop(thread, "Pcontrol");
  }
  return 0;
}

}  // namespace

std::vector<Registration> mutex_callbacks() {
  return {
      callback<ompt_callback_mutex_acquire_t>(
          ompt_callback_mutex_acquire, on_mutex_acquire, "mutex_acquire"),
      callback<ompt_callback_mutex_t>(ompt_callback_mutex_acquired,
                                      on_mutex_acquired, "mutex_acquired"),
      callback<ompt_callback_mutex_t>(ompt_callback_mutex_released,
                                      on_mutex_released, "mutex_released"),
      callback<ompt_callback_nest_lock_t>(ompt_callback_nest_lock, on_nest_lock,
                                          "nest_lock"),
  };
}

std::vector<Registration> lock_callbacks() {
  return {
      callback<ompt_callback_mutex_t>(ompt_callback_lock_destroy,
                                      on_lock_destroy, "lock_destroy"),
      callback<ompt_callback_control_tool_t>(ompt_callback_control_tool,
                                             on_control_tool, "control_tool"),
  };
}

}  // namespace poprt::ompt
