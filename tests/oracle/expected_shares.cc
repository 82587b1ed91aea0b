#include <algorithm>
#include <cassert>

#include "oracle/com_paths.h"
#include "oracle/critical_path.h"
#include "oracle/expected.h"

namespace poprt::oracle {
namespace {

int64_t time_in(const ThreadLine& thread, Activity activity,
                const IntervalSet& when) {
  int64_t sum = 0;
  for (const Stretch& s : thread.stretches) {
    if (s.activity == activity) sum += when.overlap(s.begin_ns, s.end_ns);
  }
  return sum;
}

int64_t mpi_time_in(const ThreadLine& thread, const IntervalSet& when) {
  return time_in(thread, Activity::kMpi, when) +
         time_in(thread, Activity::kMpiIo, when);
}

int64_t openmp_time_in(const ThreadLine& thread, const IntervalSet& when) {
  return time_in(thread, Activity::kOmp, when) +
         time_in(thread, Activity::kLockWait, when);
}

ThreadShare share_of(const ThreadLine& thread, const IntervalSet& inside,
                     const IntervalSet& parallel) {
  ThreadShare share;
  share.member = thread.member;
  share.useful_ns = time_in(thread, Activity::kUseful, inside);
  share.mpi_ns = mpi_time_in(thread, inside);
  share.mpi_io_ns = time_in(thread, Activity::kMpiIo, inside);
  share.omp_ns = openmp_time_in(thread, inside);
  share.useful_in_parallel_ns = time_in(thread, Activity::kUseful, parallel);
  share.mpi_in_parallel_ns = mpi_time_in(thread, parallel);
  return share;
}

bool contains(const std::vector<Instance>& visits, const Instance& instance) {
  return std::any_of(visits.begin(), visits.end(), [&](const Instance& visit) {
    return visit.begin_ns <= instance.begin_ns &&
           visit.begin_index < instance.end_index &&
           visit.end_index > instance.end_index;
  });
}

void add_idle_time(const ProcessLine& process, size_t region,
                   ProcessShare* share) {
  const IntervalSet& inside = process.inside[region];
  const IntervalSet serial = inside.without(process.in_parallel);
  const IntervalSet waiting = serial.intersection(process.serial_mpi);
  for (const ThreadLine& thread : process.threads) {
    if (!thread.member) continue;
    share->idle_serial_ns += openmp_time_in(thread, serial);
    share->mpi_worker_idle_ns += openmp_time_in(thread, waiting);
  }
  for (const Instance& instance : process.parallel) {
    IntervalSet whole;
    whole.add(instance.begin_ns, instance.end_ns);
    std::vector<int64_t> busy;
    for (const ThreadLine& thread : process.threads) {
      if (!thread.member) continue;
      busy.push_back(time_in(thread, Activity::kUseful, whole) +
                     mpi_time_in(thread, whole));
      if (!instance.ended || !contains(process.visits[region], instance)) {
        share->idle_load_balance_ns +=
            openmp_time_in(thread, inside.intersection(whole));
      }
    }
    if (!instance.ended || !contains(process.visits[region], instance)) {
      continue;
    }
    const int64_t slowest = *std::max_element(busy.begin(), busy.end());
    for (const int64_t own : busy) {
      share->idle_load_balance_ns += slowest - own;
      share->idle_scheduling_ns += whole.length() - slowest;
    }
  }
}

void add_callers(ProcessShare* share) {
  for (size_t t = 0; t < share->lines.size(); ++t) {
    const ThreadShare& thread = share->lines[t];
    if (t > 0 && (!thread.member || thread.mpi_in_parallel_ns == 0)) continue;
    share->callers_outside_ns.push_back(share->outside_mpi_ns -
                                        thread.mpi_in_parallel_ns);
  }
}

}  // namespace

std::vector<ProcessShare> process_shares(const ExecutionGraph& graph,
                                         int region) {
  const auto r = static_cast<size_t>(region);
  const Waits waits = mpi_waits(graph, region);
  std::vector<ProcessShare> shares;
  for (size_t p = 0; p < graph.processes.size(); ++p) {
    const ProcessLine& process = graph.processes[p];
    const IntervalSet& inside = process.inside[r];
    const IntervalSet parallel = inside.intersection(process.in_parallel);
    ProcessShare& share = shares.emplace_back();
    share.host = graph.history.processes[p].host;
    share.visits = static_cast<int64_t>(process.visits[r].size());
    share.elapsed_ns = inside.length();
    for (const ThreadLine& thread : process.threads) {
      ThreadShare& line =
          share.lines.emplace_back(share_of(thread, inside, parallel));
      const ThreadWaits& thread_waits = waits[p][share.lines.size() - 1];
      line.mpi_waiting_ns = std::min(line.mpi_ns, thread_waits.waiting_ns);
      line.coow_ns = thread_waits.coow_ns;
      if (thread.member) ++share.threads;
    }
    share.serial_ns =
        share.lines[0].useful_ns - share.lines[0].useful_in_parallel_ns;
    share.outside_mpi_ns = inside.without(process.serial_mpi).length();
    add_idle_time(process, r, &share);
    add_callers(&share);
  }

  const CriticalPaths paths(graph, region);
  const std::vector<ComOfProcess> com = com_paths(graph, region);
  for (size_t p = 0; p < shares.size(); ++p) {
    shares[p].com_ns = com[p].process.com_ns;
    shares[p].comp_ns = com[p].process.comp_ns;
    for (size_t t = 0; t < com[p].threads.size(); ++t) {
      shares[p].lines[t].com = com[p].threads[t];
    }
  }
  for (const Scope scope : {Scope::kThread, Scope::kProcess, Scope::kGlobal}) {
    for (const Clock clock : {Clock::kCue, Clock::kCoo, Clock::kAll}) {
      const auto ends = paths.to_threads(clock, scope);
      for (size_t p = 0; p < shares.size(); ++p) {
        for (size_t t = 0; t < shares[p].lines.size(); ++t) {
          shares[p].lines[t].clock_ns[static_cast<int>(scope)]
                                     [static_cast<int>(clock)] = ends[p][t];
        }
      }
    }
  }
  for (ProcessShare& share : shares) {
    int64_t cue = 0;
    int64_t all = 0;
    for (const ThreadShare& line : share.lines) {
      if (!line.member) continue;
      const int64_t* const clocks =
          line.clock_ns[static_cast<int>(Scope::kGlobal)];
      cue = std::max(cue, clocks[static_cast<int>(Clock::kCue)]);
      all = std::max(all, clocks[static_cast<int>(Clock::kAll)]);
      share.coow_ns = std::max(share.coow_ns, line.coow_ns);
    }
    share.coow_ns = std::clamp(share.coow_ns, cue, all);
  }
  return shares;
}

}  // namespace poprt::oracle
