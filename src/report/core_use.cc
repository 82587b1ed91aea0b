#include "report/core_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/judge.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "report/allotment.h"
#include "report/core_sharing.h"
#include "report/job_numbers.h"
#include "report/misplaced_memory.h"

namespace poprt {
namespace {

// Less than this is the work of daemons and interrupts.
constexpr double kLeastLack = 0.05;
constexpr double kHardlyWaited = 0.01;
constexpr size_t kHostsShown = 3;
constexpr char kHowToBind[] =
    " (Open MPI: mpirun --map-by slot:PE=THREADS; srun: --cpu-bind=cores; "
    "OMP_PLACES=cores)";

int64_t resource(const JobReport& report, const Resource& which) {
  return amount(report.totals.resources, which.name);
}

// "node1: 8 threads on 2 cores" for the hosts with more threads than cores.
std::string crowded_hosts(const JobReport& report) {
  std::vector<std::string> list;
  for (const HostShare& host : report.totals.hosts) {
    const int64_t cores = host.cpus.size();
    if (cores == 0 || host.threads <= cores) continue;
    list.push_back(
        fmt::format("{}: {} on {}", shortened(printable(host.name), 30),
                    counted(host.threads, "thread"), counted(cores, "core")));
  }
  return some_of(list, kHostsShown);
}

// What all hosts give the threads of the job, in cores of this kind or of a
// quota, which is less.  0: one of them does not tell.
double cores_of(const JobReport& report, CpuSet HostShare::*which) {
  double cores = 0;
  for (const HostShare& host : report.totals.hosts) {
    const auto own = static_cast<double>((host.*which).size());
    const int64_t quota = host.quota.millicores;
    if (own == 0 || quota == CpuQuota::kUnlike) return 0;
    cores +=
        quota == 0 ? own : std::min(own, static_cast<double>(quota) / 1000);
  }
  return cores;
}

bool has_quota(const JobReport& report) {
  return std::ranges::any_of(report.totals.hosts, [](const HostShare& host) {
    return host.quota.millicores != 0;
  });
}

// Whether ranks have to share a core although others may be free.
bool have_common_cores(const JobReport& report) {
  return resource(report, kCrowdedProcesses) > 0 ||
         !shared_cores(report, false).empty();
}

// How many cores the threads of the job used or waited for at a time, in the
// mean. NaN: not known.
double wanted_cores(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return kUndefined;
  double ns = 0;
  for (const Resource* each : {&kUserTime, &kSystemTime, &kWaitedForCore}) {
    ns += known_amount(report.totals.resources, each->name);
  }
  return ratio(ns, static_cast<double>(global->totals.elapsed_max_ns));
}

// Useful time in which certainly no thread was on a core, nor waited for one.
std::string slept_note(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr ||
      !has_amount(report.totals.resources, kUserTime.name)) {
    return "";
  }
  const auto useful = static_cast<double>(global->totals.useful_sum_ns);
  const double share =
      ratio(useful - static_cast<double>(resource(report, kUserTime) +
                                         resource(report, kSystemTime) -
                                         resource(report, kUnknownThreadsCpu) +
                                         resource(report, kWaitedForCore)),
            useful);
  if (!(share >= kLeastLack)) return "";
  return fmt::format(
      "in at least {} % of the useful time threads neither had a core nor "
      "waited for one: they slept, or waited for a file, a device or another "
      "program.",
      percent(share));
}

}  // namespace

std::string why_no_core(const JobReport& report) {
  const double wanted = wanted_cores(report);
  const double cores = cores_of(report, &HostShare::cpus);
  if (cores == 0) return "";
  if (static_cast<double>(report.totals.threads) <= cores &&
      !have_common_cores(report)) {
    return ", because others used it";
  }
  return wanted > (1 + kLeastLack) * cores
             ? fmt::format(
                   ", because its threads wanted {:.1f} cores at a time and "
                   "may "
                   "use {:.3g}{}",
                   wanted, cores,
                   has_quota(report) ? " (a quota of their cgroup)" : "")
             : "";
}

