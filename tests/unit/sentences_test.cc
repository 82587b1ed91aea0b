// Each sentence of the table is said where it is true, and not where it is not.
#include "report/sentences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "model/device_amounts.h"
#include "model/quantities.h"
#include "report/findings.h"
#include "unit/finding_jobs.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

using test::clocks_of;
using test::Job;
using test::kMs;
using test::moving_data;
using test::process;
using test::ProcessTimes;
using test::report_of;
using test::waiting_for_openmp;

// What is said, by key.
std::string said(const JobReport& report, const std::string& key) {
  const Situation situation = situation_of(report);
  for (const Sentence& each : sentences()) {
    if (each.key != key || !each.is_true(situation)) continue;
    return each.words(situation);
  }
  return "";
}

Job without_loss() {
  return {{process(1000, 980, 20), process(1000, 980, 20)},
          clocks_of(980, 980, 980, 1000, 1000)};
}

Job of_unseen_openmp() {
  Job job = without_loss();
  job.openmp = false;
  job.unseen = true;
  return job;
}

Job out_of_sight() {
  Job job = without_loss();
  job.quality.foreign_threads = 6;
  job.quality.foreign_mpi_ns = 14000 * kMs;
  return job;
}

JobReport with_resource(JobReport report, const Resource& which, int64_t ns) {
  set_amount(which.name, ns, &report.totals.resources);
  return report;
}

// As long as this share of what the hybrid report has lost most.
JobReport lacking_cores(double share) {
  const JobReport report = test::hybrid_report();
  const RegionReport& global = *global_region(report);
  const double lost = largest_loss(report, global)->metric.value(global.losses);
  return with_resource(
      report, kWaitedForCore,
      std::llround(share * lost * static_cast<double>(job_core_ns(report))));
}

// Rank 2 of 4 has all its time to work, the others half of it; on two nodes, of
// which the second has twice the work.
Job unequal_work() {
  Job job = {{process(100, 50, 50), process(100, 50, 50), process(100, 90, 10),
              process(100, 50, 50)},
             clocks_of(90, 90, 90, 100, 100)};
  for (const size_t rank : {2, 3}) job.processes[rank].host = "node2";
  return job;
}

JobReport with_rows(const Job& job) {
  JobReport report = report_of(job);
  int64_t rank = 0;
  for (const ProcessTimes& each : job.processes) {
    ProcessRow row;
    row.rank = rank;
    ++rank;
    for (const test::ThreadTimes& thread : each.threads) {
      row.useful_max_ns = std::max(row.useful_max_ns, thread.useful());
    }
    report.regions[0].totals.rows.push_back(row);
  }
  return report;
}

JobReport without_last_row(JobReport report) {
  report.regions[0].totals.rows.pop_back();
  return report;
}

JobReport on_one_node(Job job) {
  for (ProcessTimes& each : job.processes) each.host = "node1";
  return report_of(job);
}

// Two ranks whose second thread has three times the work of the first.
JobReport unequal_threads(int64_t of_last_rank) {
  ProcessTimes each;
  each.elapsed = each.parallel = 100 * kMs;
  each.threads = {{0, 30 * kMs, 0, 0}, {0, 90 * kMs, 0, 0}};
  JobReport report = report_of({{each, each}, clocks_of(90, 90, 90, 90, 100)});
  for (const int64_t rank : {0, 1}) {
    const int64_t second = rank == 1 ? of_last_rank : 90;
    report.regions[0].totals.thread_rows.push_back(
        {.rank = rank, .thread = 0, .useful_ns = 30 * kMs});
    report.regions[0].totals.thread_rows.push_back(
        {.rank = rank, .thread = 1, .useful_ns = second * kMs});
  }
  return report;
}

// The largest call has this share of the transfer.
JobReport with_calls(int64_t of_largest) {
  JobReport report = report_of(moving_data());
  const auto call = [&](const char* function, const char* place, int64_t ms) {
    CallReport each;
    each.totals.region = kGlobalRegion;
    each.totals.function = function;
    each.totals.time_ns = ms * kMs;
    each.location = place;
    report.calls.push_back(each);
  };
  call("MPI_Alltoall", "fft.c:88 (transpose)", of_largest);
  call("MPI_Send", "halo.c:12 (swap)", 100 - of_largest);
  return report;
}

