#include "report/allotment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "document/format.h"
#include "report/core_sharing.h"

namespace poprt {
namespace {

constexpr size_t kAllottedHosts = 3;

// The cores of the job's allotment on which none of its threads may run.
CpuSet unused_cores(const JobReport& report, const HostShare& host) {
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

std::string unused_note(const JobReport& report) {
  std::vector<std::string> list;
  for (const HostShare& host : report.totals.hosts) {
    const CpuSet unused = unused_cores(report, host);
    if (unused.size() == 0 || !is_allotted(report, host)) continue;
    list.push_back(fmt::format("{} of {}", cores_text(unused),
                               shortened(printable(host.name), 30)));
  }
  if (list.empty()) return "";
  return fmt::format(
      "the job had {}, where none of its threads might run: the {} of this "
      "report are those of its threads, and what was not used is in no figure.",
      some_of(list, kAllottedHosts, ", ", "host"),
      counted(report.totals.threads, "core"));
}

// How many cores the threads of a host might use, of those of the job.
int64_t usable_cores(const JobReport& report, const HostShare& host) {
  const CpuSet usable = host.cpus.without(host.cpus.without(host.allotted));
  const Topology* const topology = topology_of(report.totals, host);
  if (topology == nullptr) return usable.size();
  return std::ranges::count_if(
      topology->cores, [&](const CpuSet& core) { return core.meets(usable); });
}

// Cores that had no thread because there are more of them than threads.
std::string idle_note(const JobReport& report) {
  int64_t cores = 0;
  int64_t threads = 0;
  size_t count = 0;
  std::string first;
  for (const HostShare& host : report.totals.hosts) {
    const int64_t usable = usable_cores(report, host);
    if (usable <= host.threads || !is_allotted(report, host)) continue;
    cores += usable;
    threads += host.threads;
    if (++count == 1) first = shortened(printable(host.name), 30);
  }
  if (count == 0) return "";
  const std::string hosts =
      count == 1 ? first : counted(static_cast<int64_t>(count), "host");
  const std::string& each = report.context.job.cpus_per_task;
  return fmt::format(
      "the job's {} on {} could use {} there{}: {} had nothing to do. The {} "
      "of this report are those of its threads, and idle ones are in no "
      "figure; OMP_NUM_THREADS and the number of ranks choose how many are "
      "used.",
      counted(threads, "thread"), hosts, counted(cores, "core"),
      each.empty() ? ""
                   : fmt::format(" ({} gave {} to each task)",
                                 printable(report.context.job.system),
                                 shortened(printable(each), 10)),
      counted(cores - threads, "core"), counted(report.totals.threads, "core"));
}

// The processors that the batch system says it has given to the hosts of this
// job, if no cpuset shows it; else 0.
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

std::string note_by_word(const JobReport& report, int64_t cpus) {
  const int64_t threads = report.totals.threads;
  if (threads == cpus) return "";
  return fmt::format(
      "{} gave the job {} on its hosts, and it has {}; nothing keeps it to "
      "them (no cpuset), so which they were is not known.",
      printable(report.context.job.system), counted(cpus, "processor"),
      counted(threads, "thread"));
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

std::vector<std::string> allotment_notes(const JobReport& report) {
  std::vector<std::string> notes;
  if (const int64_t cpus = cpus_by_word(report); cpus > 0) {
    notes.push_back(note_by_word(report, cpus));
  } else {
    notes = {unused_note(report), idle_note(report)};
  }
  std::erase(notes, "");
  return notes;
}

}  // namespace poprt
