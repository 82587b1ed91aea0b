// What the finding says of a loss that looks like another one.
#include "model/largest_loss.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/job.h"
#include "model/quantities.h"
#include "report/findings.h"
#include "report/meanings.h"
#include "test_jobs.h"

namespace poprt {
namespace {

using test::Clocks;
using test::ProcessTimes;
using test::ThreadTimes;

constexpr int64_t kMs = 1000000;

// A job without notes, whose amounts are as they are set.
JobReport report_of(const std::vector<ProcessTimes>& processes,
                    const Clocks& clocks, int64_t unknown_ns = 0,
                    RunContext context = {}) {
  JobTotals totals;
  for (const ProcessTimes& process : processes) {
    totals = combine(
        std::move(totals),
        test::job_of(process, {test::region_of("Global", process, clocks)}));
  }
  totals.has_mpi = true;
  totals.has_openmp = processes.front().size() > 1;
  RegionTotals& global = totals.regions.front();
  set_amount(kOpenMpSerialised.name, 0, &global.amounts);  // sources are known
  set_amount(kMpiUnknown.name, unknown_ns, &global.amounts);
  set_amount(kMpiTransfer.name, global.mpi_sum_ns - unknown_ns,
             &global.amounts);
  return make_report(std::move(context), std::move(totals));
}

Clocks clocks_of(int64_t useful, int64_t coo, int64_t all) {
  return {useful * kMs, useful * kMs, useful * kMs, coo * kMs, all * kMs};
}

std::string meaning_of(const JobReport& report) {
  const auto loss = largest_loss(report, report.regions[0]);
  return loss ? meaning_of(report, report.regions[0], *loss) : "none";
}

// Two threads; the second has no work outside of parallel regions, and this
// much in them.
JobReport two_threads(int64_t serial, int64_t inside, int64_t of_second) {
  ProcessTimes process;
  process.elapsed = (serial + inside) * kMs;
  process.parallel = inside * kMs;
  process.threads = {{serial * kMs, inside * kMs}, {0, of_second * kMs}};
  return report_of(
      {process}, clocks_of(serial + inside, serial + inside, serial + inside));
}

TEST(LargestLoss, TellsThreadsOutsideOfParallelRegionsFromUnequalOnes) {
  EXPECT_EQ(
      "threads are idle outside of parallel regions, where only one works",
      meaning_of(two_threads(600, 500, 500)));
  EXPECT_EQ("some threads have more work than others in parallel regions",
            meaning_of(two_threads(100, 1000, 300)));
}

TEST(LargestLoss, IsNoTransferWhereClocksDidNotCome) {
  const ProcessTimes process = {
      .elapsed = 1000 * kMs,
      .threads = {{.useful_outside = 500 * kMs, .mpi_outside = 500 * kMs}}};
  const Clocks clocks = clocks_of(500, 1000, 1000);
  const auto known =
      report_of({process, process}, clocks, /*unknown_ns=*/400 * kMs);
  EXPECT_STREQ("mpi_transfer_efficiency",
               main_cause(known, known.regions[0])->key);
  const auto unknown =
      report_of({process, process}, clocks, /*unknown_ns=*/600 * kMs);
  EXPECT_STREQ("mpi_communication_efficiency",
               main_cause(unknown, unknown.regions[0])->key);
  EXPECT_EQ(
      "whether calls waited or moved data is not known for 30.0 % of the core "
      "time, because clocks did not come",
      meaning_of(unknown));
}

TEST(LargestLoss, IsNotNamedWhereItIsTheTimeOfTheLastCheckpoint) {
  const auto killed = [](int64_t least) {
    const ProcessTimes first = {.elapsed = 2000 * kMs,
                                .threads = {{.useful_outside = 2000 * kMs}}};
    const ProcessTimes second = {.elapsed = least * kMs,
                                 .threads = {{.useful_outside = least * kMs}}};
    return std::pair(std::vector{first, second}, clocks_of(2000, 2000, 2000));
  };
  const auto [processes, clocks] = killed(1000);
  RunContext context;
  context.endings = {{"killed", "0-1", 2, 1000 * kMs, 2000 * kMs}};
  const auto recovered = report_of(processes, clocks, 0, context);
  EXPECT_EQ("none", meaning_of(recovered));
  EXPECT_EQ("", next_step(recovered, "x.json"));
  const auto ended = report_of(processes, clocks);
  EXPECT_NE("none", meaning_of(ended));
  EXPECT_NE("", next_step(ended, "x.json"));
}

TEST(NextStep, IsNoneWhereHardlyAnythingIsLost) {
  const auto busy = [](int64_t useful) {
    const ProcessTimes process = {
        .elapsed = 2000 * kMs,
        .threads = {{.useful_outside = useful * kMs,
                     .mpi_outside = (2000 - useful) * kMs}}};
    return report_of({process, process}, clocks_of(useful, 2000, 2000));
  };
  EXPECT_EQ("", next_step(busy(1960), "x.json"));
  EXPECT_NE("", next_step(busy(1800), "x.json"));
}

}  // namespace
}  // namespace poprt
