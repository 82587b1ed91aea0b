// The energy of hosts: over processes, in the report, in scale.
#include <gtest/gtest.h>

#include <cmath>

#include "compare/scaling.h"
#include "compare/scaling_table.h"
#include "report/details.h"
#include "report/energy.h"
#include "unit/has.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

constexpr int64_t kJoule = 1'000'000;

JobTotals host(const std::string& name, int64_t energy_uj) {
  JobTotals job;
  job.processes = 1;
  job.hosts = {{.name = name, .processes = 1, .energy_uj = energy_uj}};
  return job;
}

TEST(Energy, OfAHostCountsOnce) {
  JobTotals job = combine(host("a", 5), host("a", 9));
  job = combine(job, host("b", 3));
  job = combine(job, host("a", 0));  // a process that could not read it
  EXPECT_EQ(9, job.hosts[0].energy_uj);
  EXPECT_EQ(3, job.hosts[1].energy_uj);
}

// 2 s, on hosts with these energies in J.
RunFile run_with(const std::vector<int64_t>& joules) {
  RunFile run = test::global_run(2, 1, 2'000'000'000, 3'000'000'000);
  run.report.totals.hosts.clear();
  for (size_t i = 0; i < joules.size(); ++i) {
    run.report.totals.hosts.push_back({.name = "node" + std::to_string(i + 1),
                                       .processes = 1,
                                       .energy_uj = joules[i] * kJoule});
  }
  return run;
}

TEST(Energy, IsInJoulesAndWatts) {
  EXPECT_EQ("node1 300 J, 150 W", energy_line(run_with({300}).report));
  EXPECT_EQ("30.30 kJ, 15150 W; node1 300 J, 150 W; node2 30.00 kJ, 15000 W",
            energy_line(run_with({300, 30000}).report));
  EXPECT_EQ("node1 300 J, 150 W; not known of 1 of 2 hosts",
            energy_line(run_with({300, 0}).report));
  EXPECT_EQ("", energy_line(run_with({0, 0}).report));
  EXPECT_HAS(energy_line(run_with({1, 1, 1, 1, 1, 1}).report),
             "node4 1 J, 0 W; and 2 more");
}

TEST(Energy, OfHostsIsATable) {
  const Table table = host_table(run_with({300, 0}).report);
  ASSERT_EQ(4u, table.columns.size());
  ASSERT_EQ(2u, table.rows.size());
  EXPECT_EQ("node1", table.rows[0].label);
  EXPECT_EQ(300, table.rows[0].cells[2].value);
  EXPECT_EQ(150, table.rows[0].cells[3].value);
  EXPECT_TRUE(std::isnan(table.rows[1].cells[2].value));
  EXPECT_EQ(2u, host_table(run_with({0, 0}).report).columns.size());
  RunFile run = run_with({0, 0});
  run.report.totals.hosts[1].peak_memory_sum_bytes = 5;
  const Table memory = host_table(run.report);
  ASSERT_EQ(3u, memory.columns.size());
  EXPECT_EQ("peak memory", memory.columns[2].name);
  EXPECT_EQ(5, memory.rows[1].cells[2].value);
}

// A counter began anew, and the process that knows how often counts.
TEST(Energy, OfAHostMayBeMore) {
  const auto least = [](JobTotals job) {
    job.hosts[0].energy_is_least = true;
    return job;
  };
  const auto both = [](const JobTotals& a, const JobTotals& b) {
    const HostShare host = combine(a, b).hosts[0];
    return std::pair{host.energy_uj, host.energy_is_least};
  };
  EXPECT_EQ((std::pair{9L, false}), both(host("a", 9), least(host("a", 5))));
  EXPECT_EQ((std::pair{9L, false}), both(least(host("a", 5)), host("a", 9)));
  EXPECT_EQ((std::pair{5L, true}),
            both(least(host("a", 5)), least(host("a", 4))));
  EXPECT_EQ((std::pair{5L, true}), both(least(host("a", 5)), host("a", 0)));
  EXPECT_EQ((std::pair{0L, false}), both(host("a", 0), host("a", 0)));

  RunFile run = run_with({300, 400});
  run.report.totals.hosts[1].energy_is_least = true;
  EXPECT_EQ(
      "node1 300 J, 150 W; node2 at least 400 J, 200 W (a counter may have "
      "begun anew unseen: no event came in between)",
      energy_line(run.report));
  EXPECT_TRUE(std::isnan(job_energy_j(run.report)));
  EXPECT_EQ("node2 (at least)", host_table(run.report).rows[1].label);
}

TEST(Energy, IsOfTheJobOnlyIfItIsKnownOfAllHosts) {
  EXPECT_DOUBLE_EQ(700, job_energy_j(run_with({300, 400}).report));
  EXPECT_DOUBLE_EQ(350, job_power_w(run_with({300, 400}).report));
  EXPECT_TRUE(std::isnan(job_energy_j(run_with({300, 0}).report)));
  EXPECT_TRUE(std::isnan(job_power_w(run_with({}).report)));
}

TEST(Energy, IsARowOfScale) {
  const auto row = [](const RunFile& run, const char* key) {
    const ScalingStudy study = {{test::only({run})}, 0, Scaling::kStrong};
    const auto rows = scaling_table(study, "Global", Model::kPop);
    const ScalingRow* const found = row_of(rows, key);
    return found == nullptr ? -1 : found->cells[0].values.median;
  };
  EXPECT_DOUBLE_EQ(700, row(run_with({300, 400}), "energy_j"));
  EXPECT_DOUBLE_EQ(350, row(run_with({300, 400}), "power_w"));
  // No row without any.
  EXPECT_DOUBLE_EQ(-1, row(run_with({300, 0}), "energy_j"));
}

TEST(Energy, OfARegionIsNotKnown) {
  RunFile run = test::run(
      2, 1,
      {test::region("Global", 2, 100, 160), test::region("solve", 2, 50, 80)});
  run.report.totals.hosts = {{.name = "n", .processes = 2, .energy_uj = 7}};
  for (const RegionReport& region : run.report.regions) {
    EXPECT_EQ(region.totals.name != "Global",
              std::isnan(work_of(run.report, region).energy_j));
  }
}

}  // namespace
}  // namespace poprt
