// The time on a core of threads that are not measured, because neither the
// OpenMP runtime nor the program has told of them (pthreads, std::thread, TBB,
// threads of libraries): always, asked for at the start and at the end only.
// It is the CPU time of the process without that of the measured threads.
// Where the kernel has forgotten a measured thread's time (CpuClock), the
// thread counts as if it had had a core all the time: the others never get too
// much.
#ifndef POPRT_MODULES_CORES_UNKNOWN_THREADS_H_
#define POPRT_MODULES_CORES_UNKNOWN_THREADS_H_

#include <map>
#include <vector>

#include "measure/process.h"
#include "modules/cores/thread_times.h"

namespace poprt::modules::cores {

// `now`: what the kernel says of all threads, read before.
class UnknownThreads {
 public:
  // Counts from here on.
  void restart(const std::vector<Thread*>& threads,
               const std::map<int, ThreadTimes>& now);
  // Adds kUnknownThreads and kUnknownThreadsCpu to the totals, or nothing where
  // the kernel does not tell.
  void add_to(const std::vector<Thread*>& threads,
              const std::map<int, ThreadTimes>& now, JobTotals* job) const;
  // The latter only, which also a signal handler may do.
  void add_cpu_to(const std::vector<Thread*>& threads, JobTotals* job) const;

  // Whether any lives that MPI has not made when it started, between the first
  // and the last restart().
  bool has_program_threads(const std::vector<Thread*>& threads,
                           const std::map<int, ThreadTimes>& now) const;
  // Whether they used kLeastThreadWorkNs since the last restart().
  bool have_worked(const std::vector<Thread*>& threads) const;

 private:
  // What they used since; -1 if the kernel does not tell.
  int64_t cpu_of_others(const std::vector<Thread*>& threads) const;
  // The thread's time on a core at the last restart(), in ns.
  int64_t used_before(const Thread& thread) const;

  // What was used before.
  int64_t process_ns_ = -1;
  int starter_ = 0;  // the thread that called restart(), by the kernel's number
  int64_t starter_ns_ = -1;
  std::map<int, ThreadTimes> first_;  // those that lived at the first restart()
  std::map<const Thread*, int64_t> measured_ns_;
  std::map<int, ThreadTimes> living_;  // by the kernel's number
};

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_UNKNOWN_THREADS_H_
