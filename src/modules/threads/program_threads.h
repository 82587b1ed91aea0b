// What the program's own threads (pthreads, std::thread, C11) mean for the
// states and clocks of cores, where they are measured (POPRT_THREADS=all).
//
// A Thread is a core here: a thread of the program takes one that no other has
// (Process::take_core()), or a new one, when it begins, and gives it back at
// its end.  A core without a thread is idle.
//
// As in openmp/tasking.h, nothing here depends on how events are found, and
// time is an argument.  Each function with a time is an event of its thread.
#ifndef POPRT_MODULES_THREADS_PROGRAM_THREADS_H_
#define POPRT_MODULES_THREADS_PROGRAM_THREADS_H_

#include <atomic>
#include <cstdint>

#include "clocks/sync_clock.h"
#include "measure/process.h"
#include "measure/thread.h"
#include "openmp/locks.h"

namespace poprt::modules::threads {

// The program's threads of one process.  Thread-safe.
class ProgramThreads {
 public:
  // More threads than this at once are not measured.
  static constexpr int kMostCores = 4096;

  constexpr ProgramThreads() = default;
  ProgramThreads(const ProgramThreads&) = delete;
  ProgramThreads& operator=(const ProgramThreads&) = delete;

  // `creator` is about to create a thread: its clocks go to `created`.
  void creates(Thread& creator, SyncClock& created, int64_t now_ns);
  // It could not be created.
  void not_created(Thread& creator, int64_t now_ns);
  // On the new thread, which has no Thread yet: its core, or null if there are
  // too many.  `process` is that of the creator.
  Thread* begins(Process& process, const SyncClock& created, int64_t now_ns);
  // The thread ends; who joins it merges `ended`, which may be null.
  void ends(Thread& core, Lock* ended, int64_t now_ns);
  // Nothing of the thread will use its core any more.
  void give_back(Thread& core);

  // A thread waits: it is idle in between, as in an OpenMP runtime.
  LockWait wait_begins(Thread& thread, Lock* object, int64_t now_ns);
  // Null: the object is not known.  `merges`: it did not wait in vain, so it
  // depends on those that let the object go.
  void wait_ends(Thread& thread, const LockWait& wait, bool merges,
                 int64_t now_ns);
  // It depends on them without a wait.
  void takes(Thread& thread, Lock& object, int64_t now_ns);
  // The thread lets others go on: its clocks are added to the object's.
  void lets_go(Thread& thread, Lock& object, int64_t now_ns);

  // A wait for a mutex, which is a wait for a lock in the report.
  void mutex_wait_ends(Thread& thread, const LockWait& wait, bool taken,
                       int64_t now_ns);
  // A wait for a condition has ended, and the thread has its mutex again.  It
  // has waited for who let that go after the last signal.
  void mutex_is_back(Thread& thread, const LockWait& for_mutex,
                     const LockWait& for_signal);

  // How many threads were measured, and how many cores were added for them.
  int64_t begun() const { return begun_.load(std::memory_order_relaxed); }
  int64_t cores() const { return cores_.load(std::memory_order_relaxed); }

 private:
  void settle(Thread& thread);
  Thread* take_core(Process& process, int64_t now_ns);

  std::atomic<int64_t> begun_{0};
  std::atomic<int64_t> alive_{0};  // and those that are about to begin
  std::atomic<int64_t> cores_{0};
  // Whether the primary thread counts as inside a parallel region because other
  // threads live.  Used by the primary thread only.
  bool in_parallel_ = false;
};

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_PROGRAM_THREADS_H_
