#include "modules/cores/unknown_threads.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <set>

#include "model/quantities.h"

namespace poprt::modules::cores {
namespace {

// A thread with less work than this is one of those of MPI and other libraries
// that mostly sleep.
constexpr int64_t kLeastNs = 10'000'000;

int64_t process_cpu_ns() {
  timespec time = {};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return -1;
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Of all threads that live now, by the kernel's number.
std::map<int, int64_t> living_threads() {
  std::map<int, int64_t> threads;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return threads;
  while (const dirent* const entry = readdir(tasks)) {
    const int id = std::atoi(entry->d_name);
    if (id > 0) threads[id] = CpuClock::read(id);
  }
  closedir(tasks);
  return threads;
}

// Whether its time is in the figures, or it is one of the OpenMP runtime's own.
bool is_measured(const Thread& thread) {
  return thread.member() || thread.kind() == ThreadKind::kWorker;
}

// The kernel's clock, or the longest time that it can be.
int64_t cpu_ns(const Thread& thread) {
  const int64_t read = thread.cpu.read();
  return read >= 0 ? read : thread.cpu.before_ns() + thread.last_event_ns();
}

}  // namespace

void UnknownThreads::restart(const std::vector<Thread*>& threads) const {
  measured_ns_.clear();
  for (const Thread* const thread : threads) {
    measured_ns_[thread] = cpu_ns(*thread);
  }
  living_ns_ = living_threads();
  process_ns_ = process_cpu_ns();
}

void UnknownThreads::add_to(const std::vector<Thread*>& threads, int64_t,
                            JobTotals* job) const {
  // In the opposite order, so that the threads' own time for this is theirs.
  int64_t others_ns = process_cpu_ns() - process_ns_;
  if (process_ns_ < 0) return;
  std::set<int> measured;
  for (const Thread* const thread : threads) {
    if (!is_measured(*thread)) continue;
    const auto known = measured_ns_.find(thread);
    const int64_t before =
        known != measured_ns_.end() ? known->second : thread->cpu.before_ns();
    others_ns -= std::max<int64_t>(0, cpu_ns(*thread) - before);
    measured.insert(thread->cpu.thread_id());
  }
  int64_t count = 0;
  for (const auto& [id, now_ns] : living_threads()) {
    const auto before = living_ns_.find(id);
    const int64_t before_ns = before == living_ns_.end() ? 0 : before->second;
    if (measured.count(id) == 0 && now_ns - before_ns >= kLeastNs) ++count;
  }
  set_amount(kUnknownThreads.name, count, &job->resources);
  set_amount(kUnknownThreadsCpu.name, std::max<int64_t>(0, others_ns),
             &job->resources);
}

void start_unknown_threads(const Options&, Started* started) {
  auto* const part = new UnknownThreads;  // lives as long as the process
  part->restart({});
  started->parts.push_back(part);
}

}  // namespace poprt::modules::cores