JobReport with_parallel_region(double share_of_loss) {
  JobReport report = unequal_threads(90);
  report.regions[0].totals.thread_rows.clear();
  const RegionReport& global = report.regions[0];
  const double lost = largest_loss(report, global)->metric.value(global.losses);
  ConstructReport loop;
  loop.location = "force.c:120 (calc_force)";
  loop.lost_imbalance = share_of_loss * lost;
  report.constructs = {loop};
  return report;
}

JobReport with_region(const std::vector<ProcessTimes>& processes,
                      const test::Clocks& clocks, int64_t io_ns = 0) {
  Job job = moving_data();
  job.others = {test::combined("phase", processes, clocks)};
  set_amount(kMpiIo.name, io_ns, &job.others[0].amounts);
  return report_of(job);
}

// The second rank was measured for half of the time; in a killed job that may
// be the time of its last checkpoint.
JobReport ended_apart(bool is_killed) {
  JobReport report =
      report_of({{process(2000, 2000, 0), process(1000, 1000, 0)},
                 clocks_of(2000, 2000, 2000, 2000, 2000)});
  if (is_killed) {
    report.context.endings = {{"killed", "0-1", 2, 1000 * kMs, 2000 * kMs}};
  }
  return report;
}

// Of which is known what fixing its loss would save, about.
JobReport with_gain() {
  JobReport report = with_resource(test::hybrid_report(), kWaitedForCore, 0);
  RegionTotals& global = report.regions[0].totals;
  for (const ProcessMaximum* const each : kProcessMaxima) {
    set_amount(each->name, global.all_ns, &global.amounts);
  }
  set_amount(kBalanced.name, global.all_ns / 2, &global.amounts);
  set_amount(kUnchained.name, global.all_ns / 2, &global.amounts);
  return report;
}

struct Pair {
  std::string key;
  JobReport with;
  std::string words;  // begin so
  JobReport without;
};

