#include "report/core_use.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/quantities.h"
#include "model/ratio.h"
#include "report/format.h"

namespace poprt {
namespace {

// Less than this is the work of daemons and interrupts.
constexpr double kLeastLack = 0.05;
constexpr size_t kHostsShown = 3;

int64_t resource(const JobReport& report, const Resource& which) {
  return amount(report.totals.resources, which.name);
}

// "node1: 8 threads on 2 cores" for the hosts with more threads than cores.
std::string crowded_hosts(const JobReport& report) {
  std::string list;
  size_t count = 0;
  for (const HostShare& host : report.totals.hosts) {
    const int64_t cores = host.cpus.size();
    if (cores == 0 || host.threads <= cores || ++count > kHostsShown) continue;
    list +=
        fmt::format("{}{}: {} on {}", list.empty() ? "" : ", ",
                    shortened(printable(host.name), 30),
                    counted(host.threads, "thread"), counted(cores, "core"));
  }
  if (count > kHostsShown) {
    list += fmt::format(" and {} more", count - kHostsShown);
  }
  return list;
}

}  // namespace

double waited_share(const JobReport& report) {
  const int64_t core_ns = job_core_ns(report);
  if (core_ns <= 0) return 0;
  return ratio(static_cast<double>(resource(report, kWaitedForCore)),
               static_cast<double>(core_ns));
}

std::string lack_of_cores(const JobReport& report) {
  const double share = waited_share(report);
  if (share < kLeastLack) return "";
  return fmt::format(
      "For {} % of the core time threads could have run but had no core{}: "
      "this is in the useful time and in the losses alike.",
      percent(share),
      crowded_hosts(report).empty() && resource(report, kCrowdedProcesses) == 0
          ? ", because others used it"
          : ", because there are fewer cores than threads");
}

std::vector<std::string> core_notes(const JobReport& report) {
  std::vector<std::string> notes;
  const int64_t crowded = resource(report, kCrowdedProcesses);
  const std::string hosts = crowded_hosts(report);
  if (crowded > 0) {
    notes.push_back(fmt::format(
        "{} of {} had more threads than cores to run on, so that threads took "
        "turns, which shows as OpenMP load imbalance and transfer. Bind to "
        "more "
        "cores (Open MPI: mpirun --map-by slot:PE=THREADS, or --bind-to none; "
        "srun: -c THREADS), or use fewer threads.",
        crowded, counted(report.totals.processes, "process")));
  } else if (!hosts.empty()) {
    notes.push_back("threads took turns on the cores (" + hosts +
                    "): processes were bound to the same cores, or the host "
                    "has fewer than the job needs.");
  }
  return notes;
}

}  // namespace poprt
