// UnknownThreads: the CPU time of threads that are not measured (pthreads,
// std::thread, TBB, threads of libraries).  It is the CPU time of the process
// without that of the measured threads, read at the start and at the end.
// Where the kernel does not tell a measured thread's time any more (CpuClock),
// the thread counts as if it had had a core all the time.  So the time of
// unknown threads is never too long.
#ifndef POPRT_MODULES_CORES_UNKNOWN_THREADS_H_
#define POPRT_MODULES_CORES_UNKNOWN_THREADS_H_

#include <map>
#include <vector>

#include "measure/process.h"
#include "modules/cores/thread_times.h"

namespace poprt::modules::cores {

// `threads`: all of the process.  `now`: thread_times(), read before the call.
class UnknownThreads {
 public:
  // Counts from now on.
  void restart(const std::vector<Thread*>& threads,
               const std::map<int, ThreadTimes>& now);
  // Adds kUnknownThreads and kUnknownThreadsCpu to the totals, each only if the
  // kernel tells it.
  void add_to(const std::vector<Thread*>& threads,
              const std::map<int, ThreadTimes>& now, JobTotals* job) const;
  // Adds kUnknownThreadsCpu only.  A signal handler may call it.
  void add_cpu_to(const std::vector<Thread*>& threads, JobTotals* job) const;

  // Whether an unknown thread lives that was not created between the first and
  // the last restart(), as MPI's own threads are.
  bool has_program_threads(const std::vector<Thread*>& threads,
                           const std::map<int, ThreadTimes>& now) const;
  // Whether unknown threads used kLeastThreadWorkNs since the last restart().
  bool have_worked(const std::vector<Thread*>& threads) const;

 private:
  // The CPU time of unknown threads since the last restart(); -1: not known.
  int64_t cpu_of_others(const std::vector<Thread*>& threads) const;
  // The thread's CPU time at the last restart().
  int64_t used_before(const Thread& thread) const;

  // CPU times at the last restart(): of the process and of its caller.
  int64_t process_ns_ = -1;
  int starter_ = 0;  // the caller's id
  int64_t starter_ns_ = -1;
  std::map<int, ThreadTimes> first_;  // at the first restart(), by id
  std::map<const Thread*, int64_t> measured_ns_;
  std::map<int, ThreadTimes> living_;  // at the last restart(), by id
};

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_UNKNOWN_THREADS_H_
