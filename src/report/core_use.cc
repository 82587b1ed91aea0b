#include "report/core_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "document/format.h"
#include "model/judge.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "report/allotment.h"
#include "report/core_sharing.h"
#include "report/host_parts.h"
#include "report/job_numbers.h"

namespace poprt {
namespace {

// Less than this is the work of daemons and interrupts.
constexpr double kLeastLack = 0.05;
constexpr double kHardlyWaited = 0.01;
constexpr double kHardlyUnmeasured = 0.01;

int64_t resource(const JobReport& report, const Resource& which) {
  return amount(report.totals.resources, which.name);
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
         !shared_cores(report).empty();
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
double slept_ns(const JobReport& report, double useful) {
  const int64_t on_core = std::max<int64_t>(
      0, resource(report, kUserTime) + resource(report, kSystemTime) -
             resource(report, kUnknownThreadsCpu));
  return useful -
         static_cast<double>(on_core + resource(report, kWaitedForCore));
}

double allotted_cores(const JobReport& report) {
  return cores_of(report, &HostShare::allotted);
}

double usable_cores(const JobReport& report) {
  return cores_of(report, &HostShare::cpus);
}

// Of those that the job may use, or might with another binding; not more than
// its batch system says that it gave.  0: not known.
double most_cores(const JobReport& report) {
  const double most = std::max(usable_cores(report), allotted_cores(report));
  const int64_t given = cpus_by_word(report);
  return given > 0 ? std::min(most, static_cast<double>(given)) : most;
}

// Whether all threads of this host may use the same cores only.  False: it is
// not known.
bool has_one_mask(const JobReport& report, const HostShare& host) {
  if (host.cpus.size() == 1) return true;
  const uint64_t name = text_hash(host.name.data(), host.name.size());
  int64_t alike = 0;
  for (const ProcessPlace& place : report.totals.places) {
    if (place.host == name && place.cpus == host.cpus) ++alike;
  }
  return host.cpus.size() > 0 && alike == host.processes;
}

double threads_of(const JobReport& report) {
  return static_cast<double>(report.totals.threads);
}

bool has_too_many_threads(const JobReport& report) {
  return most_cores(report) > 0 && threads_of(report) > most_cores(report);
}

bool can_share_better(const JobReport& report) {
  return usable_cores(report) > 0 && threads_of(report) <= most_cores(report) &&
         (threads_of(report) > usable_cores(report) ||
          have_common_cores(report));
}

// What keeps them there may be more than a binding: taskset, a batch system.
bool is_kept_to_few_cores(const JobReport& report) {
  return can_share_better(report) &&
         threads_of(report) > usable_cores(report) &&
         std::ranges::all_of(report.totals.hosts, [&](const HostShare& host) {
           return has_one_mask(report, host);
         });
}

bool would_fit(const JobReport& report) {
  return wanted_cores(report) <= std::floor(most_cores(report));
}

std::string threads_for(double cores) {
  return counted(std::max<int64_t>(1, static_cast<int64_t>(cores)), "thread");
}

std::string most_threads(const JobReport& report) {
  return threads_for(most_cores(report));
}

// Else the job's own threads and child processes may have had the cores.
bool is_all_measured(const JobReport& report) {
  return !report.totals.has_unseen_openmp &&
         unmeasured_threads_share(report) < kHardlyUnmeasured;
}

bool is_others_fault(const JobReport& report) {
  return is_all_measured(report) && usable_cores(report) > 0 &&
         threads_of(report) <= usable_cores(report) &&
         has_amount(report.totals.resources, kCrowdedProcesses.name) &&
         !have_common_cores(report);
}

}  // namespace

constinit const Sentence<JobReport> kWhyNoCore[2] = {
    {"others_used_it", is_others_fault, fixed<", because others used it">},
    {"more_wanted",
     [](const JobReport& report) {
       const double cores = usable_cores(report);
       return cores > 0 && wanted_cores(report) > (1 + kLeastLack) * cores;
     },
     [](const JobReport& report) {
       return fmt::format(
           ", because its threads wanted {:.1f} cores at a time and may use "
           "{:.3g}{}",
           wanted_cores(report), usable_cores(report),
           has_quota(report) ? " (a quota of their cgroup)" : "");
     }},
};

constinit const Sentence<JobReport> kHowToGetCores[7] = {
    {"more_cores",
     [](const JobReport& report) {
       return has_too_many_threads(report) && most_cores(report) < 1;
     },
     fixed<"Ask for more cores.">},
    {"quiet_or_fewer_threads",
     [](const JobReport& report) {
       return has_too_many_threads(report) && would_fit(report) &&
              is_all_measured(report);
     },
     [](const JobReport& report) {
       return fmt::format(
           "Run where nothing else runs, or use at most {} in all.",
           most_threads(report));
     }},
    {"fewer_threads", has_too_many_threads,
     [](const JobReport& report) {
       return fmt::format("Use at most {} in all, or ask for more cores.",
                          most_threads(report));
     }},
    {"wider_mask", is_kept_to_few_cores,
     [](const JobReport& report) {
       return fmt::format(
           "Use at most {} in all, or lift what keeps all threads to {:.3g} of "
           "{:.3g} cores (taskset, the batch system, or the launcher's "
           "binding).",
           threads_for(usable_cores(report)), usable_cores(report),
           most_cores(report));
     }},
    {"bind", can_share_better,
     [](const JobReport& report) {
       return fmt::format(
           "Bind each thread to a core of its own of the {:.0f} that the job "
           "may use (Open MPI: mpirun --map-by slot:PE={}; srun: "
           "--cpu-bind=cores; OMP_PLACES=cores).",
           most_cores(report), threads_of_each(report));
     }},
    {"fewer_of_all",
     [](const JobReport& report) {
       return most_cores(report) > 0 && !is_all_measured(report);
     },
     fixed<"Use fewer threads and processes, also of those that are not "
           "measured, or ask for more cores.">},
    {"quiet", [](const JobReport& report) { return most_cores(report) > 0; },
     fixed<"Run where nothing else runs.">},
};

std::string threads_of_each(const JobReport& report) {
  const JobTotals& totals = report.totals;
  return totals.threads_min == totals.threads_max
             ? fmt::format("{}", totals.threads_max)
             : "THREADS";
}

bool took_turns(const JobReport& report) {
  return waited_for_core(report) >= kHardlyWaited;
}

std::vector<std::string> crowded_hosts(const JobReport& report) {
  std::vector<std::string> list;
  for (const HostShare& host : report.totals.hosts) {
    const int64_t cores = host.cpus.size();
    if (cores == 0 || host.threads <= cores) continue;
    list.push_back(
        fmt::format("{}: {} on {}", shortened(printable(host.name), 30),
                    counted(host.threads, "thread"), counted(cores, "core")));
  }
  return list;
}

double slept_share(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr ||
      !has_amount(report.totals.resources, kUserTime.name) ||
      !has_amount(report.totals.resources, kSystemTime.name) ||
      !has_amount(report.totals.resources, kWaitedForCore.name)) {
    return kUndefined;
  }
  const auto useful = static_cast<double>(global->totals.useful_sum_ns);
  return ratio(slept_ns(report, useful), useful);
}

bool has_slept(const JobReport& report) {
  constexpr double kLeast = 0.05;
  return slept_share(report) >= kLeast;
}

std::vector<std::string> host_facts(const JobReport& report) {
  const JobTotals& totals = report.totals;
  if (totals.topologies.empty()) {
    const bool tells_of_cores = std::ranges::any_of(
        totals.hosts,
        [](const HostShare& host) { return host.cpus.size() > 0; });
    return tells_of_cores ? std::vector<std::string>{"topology not known"}
                          : std::vector<std::string>{};
  }
  if (totals.topologies.size() > 1) {
    return {counted(static_cast<int64_t>(totals.topologies.size()), "kind") +
            " of hosts"};
  }
  const Topology& topology = totals.topologies.front();
  const CpuSet& used = totals.hosts.front().cpus;
  const bool alike = std::ranges::all_of(
      totals.hosts, [&](const HostShare& host) { return host.cpus == used; });
  std::vector<std::string> facts = {
      topology.cpu_model.empty() ? "host"
                                 : shortened(printable(topology.cpu_model), 30),
      parts_in_words(topology)};
  if (alike && used.size() > 0) {
    facts.push_back(used == topology.cpus ? "all may be used"
                                          : "used: " + cores_text(used));
  }
  return facts;
}

}  // namespace poprt
