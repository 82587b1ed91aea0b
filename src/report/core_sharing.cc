#include "report/core_sharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "document/format.h"
#include "model/judge.h"
#include "model/quantities.h"

namespace poprt {
namespace {

// "rank 3", "ranks 0 and 1", "ranks 0, 1, 2 and 5 more".
std::string ranks_text(const std::vector<int64_t>& ranks) {
  constexpr size_t kMost = 4;
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  std::string text = "ranks";
  const size_t shown = ranks.size() > kMost ? kMost - 1 : ranks.size();
  for (size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == ranks.size();
    text += fmt::format("{} {}", i == 0 ? "" : last ? " and" : ",", ranks[i]);
  }
  if (shown < ranks.size()) {
    text += fmt::format(" and {} more", ranks.size() - shown);
  }
  return text;
}

// Cores that several hardware threads of this host are bound to, by the ranks
// that have them.
std::map<std::vector<int64_t>, CpuSet> sibling_groups(const Topology& topology,
                                                      const HostShare& host) {
  std::map<std::vector<int64_t>, CpuSet> groups;
  for (const CpuSet& core : topology.cores) {
    std::set<int64_t> ranks;
    CpuSet used;
    for (const CoreUser& user : host.users) {
      if (!core.has(user.cpu)) continue;
      ranks.insert(user.rank);
      used.add(static_cast<int>(user.cpu));
    }
    if (used.size() > 1) groups[{ranks.begin(), ranks.end()}].add(used);
  }
  return groups;
}

// How many cores have a processor of `cpus`.
int64_t cores_with(const CpuSet& cpus, const Topology& topology) {
  return std::ranges::count_if(
      topology.cores, [&](const CpuSet& core) { return core.meets(cpus); });
}

// "12 threads on 6 cores" of a host whose threads cannot have a core each,
// though each may have a hardware thread; else empty.
std::string two_on_a_core(const Topology& topology, const HostShare& host) {
  const int64_t cores = cores_with(host.cpus, topology);
  if (host.threads <= cores || host.threads > host.cpus.size()) return "";
  return fmt::format("{}: {} on {}", shortened(printable(host.name), 30),
                     counted(host.threads, "thread"), counted(cores, "core"));
}

}  // namespace

std::string cores_text(const CpuSet& cpus) {
  return (cpus.size() == 1 ? "core " : "cores ") +
         shortened(cpu_list(cpus), 40);
}

namespace {

template <class IsWanted>
std::vector<std::string> shared_where(const JobReport& report,
                                      IsWanted is_wanted) {
  const bool crowded =
      amount(report.totals.resources, kCrowdedProcesses.name) > 0;
  std::vector<std::string> texts;
  for (const HostShare& host : report.totals.hosts) {
    std::map<int64_t, std::vector<CoreUser>> users;  // by processor
    for (const CoreUser& user : host.users) users[user.cpu].push_back(user);
    std::map<std::vector<int64_t>, CpuSet> groups;  // by ranks
    std::map<std::vector<int64_t>, int64_t> threads;
    for (const auto& [cpu, all] : users) {
      std::vector<int64_t> ranks;
      int64_t count = 0;
      for (const CoreUser& user : all) {
        ranks.push_back(user.rank);
        count += user.threads;
      }
      // That a process has more threads than cores is another note; that it
      // shares a core as a hardware thread, too.
      if (ranks.size() == 1 && (crowded || count < 2)) continue;
      if (cpu < CpuSet::kMost) groups[ranks].add(static_cast<int>(cpu));
      threads[ranks] = std::max(threads[ranks], count);
    }
    const std::string name = shortened(printable(host.name), 30);
    for (const auto& [ranks, cpus] : groups) {
      if (!is_wanted(report, host, cpus)) continue;
      texts.push_back(
          ranks.size() == 1
              ? fmt::format("{} threads of rank {} of {} may use only the same "
                            "{}",
                            threads[ranks], ranks[0], name, cores_text(cpus))
              : fmt::format("{} of {} may use only the same {}",
                            ranks_text(ranks), name, cores_text(cpus)));
    }
  }
  return texts;
}

// Whether the ranks are kept from a core, or lack one.
bool keeps_from_cores(const JobReport& report, const HostShare& host,
                      const CpuSet& cpus) {
  const Topology* const topology = topology_of(report.totals, host);
  return topology == nullptr || cpus != topology->cpus ||
         is_found(report, "waited_for_core");
}

}  // namespace

std::vector<std::string> shared_cores(const JobReport& report) {
  return shared_where(report, [](const JobReport&, const HostShare&,
                                 const CpuSet&) { return true; });
}

std::vector<std::string> cramped_ranks(const JobReport& report) {
  return shared_where(report, [](const JobReport& job, const HostShare& host,
                                 const CpuSet& cpus) {
    return keeps_from_cores(job, host, cpus);
  });
}

std::vector<std::string> bound_siblings(const JobReport& report) {
  std::vector<std::string> list;
  for (const HostShare& host : report.totals.hosts) {
    const Topology* const topology = topology_of(report.totals, host);
    if (topology == nullptr) continue;
    const CpuSet free = free_cores(*topology, host);
    if (free.size() == 0) continue;
    for (const auto& [ranks, cpus] : sibling_groups(*topology, host)) {
      list.push_back(fmt::format(
          "threads of {} of {} are bound to hardware threads of the same "
          "cores ({}), while {} no thread",
          ranks_text(ranks), shortened(printable(host.name), 30),
          shortened(cpu_list(cpus), 40),
          cores_text(free) + (free.size() == 1 ? " has" : " have")));
    }
  }
  return list;
}

std::vector<std::string> full_cores(const JobReport& report) {
  std::vector<std::string> list;
  for (const HostShare& host : report.totals.hosts) {
    const Topology* const topology = topology_of(report.totals, host);
    if (topology == nullptr) continue;
    const bool has_other_note = free_cores(*topology, host).size() > 0 &&
                                !sibling_groups(*topology, host).empty();
    if (!has_other_note) list.push_back(two_on_a_core(*topology, host));
  }
  std::erase(list, "");
  return list;
}

}  // namespace poprt
