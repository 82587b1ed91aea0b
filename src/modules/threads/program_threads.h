// ProgramThreads: the states and clocks of the program's own threads (pthreads,
// std::thread, C11), with POPRT_THREADS=all.
//
// A Thread stands for a core.  A thread of the program takes a free core
// (Process::take_core()), or a new one, when it begins, and gives the core back
// when it ends.  A core without a thread is idle.
//
// Each function with a time is an event of its thread.
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
  // How many of the threads that live at once are measured.
  static constexpr int kMostCores = 4096;

  constexpr ProgramThreads() = default;
  ProgramThreads(const ProgramThreads&) = delete;
  ProgramThreads& operator=(const ProgramThreads&) = delete;

  // `creator` is about to create a thread and stores its clocks in `created`.
  void creates(Thread& creator, SyncClock& created, int64_t now_ns);
  // The thread could not be created.
  void not_created(Thread& creator, int64_t now_ns);
  // Called on the new thread, which has no Thread yet.  Returns its core, or
  // null if there are too many.  `process`: the creator's.
  Thread* begins(Process& process, const SyncClock& created, int64_t now_ns);
  // The thread ends and stores its clocks in `ended`, if that is not null, for
  // the thread that joins it.
  void ends(Thread& core, Lock* ended, int64_t now_ns);
  void give_back(Thread& core);

  // A wait for an object; null: not known.  The thread is in the state OpenMP
  // until the wait ends.  `merges`: the thread got what it waited for, and
  // merges the clocks that others have left at the object.
  LockWait wait_begins(Thread& thread, Lock* object, int64_t now_ns);
  void wait_ends(Thread& thread, const LockWait& wait, bool merges,
                 int64_t now_ns);
  // Merges the clocks at the object without a wait.
  void takes(Thread& thread, Lock& object, int64_t now_ns);
  // The thread lets others go on and leaves its clocks at the object.
  void lets_go(Thread& thread, Lock& object, int64_t now_ns);

  // As wait_ends(), for a mutex: the report counts it as a wait for a lock.
  void mutex_wait_ends(Thread& thread, const LockWait& wait, bool taken,
                       int64_t now_ns);
  // A wait for a condition has ended, and the thread has its mutex again.  If
  // another thread let the mutex go after the signal, its clocks are merged.
  void mutex_is_back(Thread& thread, const LockWait& for_mutex,
                     const LockWait& for_signal);

  // How many threads were measured, and how many cores were added for them.
  int64_t begun() const { return begun_.load(std::memory_order_relaxed); }
  int64_t cores() const { return cores_.load(std::memory_order_relaxed); }

 private:
  void settle(Thread& thread);
  Thread* take_core(Process& process, int64_t now_ns);

  std::atomic<int64_t> begun_{0};
  std::atomic<int64_t> alive_{0};  // threads that live or are being created
  std::atomic<int64_t> cores_{0};
  // Whether the primary thread counts as inside a parallel region, because
  // other threads live.  Used by the primary thread only.
  bool in_parallel_ = false;
};

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_PROGRAM_THREADS_H_
