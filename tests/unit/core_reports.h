// Runs whose threads have, or lack, cores.
#ifndef POPRT_TESTS_UNIT_CORE_REPORTS_H_
#define POPRT_TESTS_UNIT_CORE_REPORTS_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cpu_set.h"
#include "model/job.h"
#include "model/quantities.h"
#include "unit/sample_reports.h"

namespace poprt::test {

inline CpuSet cpus(std::string_view text) {
  CpuSet set;
  EXPECT_TRUE(parse_cpu_set(text, &set)) << text;
  return set;
}

// 4 ranks x 4 threads on two hosts with these cores.
inline JobReport report_with(double waited, int64_t crowded,
                             std::string_view cores) {
  JobReport report = hybrid_report();
  const auto core_ns = static_cast<double>(job_core_ns(report));
  set_amount(kWaitedForCore.name, static_cast<int64_t>(waited * core_ns),
             &report.totals.resources);
  set_amount(kCrowdedProcesses.name, crowded, &report.totals.resources);
  for (const Resource* const none : {&kUnknownThreadsCpu, &kChildrenCpu}) {
    set_amount(none->name, 0, &report.totals.resources);
  }
  for (HostShare& host : report.totals.hosts) {
    host.threads = 8;
    host.cpus = cpus(cores);
  }
  return report;
}

// Ranks on these cores of "node1", or of as many hosts as there are ranks.
inline JobReport bound_report(const std::vector<CoreUser>& users,
                              bool on_hosts = false) {
  JobTotals job;
  for (const CoreUser& user : users) {
    JobTotals own;
    own.processes = own.threads = 1;
    const int64_t node = on_hosts ? 1 + user.rank : 1;
    HostShare host = {"node" + std::to_string(node), 1, user.threads};
    host.cpus.add(static_cast<int>(user.cpu));
    host.users = {{user.cpu, 0, user.threads}};
    own.hosts = {host};
    set_rank(user.rank, &own);
    job = combine(std::move(job), own);
  }
  RegionTotals global;
  global.name = kGlobalRegion;
  global.processes = global.visits = job.processes;
  global.threads = job.threads;
  global.all_ns = global.elapsed_max_ns = 1'000'000'000;
  global.elapsed_weighted_ns = global.threads * global.all_ns;
  job.regions = {global};
  set_amount(kWaitedForCore.name, 500'000'000, &job.resources);
  return make_report({}, std::move(job));
}

// Four cores of two hardware threads each: 0 and 4, 1 and 5, ...
inline Topology four_cores() {
  Topology topology;
  topology.cpus = cpus("0-7");
  for (const char* const core : {"0,4", "1,5", "2,6", "3,7"}) {
    topology.cores.push_back(cpus(core));
  }
  topology.id = topology_id(topology);
  return topology;
}

// Ranks of one thread each on these processors of a host with four cores.
inline JobReport on_four_cores(const std::vector<int64_t>& processors,
                               std::string_view allotted) {
  JobTotals job;
  for (size_t rank = 0; rank < processors.size(); ++rank) {
    JobTotals own;
    own.processes = own.threads = 1;
    HostShare host = {"node1", 1, 1};
    host.cpus.add(static_cast<int>(processors[rank]));
    host.users = {{processors[rank], 0, 1}};
    host.allotted = cpus(allotted);
    host.topology = four_cores().id;
    own.hosts = {host};
    own.topologies = {four_cores()};
    set_rank(static_cast<int64_t>(rank), &own);
    job = combine(std::move(job), own);
  }
  return make_report({}, std::move(job));
}

template <class Change>
JobReport changed(JobReport report, const Change& change) {
  change(&report);
  return report;
}

inline JobReport of_job(JobReport report, const BatchJob& job) {
  report.context.job = job;
  return report;
}

// Not bound.
inline JobReport two_threads_on_eight() {
  return changed(on_four_cores({0, 1}, "0-7"), [](JobReport* report) {
    report->totals.hosts[0].cpus = cpus("0-7");
  });
}

inline JobReport bound_to_two_of_four() {
  return changed(bound_report({{0, 0, 1}, {1, 1, 1}}), [](JobReport* report) {
    report->totals.topologies = {four_cores()};
    report->totals.hosts[0].topology = four_cores().id;
    report->totals.hosts[0].allotted = cpus("0-7");
  });
}

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_CORE_REPORTS_H_
