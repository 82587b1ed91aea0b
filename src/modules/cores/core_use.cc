#include "modules/cores/core_use.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "base/kept_environment.h"
#include "base/kernel_text.h"
#include "base/launched.h"
#include "base/usage_time.h"
#include "code_places/helper_process.h"
#include "measure/events.h"
#include "measure/process.h"
#include "model/quantities.h"
#include "model/topology_text.h"
#include "modules/cores/bindings.h"
#include "modules/cores/cgroup.h"
#include "modules/cores/numa_memory.h"
#include "modules/cores/thread_times.h"
#include "modules/cores/unknown_threads.h"

namespace poprt::modules::cores {
namespace {

// hwloc takes some milliseconds, and longer where all cores compute.
constexpr int64_t kTopologyBudgetNs = 2'000'000'000;

// What the kernel counts for the process.
struct Usage {
  int64_t user_ns = 0;
  int64_t system_ns = 0;
  int64_t voluntary_switches = 0;
  int64_t involuntary_switches = 0;
  int64_t peak_memory_bytes = 0;
  int64_t children_ns = 0;  // on a core, of the program's that were waited for
};

Usage usage_now() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  rusage children = {};
  getrusage(RUSAGE_CHILDREN, &children);
  return {
      ns_of(usage.ru_utime),           ns_of(usage.ru_stime),
      int64_t{usage.ru_nvcsw},         int64_t{usage.ru_nivcsw},
      int64_t{usage.ru_maxrss} * 1024, cpu_ns_of(children) - helpers_cpu_ns()};
}

// The second number of /proc/self/statm, in pages.  -1: not known, as where no
// descriptor is left, or /proc is not there.
int64_t resident_memory_bytes() {
  const std::string text = kernel_text("/proc/self/statm");
  const size_t space = text.find(' ');
  if (space == std::string::npos) return -1;
  return std::strtoll(text.c_str() + space, nullptr, 10) *
         int64_t{sysconf(_SC_PAGESIZE)};
}

// Where a thread may run.
CpuSet allowed(int64_t thread) {
  CpuSet cpus;
  // Machines with more cores than a cpu_set_t has are asked for in vain.
  constexpr int kMostCpus = 16 * CPU_SETSIZE;
  std::vector<cpu_set_t> mask(kMostCpus / CPU_SETSIZE);
  const size_t size = mask.size() * sizeof(cpu_set_t);
  if (sched_getaffinity(static_cast<pid_t>(thread), size, mask.data()) != 0) {
    return cpus;
  }
  for (int cpu = 0; cpu < kMostCpus; ++cpu) {
    if (CPU_ISSET_S(static_cast<size_t>(cpu), size, mask.data())) cpus.add(cpu);
  }
  return cpus;
}

class CoreUse final : public TotalsPart {
 public:
  void restart(const std::vector<Thread*>& threads) const override {
    usage_ = usage_now();
    times_ = thread_times();
    ended_before_ns_ = waited_of_ended_ns(threads);
    unknown_.restart(threads, times_);
  }

  void add_to(const std::vector<Thread*>& threads, int64_t,
              JobTotals* job) const override {
    std::vector<CpuSet> bound;
    ProcessPlace place;
    for (const Thread* thread : threads) {
      const int64_t id = thread->cpu.thread_id();
      if (!thread->member() || id == 0) continue;
      CpuSet cpus = allowed(id);
      place.cpus.add(cpus);
      if (const int cpu = last_cpu(id); cpu >= 0) place.ran_on.add(cpu);
      if (cpus.size() > 0) bound.push_back(std::move(cpus));
    }
    const Usage usage = usage_now();
    const std::map<int, ThreadTimes> times = thread_times();
    add_resources(place.cpus, usage, job);
    add_waited(
        threads,
        [&](int id) {
          const auto its = times.find(id);
          return its == times.end() ? -1 : its->second.waited_ns;
        },
        job);
    unknown_.add_to(threads, times, job);
    std::vector<NumaMemory> memory = place_memory(bound, job);
    if (!job->hosts.empty()) {
      HostShare& host = job->hosts.front();
      host.cpus = place.cpus;
      host.quota = cpu_quota("");
      host.users = core_users(std::move(bound));
      host.peak_memory_sum_bytes = usage.peak_memory_bytes;
      host.numa_memory = std::move(memory);
      if (is_first_on_host(kept_variable)) describe_host(&host, job);
    }
    job->places = {std::move(place)};
  }