std::string how_to_get_cores(const JobReport& report) {
  const double cores = cores_of(report, &HostShare::cpus);
  const double allotted = cores_of(report, &HostShare::allotted);
  const auto threads = static_cast<double>(report.totals.threads);
  if (threads > cores && threads > allotted) {
    const auto most = static_cast<int64_t>(std::max(cores, allotted));
    if (most == 0) return cores > 0 ? "Ask for more cores." : "";
    const std::string threads_text = counted(most, "thread");
    return wanted_cores(report) <= static_cast<double>(most)
               ? fmt::format(
                     "Run where nothing else runs, or use at most {} "
                     "in all.",
                     threads_text)
               : fmt::format("Use at most {} in all, or ask for more cores.",
                             threads_text);
  }
  return threads > cores || have_common_cores(report)
             ? fmt::format(
                   "Bind each thread to a core of its own of the {:.0f} "
                   "that the job may use{}.",
                   std::max(cores, allotted), kHowToBind)
             : "Run where nothing else runs.";
}

std::vector<std::string> core_notes(const JobReport& report) {
  std::vector<std::string> notes;
  // Those that sleep do not take turns.
  const bool took_turns = !(waited_for_core(report) < kHardlyWaited);
  const int64_t crowded = resource(report, kCrowdedProcesses);
  const std::string hosts = crowded_hosts(report);
  if (crowded > 0 && took_turns) {
    notes.push_back(fmt::format(
        "{} of {} had more threads than cores to run on, so that threads took "
        "turns, which makes useful time longer, or shows as OpenMP load "
        "imbalance and transfer. {}",
        crowded, counted(report.totals.processes, "process"),
        how_to_get_cores(report)));
  }
  const std::vector<std::string> shared =
      took_turns ? shared_cores(report, crowded > 0)
                 : std::vector<std::string>();
  for (size_t i = 0; i < std::min(shared.size(), kHostsShown); ++i) {
    notes.push_back(shared[i] + ": their threads take turns there. " +
                    how_to_get_cores(report));
  }
  if (shared.size() > kHostsShown) {
    notes.push_back(fmt::format(
        "{} more groups of ranks may use only the same cores: run.hosts of the "
        "run file has them.",
        shared.size() - kHostsShown));
  }
  if (notes.empty() && !hosts.empty()) {
    notes.push_back("there were more threads than cores that they might use (" +
                    hosts + ").");
  }
  for (std::string note : sibling_notes(report)) {
    notes.push_back(std::move(note));
  }
  for (std::string note : allotment_notes(report)) {
    notes.push_back(std::move(note));
  }
  for (std::string note : {misplaced_memory(report), slept_note(report)}) {
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::vector<std::string> host_facts(const JobReport& report) {
  const JobTotals& totals = report.totals;
  if (totals.topologies.empty()) return {};
  if (totals.topologies.size() > 1) {
    return {counted(static_cast<int64_t>(totals.topologies.size()), "kind") +
            " of hosts"};
  }
  const Topology& topology = totals.topologies.front();
  const auto count = [](const std::vector<CpuSet>& parts, const char* noun) {
    return counted(static_cast<int64_t>(parts.size()), noun);
  };
  std::string parts = count(topology.sockets, "socket") + ", " +
                      count(topology.numa_nodes, "NUMA node") + ", " +
                      count(topology.cores, "core");
  if (topology.cpus.size() > static_cast<int64_t>(topology.cores.size())) {
    parts += fmt::format(" ({} hardware threads)", topology.cpus.size());
  }
  const CpuSet& used = totals.hosts.front().cpus;
  const bool alike = std::ranges::all_of(
      totals.hosts, [&](const HostShare& host) { return host.cpus == used; });
  std::vector<std::string> facts = {
      topology.cpu_model.empty() ? "host"
                                 : shortened(printable(topology.cpu_model), 30),
      parts};
  if (alike && used.size() > 0) {
    facts.push_back(used == topology.cpus ? "all may be used"
                                          : "used: " + cores_text(used));
  }
  return facts;
}

}  // namespace poprt
