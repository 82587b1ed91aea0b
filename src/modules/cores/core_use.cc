#include "modules/cores/core_use.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <map>
#include <vector>

#include "measure/process.h"
#include "model/quantities.h"
#include "modules/cores/thread_times.h"

namespace poprt::modules::cores {
namespace {

struct CpuTime {
  int64_t user_ns = 0;
  int64_t system_ns = 0;
};

int64_t ns_of(const timeval& time) {
  return (int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1000;
}

CpuTime cpu_time() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return {ns_of(usage.ru_utime), ns_of(usage.ru_stime)};
}

int64_t peak_memory_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

// The cores that the threads of this process may use, together.  A runtime may
// have bound each thread to one of them.
CpuSet allowed(const std::map<int, ThreadTimes>& threads) {
  CpuSet cpus;
  // Machines with more cores than a cpu_set_t has are asked for in vain.
  constexpr int kMostCpus = 16 * CPU_SETSIZE;
  std::vector<cpu_set_t> mask(kMostCpus / CPU_SETSIZE);
  const size_t size = mask.size() * sizeof(cpu_set_t);
  for (const auto& [id, times] : threads) {
    if (sched_getaffinity(id, size, mask.data()) != 0) continue;
    for (int cpu = 0; cpu < kMostCpus; ++cpu) {
      if (CPU_ISSET_S(static_cast<size_t>(cpu), size, mask.data())) {
        cpus.add(cpu);
      }
    }
  }
  return cpus;
}

class CoreUse final : public TotalsPart {
 public:
  void begin() const {
    cpu_ = cpu_time();
    threads_ = thread_times();
  }

  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    const CpuTime now = cpu_time();
    const std::map<int, ThreadTimes> threads = thread_times();
    int64_t waiting = 0;
    for (const auto& [id, times] : threads) {
      const auto before = threads_.find(id);
      waiting += times.waiting_ns;
      if (before != threads_.end()) waiting -= before->second.waiting_ns;
    }
    const CpuSet cpus = allowed(threads);
    const auto set = [&](const Resource& resource, int64_t value) {
      set_amount(resource.name, value, &job->resources);
    };
    set(kUserTime, now.user_ns - cpu_.user_ns);
    set(kSystemTime, now.system_ns - cpu_.system_ns);
    set(kWaitedForCore, waiting);
    set(kPeakMemorySum, peak_memory_bytes());
    set(kPeakMemoryMax, peak_memory_bytes());
    set(kCrowdedProcesses, cpus.size() > 0 && job->threads > cpus.size());
    if (!job->hosts.empty()) {
      job->hosts.front().threads = job->threads;
      job->hosts.front().cpus = cpus;
    }
  }
  int64_t overhead_ps(const Thread&) const override { return 0; }
  void restart(const std::vector<Thread*>&) const override { begin(); }

 private:
  // Set by the thread that starts measurement, before there are others.
  mutable CpuTime cpu_;
  mutable std::map<int, ThreadTimes> threads_;
};

}  // namespace

void start(const Options&, Started* started) {
  auto* const use = new CoreUse;  // lives as long as the process
  use->begin();
  started->parts.push_back(use);
}

}  // namespace poprt::modules::cores
