// Whether threads had cores: sets of cores, and what the report says.
#include "report/core_use.h"

#include <gtest/gtest.h>

#include "model/cpu_set.h"
#include "model/quantities.h"
#include "report/notes.h"
#include "sample_reports.h"

namespace poprt {
namespace {

CpuSet cpus(std::string_view text) {
  CpuSet set;
  EXPECT_TRUE(parse_cpu_set(text, &set)) << text;
  return set;
}

TEST(CpuSet, IsWrittenAsTheKernelDoes) {
  CpuSet set;
  EXPECT_EQ("", cpu_list(set));
  for (const int cpu : {8, 0, 1, 2, 130, 63, 64}) set.add(cpu);
  EXPECT_EQ("0-2,8,63-64,130", cpu_list(set));
  EXPECT_EQ(7, set.size());
  for (const char* const text : {"", "0", "0-2,8,63-64,130", "5,7,9-11"}) {
    EXPECT_EQ(text, cpu_list(cpus(text)));
  }
}

TEST(CpuSet, RefusesOtherTexts) {
  CpuSet set;
  for (const char* const text : {"a", "1-", "-1", "3-1", "1,,2", "1,", "1 2",
                                 "99999999", "0-99999999"}) {
    EXPECT_FALSE(parse_cpu_set(text, &set)) << text;
  }
}

TEST(CpuSet, OfProcessesAreJoined) {
  JobTotals a, b;
  a.processes = b.processes = 1;
  a.hosts = {{"node", 1, 2, cpus("0-1")}};
  b.hosts = {{"node", 1, 3, cpus("1-2,70")}};
  a.resources = {{kPeakMemoryMax.name, 5}, {kUserTime.name, 7}};
  b.resources = {{kPeakMemoryMax.name, 4}, {kUserTime.name, 8}};
  std::swap(a.resources[0], a.resources[1]);
  std::swap(b.resources[0], b.resources[1]);
  const JobTotals job = combine(a, b);
  EXPECT_EQ(5, job.hosts[0].threads);
  EXPECT_EQ("0-2,70", cpu_list(job.hosts[0].cpus));
  EXPECT_EQ(15, amount(job.resources, kUserTime.name));
  EXPECT_EQ(5, amount(job.resources, kPeakMemoryMax.name));
}

JobReport report_with(double waited, int64_t crowded, std::string_view cores) {
  JobReport report = test::hybrid_report();
  const auto core_ns = static_cast<double>(job_core_ns(report));
  set_amount(kWaitedForCore.name, static_cast<int64_t>(waited * core_ns),
             &report.totals.resources);
  set_amount(kCrowdedProcesses.name, crowded, &report.totals.resources);
  for (HostShare& host : report.totals.hosts) {
    host.threads = 8;
    host.cpus = cpus(cores);
  }
  return report;
}

TEST(CoreUse, SaysNothingWhereThreadsHadTheirCores) {
  EXPECT_EQ("", lack_of_cores(test::hybrid_report()));
  EXPECT_TRUE(core_notes(test::hybrid_report()).empty());
  const JobReport good = report_with(0.049, 0, "0-7");
  EXPECT_EQ("", lack_of_cores(good));
  EXPECT_TRUE(core_notes(good).empty());
}

TEST(CoreUse, NamesTheShareAndTheReason) {
  const std::string others = lack_of_cores(report_with(0.18, 0, "0-63"));
  EXPECT_NE(std::string::npos, others.find("18.0 %")) << others;
  EXPECT_NE(std::string::npos, others.find("because others used it")) << others;
  const JobReport few = report_with(0.5, 0, "0-1");
  EXPECT_NE(std::string::npos, lack_of_cores(few).find("fewer cores"));
  ASSERT_EQ(1u, core_notes(few).size());
  EXPECT_NE(std::string::npos, core_notes(few)[0].find("8 threads on 2 cores"))
      << core_notes(few)[0];
  const JobReport bound = report_with(0.5, 3, "0-7");
  ASSERT_EQ(1u, core_notes(bound).size());
  EXPECT_EQ(0u, core_notes(bound)[0].find("3 of "));
}

}  // namespace
}  // namespace poprt
