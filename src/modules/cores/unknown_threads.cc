#include "modules/cores/unknown_threads.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "model/quantities.h"
#include "modules/modules.h"

namespace poprt::modules::cores {
namespace {

// Members are in the figures; other workers are the OpenMP runtime's own.
bool is_measured(const Thread& thread) {
  return thread.member() || thread.kind() == ThreadKind::kWorker;
}

// The thread's CPU time, or the longest possible if the kernel forgot it.
int64_t cpu_ns(const Thread& thread) {
  const int64_t read = thread.cpu.read();
  return read >= 0 ? read : thread.cpu.before_ns() + thread.last_event_ns();
}

std::set<int> measured_of(const std::vector<Thread*>& threads) {
  std::set<int> measured;
  for (const Thread* const thread : threads) {
    if (is_measured(*thread)) measured.insert(thread->cpu.thread_id());
  }
  return measured;
}

}  // namespace

void UnknownThreads::restart(const std::vector<Thread*>& threads,
                             const std::map<int, ThreadTimes>& now) {
  measured_ns_.clear();
  for (const Thread* const thread : threads) {
    measured_ns_[thread] = cpu_ns(*thread);
  }
  if (process_ns_ < 0) first_ = now;
  living_ = now;
  starter_ = gettid();
  starter_ns_ = CpuClock::read(starter_);
  process_ns_ = CpuClock::read_process();
}

void UnknownThreads::add_to(const std::vector<Thread*>& threads,
                            const std::map<int, ThreadTimes>& now,
                            JobTotals* job) const {
  add_cpu_to(threads, job);
  // `now` is never empty if the kernel tells, because this thread lives.
  if (process_ns_ < 0 || now.empty()) return;
  const std::set<int> measured = measured_of(threads);
  int64_t count = 0;
  for (const auto& [id, times] : now) {
    const auto before = living_.find(id);
    const int64_t before_ns =
        before == living_.end() ? 0 : before->second.on_core_ns;
    if (measured.count(id) == 0 &&
        times.on_core_ns - before_ns >= kLeastThreadWorkNs) {
      ++count;
    }
  }
  set_amount(kUnknownThreads.name, count, &job->resources);
}

bool UnknownThreads::has_program_threads(
    const std::vector<Thread*>& threads,
    const std::map<int, ThreadTimes>& now) const {
  const std::set<int> measured = measured_of(threads);
  return std::ranges::any_of(now, [&](const auto& each) {
    const int id = each.first;
    const bool is_of_mpi = living_.contains(id) && !first_.contains(id);
    return !measured.contains(id) && !is_of_mpi;
  });
}

int64_t UnknownThreads::used_before(const Thread& thread) const {
  const auto known = measured_ns_.find(&thread);
  if (known != measured_ns_.end()) return known->second;
  // After restart() its caller starts the counters before the first event.
  const bool is_starter =
      starter_ns_ >= 0 && thread.cpu.thread_id() == starter_;
  // The kernel may have given the caller's id to another thread since.
  return is_starter ? std::min(starter_ns_, thread.cpu.before_ns())
                    : thread.cpu.before_ns();
}

int64_t UnknownThreads::cpu_of_others(
    const std::vector<Thread*>& threads) const {
  if (process_ns_ < 0) return -1;
  // The process first, so that the time for reading the threads is not counted.
  int64_t others_ns = CpuClock::read_process() - process_ns_;
  for (const Thread* const thread : threads) {
    if (!is_measured(*thread)) continue;
    const int64_t before = used_before(*thread);
    others_ns -= std::max<int64_t>(0, cpu_ns(*thread) - before);
  }
  return std::max<int64_t>(0, others_ns);
}

void UnknownThreads::add_cpu_to(const std::vector<Thread*>& threads,
                                JobTotals* job) const {
  const int64_t others_ns = cpu_of_others(threads);
  if (others_ns < 0) return;
  set_amount(kUnknownThreadsCpu.name, others_ns, &job->resources);
}

bool UnknownThreads::have_worked(const std::vector<Thread*>& threads) const {
  return cpu_of_others(threads) >= kLeastThreadWorkNs;
}

}  // namespace poprt::modules::cores
