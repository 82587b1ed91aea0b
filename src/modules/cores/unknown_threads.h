// The time on a core of threads that are not measured, because neither the
// OpenMP runtime nor the program has told of them (pthreads, std::thread, TBB,
// threads of libraries): always, asked for at the start and at the end only.
#ifndef POPRT_MODULES_CORES_UNKNOWN_THREADS_H_
#define POPRT_MODULES_CORES_UNKNOWN_THREADS_H_

#include <map>
#include <vector>

#include "base/options.h"
#include "measure/process.h"
#include "modules/modules.h"

namespace poprt::modules::cores {

// Adds kUnknownThreads and kUnknownThreadsCpu to the totals, or nothing where
// the kernel does not tell.
class UnknownThreads final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>& threads, int64_t now_ns,
              JobTotals* job) const override;
  int64_t overhead_ps(const Thread&) const override { return 0; }
  // Counts from here on.
  void restart(const std::vector<Thread*>& threads) const override;

 private:
  // What was used before. Set by the thread that starts measurement.
  mutable int64_t process_ns_ = -1;
  mutable std::map<const Thread*, int64_t> measured_ns_;
  mutable std::map<int, int64_t> living_ns_;  // by the kernel's number
};

void start_unknown_threads(const Options& options, Started* started);

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_UNKNOWN_THREADS_H_