std::vector<Pair> pairs() {
  const JobReport hybrid = test::hybrid_report();
  const JobReport good = report_of(without_loss());
  const JobReport unseen = report_of(of_unseen_openmp());
  const JobReport red = report_of(out_of_sight());
  const JobReport moving = report_of(moving_data());
  const JobReport denied = report_of(waiting_for_openmp());
  Job waiting = waiting_for_openmp();
  waiting.waiting_ns = 56 * kMs;
  const JobReport believed = report_of(waiting);
  Job only_mpi = moving_data();
  only_mpi.openmp = false;
  const JobReport with_moving =
      with_region(moving_data().processes, moving_data().clocks);
  const JobReport with_denied =
      with_region(waiting_for_openmp().processes, waiting_for_openmp().clocks);
  const JobReport with_io =
      with_region(moving_data().processes, moving_data().clocks, 99 * kMs);
  // It has lost time, in no row that names a cause.
  JobReport lost_alone = with_moving;
  lost_alone.regions[1].losses = {};
  JobReport without_phase = with_moving;
  without_phase.totals.path.length_ns = 1000;
  without_phase.totals.path.without = {{"others", 100}, {"phase", 645}};
  return {
      {"red", red, "This run cannot be judged: 87.5 % (limit 20 %)", good},
      {"useful", good, "98.0 % of the core time was useful.", unseen},
      {"useful_measured", unseen, "98.0 % of the measured core", good},
      {"devices", with_resource(hybrid, kDeviceProcesses, 1),
       "No loss is named: the program has a runtime of accelerators", hybrid},
      {"ends", ended_apart(true),
       "No loss is named: most of it may be that the last checkpoints",
       ended_apart(false)},
      {"faster_code", good, "The largest gains now come from faster code",
       moving},
      {"core_for_each",
       with_resource(test::report_without_loss(), kWaitedForCore, 400 * kMs),
       "The largest gain now comes from a core", good},
      {"loss", moving, "The largest loss, 50.0 %, is MPI Transfer (50.0): time",
       lacking_cores(0.51)},
      {"loss_in_doubt", lacking_cores(0.51),
       "The largest loss, 19.0 %, is OpenMP Load Balance (73.3): it may be",
       lacking_cores(0.49)},
      {"slow_ranks", with_rows(unequal_work()),
       "Rank 2 did 1.5 times the useful work of the mean rank.",
       without_last_row(with_rows(unequal_work()))},
      {"slow_node", report_of(unequal_work()),
       "Node node2's threads did 1.2 times the useful work of the mean node's.",
       on_one_node(unequal_work())},
      {"slow_thread", unequal_threads(90),
       "Thread 1 of each rank did 1.5 times the useful work of the mean "
       "thread.",
       unequal_threads(10)},
      {"heaviest_call", with_calls(61),
       "Most of the transfer in MPI is in MPI_Alltoall, fft.c:88 (transpose).",
       with_calls(60)},
      {"parallel_region", with_parallel_region(0.61),
       "Most of it is in the parallel region force.c:120 (calc_force).",
       with_parallel_region(0.6)},
      {"in_bars", moving, "In the bars it is MPI (50.0 %).", denied},
      {"agreed", moving, "No other model", report_of(only_mpi)},
      {"denied", denied, "The models do not agree on whose it is: MPI Transfer",
       moving},
      {"believed", believed, "Believe the latter: 98.2 %", denied},
      {"sure", denied, "Sure is what the bars show: MPI (28.5 %)", moving},
      {"gain_at_most", with_resource(moving, kWaitedForCore, 0),
       "Fixing this loss would save at most 52 % of the run time (the longest "
       "path on which MPI takes no time).",
       with_gain()},
      {"gain_about", with_gain(),
       "Fixing this loss would save about 47 to 53 % of the run time "
       "(estimated: as if",
       with_resource(moving, kWaitedForCore, 0)},
      {"gain_not_known", moving,
       "How much fixing this loss would save is not known: not all",
       with_gain()},
      {"region", lost_alone,
       "Region phase lost most: 100.0 core-ms, 50.0 % of "
       "the job.",
       with_moving},
      {"region_cause", with_moving,
       "Region phase lost most: 100.0 core-ms, 50.0 % of the job, first of all "
       "to MPI Transfer (50.0).",
       moving},
      {"region_denied", with_denied,
       "Region phase lost most: 114.0 core-ms, "
       "57.0 % of the job, first of all to Transfer (43.0), in MPI or",
       with_moving},
      {"region_io", with_io,
       "Region phase lost most: 100.0 core-ms, 50.0 % of "
       "the job, first of all to MPI Transfer (50.0), which is MPI-IO.",
       with_moving},
      {"region_without", without_phase,
       "Sharing or speeding up its work would save at most 36 % of the run",
       with_moving},
  };
}

TEST(Sentences, EachIsSaidWhereItIsTrueAndOnlyThere) {
  const std::vector<Pair> all = pairs();
  std::set<std::string> keys;
  for (const Sentence& sentence : sentences()) {
    EXPECT_TRUE(keys.insert(sentence.key).second) << sentence.key;
    const auto pair = std::ranges::find(all, sentence.key, &Pair::key);
    ASSERT_NE(all.end(), pair) << "no pair of reports for " << sentence.key;
    EXPECT_EQ(pair->words,
              said(pair->with, pair->key).substr(0, pair->words.size()))
        << sentence.key;
    EXPECT_EQ("", said(pair->without, pair->key)) << sentence.key;
  }
  EXPECT_EQ(keys.size(), all.size());
}

// What is said is in the finding, word by word.
TEST(Sentences, AreTheFinding) {
  for (const Pair& pair : pairs()) {
    std::string text;
    for (const Finding& each : main_finding(pair.with)) {
      text += each.sentence + " ";
    }
    EXPECT_NE(std::string::npos, text.find(pair.words)) << text;
  }
}

// Nobody is named who does not stand out, or stands for all.
TEST(Sentences, NameNobodyAmongEquals) {
  Job job = unequal_work();
  for (const size_t rank : {0, 1, 2})
    job.processes[rank] = process(100, 90, 10);
  EXPECT_EQ("", said(with_rows(job), "slow_ranks"));
  EXPECT_EQ("", said(unequal_threads(30), "slow_thread"));
  JobReport report = with_rows(unequal_work());
  report.regions[0].totals.rows[3].useful_max_ns = 89 * kMs;
  EXPECT_EQ("Ranks 2 and 3 did 1.3 times the useful work of the mean rank.",
            said(report, "slow_ranks"));
}

}  // namespace
}  // namespace poprt
