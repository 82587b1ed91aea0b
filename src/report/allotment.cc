#include "report/allotment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "document/format.h"
#include "report/core_sharing.h"

namespace poprt {
namespace {

// The cores of the job's allotment on which none of its threads may run.
CpuSet unused_on(const JobReport& report, const HostShare& host) {
  if (host.cpus.size() == 0) return {};
  const Topology* const topology = topology_of(report.totals, host);
  return topology == nullptr ? host.allotted.without(host.cpus)
                             : free_cores(*topology, host);
}

// Whether somebody has given these cores to the job: a batch system, or a
// cpuset.
bool is_allotted(const JobReport& report, const HostShare& host) {
  const Topology* const topology = topology_of(report.totals, host);
  return !report.context.job.id.empty() ||
         (topology != nullptr && topology->cpus != host.allotted);
}

// How many cores the threads of a host might use, of those of the job.
int64_t usable_cores(const JobReport& report, const HostShare& host) {
  const CpuSet usable = host.cpus.without(host.cpus.without(host.allotted));
  const Topology* const topology = topology_of(report.totals, host);
  if (topology == nullptr) return usable.size();
  return std::ranges::count_if(
      topology->cores, [&](const CpuSet& core) { return core.meets(usable); });
}

}  // namespace

int64_t cpus_in_slurms_text(const std::string& text) {
  int64_t sum = 0;
  const char* at = text.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const long long cpus = std::strtoll(at, &end, 10);
    if (end == at || cpus <= 0 || cpus > CpuSet::kMost) return 0;
    int64_t hosts = 1;
    at = end;
    if (*at == '(' && at[1] == 'x') {
      hosts = std::strtoll(at + 2, &end, 10);
      if (end == at + 2 || *end != ')' || hosts <= 0 || hosts > 1 << 24) {
        return 0;
      }
      at = end + 1;
    }
    sum += cpus * hosts;
    if (*at == ',' && at[1] != '\0') {
      ++at;
    } else if (*at != '\0') {
      return 0;
    }
  }
  return sum;
}

std::vector<std::string> unused_cores(const JobReport& report) {
  std::vector<std::string> list;
  if (cpus_by_word(report) > 0) return list;
  for (const HostShare& host : report.totals.hosts) {
    const CpuSet unused = unused_on(report, host);
    if (unused.size() == 0 || !is_allotted(report, host)) continue;
    list.push_back(fmt::format("{} of {}", cores_text(unused),
                               shortened(printable(host.name), 30)));
  }
  return list;
}

IdleCores idle_cores(const JobReport& report) {
  IdleCores idle;
  if (cpus_by_word(report) > 0) return idle;
  for (const HostShare& host : report.totals.hosts) {
    const int64_t usable = usable_cores(report, host);
    if (usable <= host.threads || !is_allotted(report, host)) continue;
    idle.usable += usable;
    idle.threads += host.threads;
    idle.hosts.push_back(shortened(printable(host.name), 30));
  }
  return idle;
}

int64_t cpus_by_word(const JobReport& report) {
  const BatchJob& job = report.context.job;
  if (job.nodes != std::to_string(report.totals.hosts.size())) return 0;
  const int64_t cpus = cpus_in_slurms_text(job.cpus_on_nodes);
  int64_t allotted = 0;
  for (const HostShare& host : report.totals.hosts) {
    allotted += host.allotted.size();
  }
  return cpus < allotted ? cpus : 0;
}

}  // namespace poprt