  void add_while_running(const std::vector<Thread*>& threads, int64_t,
                         JobTotals* job) const override {
    CpuSet cpus;
    for (const Thread* thread : threads) {
      const int64_t id = thread->cpu.thread_id();
      if (thread->member() && id != 0) cpus.add(allowed(id));
    }
    add_resources(cpus, usage_now(), job);
    add_waited(threads, waited_until_now_ns, job);
    unknown_.add_cpu_to(threads, job);
    if (!job->hosts.empty()) {
      job->hosts.front().cpus = std::move(cpus);
      job->hosts.front().quota = cpu_quota("");
    }
  }

  bool has_unknown_threads() const {
    const std::vector<Thread*> threads = measured_process().threads().all();
    return unknown_.has_program_threads(threads, thread_times()) ||
           unknown_.have_worked(threads);
  }

 private:
  static int64_t waited_of_ended_ns(const std::vector<Thread*>& threads) {
    int64_t waited = 0;
    for (const Thread* const thread : threads) {
      if (thread->member()) waited += thread->cpu.waited_of_ended_ns();
    }
    return waited;
  }

  // Nothing where the kernel does not tell.  The wait of a thread that is not
  // measured is in no figure.  `now_of(thread)` is as waited_until_now_ns().
  template <class NowOf>
  void add_waited(const std::vector<Thread*>& threads, NowOf now_of,
                  JobTotals* job) const {
    // This one certainly has had a core.
    if (now_of(gettid()) < 0) return;
    int64_t waited = waited_of_ended_ns(threads) - ended_before_ns_;
    for (const Thread* const thread : threads) {
      // The kernel may have given the number of one that ended to another.
      if (!thread->member() || thread->cpu.stopped()) continue;
      const int id = thread->cpu.thread_id();
      const int64_t now_ns = id == 0 ? -1 : now_of(id);
      if (now_ns < 0) continue;
      const auto before = times_.find(id);
      waited += now_ns - (before == times_.end()
                              ? 0
                              : std::max<int64_t>(0, before->second.waited_ns));
    }
    set_amount(kWaitedForCore.name, waited, &job->resources);
  }

  void add_resources(const CpuSet& cpus, const Usage& now,
                     JobTotals* job) const {
    const auto set = [&](const Resource& resource, int64_t value) {
      set_amount(resource.name, value, &job->resources);
    };
    set(kUserTime, now.user_ns - usage_.user_ns);
    set(kSystemTime, now.system_ns - usage_.system_ns);
    set(kVoluntarySwitches, now.voluntary_switches - usage_.voluntary_switches);
    set(kInvoluntarySwitches,
        now.involuntary_switches - usage_.involuntary_switches);
    set(kChildrenCpu, now.children_ns - usage_.children_ns);
    const int64_t memory = resident_memory_bytes();
    if (memory >= 0) {
      set(kMemorySum, memory);
      set(kMemoryMax, memory);
    }
    set(kPeakMemorySum, now.peak_memory_bytes);
    set(kPeakMemoryMax, now.peak_memory_bytes);
    set(kCrowdedProcesses, cpus.size() > 0 && job->threads > cpus.size());
  }

  // Where the memory is, and how much of it is not where the threads are.
  static std::vector<NumaMemory> place_memory(const std::vector<CpuSet>& bound,
                                              JobTotals* job) {
    const std::vector<NumaNode> nodes = numa_nodes("");
    if (nodes.size() < 2) return {};
    std::vector<NumaMemory> memory = numa_memory();
    if (memory.empty()) return memory;
    const MemoryPlacement placement = placement_of(memory, nodes, bound);
    set_amount(kPlacedMemory.name, placement.all_bytes, &job->resources);
    set_amount(kMisplacedMemory.name, placement.misplaced_bytes,
               &job->resources);
    return memory;
  }

  static void describe_host(HostShare* host, JobTotals* job) {
    host->allotted = allotted_cpus("");
    const std::string helper = helper_program("poprt-topology");
    if (helper.empty()) return;
    Topology topology =
        parse_topology(output_of(helper, {}, kTopologyBudgetNs));
    if (topology.id.empty()) return;
    host->topology = topology.id;
    job->topologies = {std::move(topology)};
  }

  // Set by the thread that starts measurement, before there are others.
  mutable Usage usage_;
  mutable std::map<int, ThreadTimes> times_;
  mutable int64_t ended_before_ns_ = 0;
  mutable UnknownThreads unknown_;
};

std::atomic<const CoreUse*> g_use{nullptr};

}  // namespace

void start(const Options&, Started* started) {
  auto* const use = new CoreUse;  // lives as long as the process
  use->restart({});
  started->parts.push_back(use);
  g_use.store(use);
}

bool has_unknown_threads() {
  const CoreUse* const use = g_use.load();
  return use != nullptr && use->has_unknown_threads();
}

}  // namespace poprt::modules::cores
