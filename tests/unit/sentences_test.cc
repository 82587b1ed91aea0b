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
#include "report/advice.h"
#include "report/findings.h"
#include "report/meanings.h"
#include "unit/finding_jobs.h"
#include "unit/has.h"
#include "unit/sample_reports.h"
#include "unit/sentence_pairs.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using test::clocks_of;
using test::Job;
using test::kMs;
using test::moving_data;
using test::Pair;
using test::process;
using test::ProcessTimes;
using test::report_of;
using test::waiting_for_openmp;

constexpr Part kParts[] = {Part::kUseful, Part::kLoss, Part::kGain,
                           Part::kRegion, Part::kBars, Part::kNext};

// What is said, by key: in the finding, or as meaning of its loss, or as
// advice.
std::string said(const JobReport& report, const std::string& key) {
  const Situation situation = *situation_of(report);
  for (const Part part : kParts) {
    const std::string words = test::said_by(sentences(part), key, situation);
    if (!words.empty()) return words;
  }
  if (!situation.loss || situation.is_in_doubt) return "";
  const Loss& loss = *situation.loss;
  const std::string advised =
      test::said_by(advice_sentences(), key,
                    ::poprt::advised(report, situation.global, loss.metric));
  if (!advised.empty()) return advised;
  return test::said_by(meanings(), key,
                       LossOf{report, situation.global, loss, "time"});
}

Job without_loss() {
  return {{process(1000, 980, 20), process(1000, 980, 20)},
          clocks_of(980, 980, 980, 1000, 1000)};
}

// Nothing is lost, and threads were on cores for this share of the useful time.
JobReport with_cpu_time(double share) {
  JobReport report = report_of(without_loss());
  const auto useful =
      static_cast<double>(report.regions[0].totals.useful_sum_ns);
  set_amount(kUserTime.name, std::llround(share * useful),
             &report.totals.resources);
  set_amount(kSystemTime.name, 0, &report.totals.resources);
  return report;
}

Job of_unseen_openmp() {
  Job job = without_loss();
  job.openmp = false;
  job.unseen = true;
  return job;
}

// Nothing is known of one rank of three.
JobReport without_a_rank() {
  JobReport report = report_of(without_loss());
  report.context.endings = {{"killed", "0-1", 2, 1000 * kMs, 1000 * kMs},
                            {"killed", "2", 1, 0, 0}};
  return report;
}

Job out_of_sight() {
  Job job = without_loss();
  job.quality.foreign_threads = 6;
  job.quality.foreign_mpi_ns = 14000 * kMs;
  return job;
}

JobReport without_resource(JobReport report, const Resource& which) {
  test::forget(which.name, &report.totals.resources);
  return report;
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
  JobReport report = report_of({{each, each}, clocks_of(90, 90, 100, 90, 100)});
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

// The second rank has half of the work, and was measured for this long of
// 2000 ms.
JobReport unequal_until(int64_t elapsed, bool is_killed) {
  Job job = {{process(2000, 2000, 0), process(elapsed, 1000, elapsed - 1000)},
             clocks_of(2000, 2000, 2000, 2000, 2000)};
  JobReport report = report_of(job);
  if (is_killed) {
    report.context.endings = {{"killed", "0-1", 2, 1800 * kMs, 2000 * kMs}};
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
  // Nothing speaks against it: one thread is the busiest, and nobody is in
  // turn.
  global.pl_cue_ns = global.cue_ns = global.useful_max_ns;
  set_amount(kBalanced.name, global.all_ns / 2, &global.amounts);
  set_amount(kUnchained.name, global.all_ns / 2, &global.amounts);
  return report;
}

// Two ranks of MPI alone, both with this much work of 100 and all other time in
// MPI, of which they wait this much; the run is as long on an ideal network.
JobReport alone(int64_t work, int64_t ideal, int64_t waiting) {
  Job job = {{process(100, work, 100 - work), process(100, work, 100 - work)},
             clocks_of(work, ideal, ideal, 100, 100)};
  job.openmp = false;
  job.waiting_ns = waiting * kMs;
  return report_of(job);
}

std::vector<Pair> finding_pairs() {
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
      {"devices_unknown", with_resource(hybrid, kDeviceProcesses, 1),
       "No loss is named: the program has a runtime of accelerators", hybrid},
      {"devices",
       with_resource(hybrid, kTargetOnHost, job_core_ns(hybrid) / 1000 * 193),
       "No loss is named: none is larger than the ", hybrid},
      {"ends", ended_apart(true),
       "No loss is named: most of it may be that the last checkpoints",
       ended_apart(false)},
      {"faster_code", with_cpu_time(0.96),
       "The largest gains now come from faster code", with_cpu_time(0.94)},
      {"slept", with_cpu_time(0.94),
       "In at least 6.0 % of the useful time threads slept or waited outside",
       with_cpu_time(0.96)},
      {"core_for_each",
       with_resource(test::report_without_loss(), kWaitedForCore, 400 * kMs),
       "The largest gain now comes from a core", good},
      {"loss", moving, "The largest loss, 50.0 %, is MPI Transfer (50.0): time",
       lacking_cores(0.51)},
      {"loss_in_doubt", lacking_cores(0.51),
       "The largest loss, 19.0 %, is OpenMP Load Balance (73.3): it may be",
       lacking_cores(0.49)},
      {"ends_of_loss", unequal_until(1800, true),
       "Up to 5.0 points of it may be time after the last checkpoints",
       unequal_until(1800, false)},
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
      {"in_bars", moving, "In the bars MPI Transfer is MPI (50.0 %).", denied},
      {"bars_wait", alone(50, 50, 80), "Most of it is waiting to the bars, and",
       alone(50, 50, 20)},
      {"bars_move_data", alone(50, 95, 10),
       "Most of it is transfer to the bars, as is", alone(50, 95, 80)},
      {"agreed", moving,
       "The multiplicative model and the additive model agree that it is "
       "MPI's.",
       report_of(only_mpi)},
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
      {"gain_not_known", without_resource(moving, kWaitedForCore),
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
      {"explain", moving, "poprt explain mpi_transfer_efficiency", good},
  };
}

// Both ranks move data, for this long in MPI-IO, and in parallel regions.
JobReport moving_with(int64_t io, int64_t inside = 0) {
  Job job = moving_data();
  job.waiting_ns = 20 * kMs;
  JobReport report = report_of(job);
  auto& amounts = report.regions[0].totals.amounts;
  set_amount(kMpiIo.name, io * kMs, &amounts);
  set_amount(kMpiInside.name, inside * kMs, &amounts);
  return report;
}

// The first rank has more work, and both read files.
JobReport unequal_with_io(int64_t io) {
  JobReport report = on_one_node(unequal_work());
  set_amount(kMpiIo.name, io * kMs, &report.regions[0].totals.amounts);
  return report;
}

// Two threads: the second has no work outside of parallel regions, and this
// much in them.
JobReport two_threads(int64_t serial, int64_t inside, int64_t of_second) {
  ProcessTimes each;
  each.elapsed = (serial + inside) * kMs;
  each.parallel = inside * kMs;
  each.threads = {{serial * kMs, inside * kMs}, {0, of_second * kMs}};
  const int64_t all = serial + inside;
  JobReport report = report_of({{each}, clocks_of(all, all, all, all, all)});
  set_amount(kOpenMpSerialised.name, 0, &report.regions[0].totals.amounts);
  return report;
}

JobReport serialised(int64_t ms) {
  JobReport report = two_threads(100, 1000, 300);
  set_amount(kOpenMpSerialised.name, ms * kMs,
             &report.regions[0].totals.amounts);
  return report;
}

// Node 1 and node 2 have ranks with this useful time.
JobReport on_nodes(const std::vector<int64_t>& useful) {
  Job job = {{}, clocks_of(90, 90, 90, 100, 100)};
  for (const int64_t each : useful) {
    job.processes.push_back(process(100, each, 100 - each));
    job.processes.back().host = job.processes.size() > 2 ? "node2" : "node1";
  }
  return report_of(job);
}

// TALP measured it; workers idled for this long in MPI.
JobReport of_talp(int64_t in_mpi) {
  JobReport report = two_threads(600, 500, 500);
  report.context.imported_from = "TALP 3.5";
  RegionReport& global = report.regions[0];
  global.losses.talp.openmp_serialization_efficiency = 0.3;
  global.totals.talp_omp_serial_ns = 100;
  global.totals.talp_mpi_worker_idle_ns = in_mpi;
  return report;
}

JobReport with_unknown(int64_t ms) {
  Job job = moving_data();
  job.waiting_ns = 0;
  JobReport report = report_of(job);
  set_amount(kMpiUnknown.name, ms * kMs, &report.regions[0].totals.amounts);
  return report;
}

// Two ranks of one thread that call accelerators, in ms.
JobReport with_calls(int64_t waiting, int64_t copying, int64_t launching,
                     int64_t mpi = 0) {
  ProcessTimes each;
  each.elapsed = 1000 * kMs;
  each.threads = {{0,
                   0,
                   mpi * kMs,
                   0,
                   0,
                   {waiting * kMs, copying * kMs, launching * kMs},
                   {}}};
  const int64_t useful =
      each.elapsed - mpi * kMs - each.threads[0].accelerator();
  each.threads[0].useful_outside = useful;
  Job job = {{each, each},
             {useful, useful, (1000 - mpi) * kMs, 1000 * kMs, 1000 * kMs}};
  job.openmp = false;
  job.waiting_ns = 0;
  const JobReport report = report_of(job);
  JobTotals totals = report.totals;
  totals.has_devices = true;
  totals.regions = {report.regions[0].totals};
  return make_report(report.context, std::move(totals));
}

std::vector<Pair> meaning_pairs() {
  const JobReport moving = moving_with(0);
  return {
      {"cause", moving, "time goes into moving data",
       report_of(without_loss())},
      {"all_io", moving_with(50),
       "50.0 % of the time in MPI is MPI-IO, reading and writing files",
       moving_with(49)},
      {"io_besides", unequal_with_io(100),
       "time; 62.5 % of the time in MPI is MPI-IO", unequal_with_io(70)},
      {"more_io", moving_with(45), "time goes into reading and writing files",
       moving_with(39)},
      {"waits_for_io", moving_with(49),
       "time; 49.0 % of the time in MPI is MPI", moving_with(10)},
      {"locks", serialised(900), "threads wait for locks, in critical or",
       serialised(0)},
      {"mpi_inside", moving_with(0, 50),
       "time; 50.0 % of the time in MPI is inside parallel regions",
       moving_with(0, 49)},
      {"threads_outside", two_threads(600, 500, 500),
       "threads are idle outside of parallel", two_threads(100, 1000, 300)},
      {"threads_inside", two_threads(100, 1000, 300),
       "some threads have more work than others", two_threads(600, 500, 500)},
      {"inside_nodes", on_nodes({90, 50, 90, 50}), "time, mostly inside nodes",
       on_nodes({90, 90, 50, 50})},
      {"between_nodes", on_nodes({90, 90, 50, 50}),
       "time, mostly between nodes", on_nodes({90, 50, 90, 50})},
      {"idle_or_in_mpi", of_talp(49), "time or its process is in MPI",
       of_talp(50)},
      {"idle_in_mpi", of_talp(50),
       "threads idle while their process is in MPI (mpi_worker_idle)",
       of_talp(49)},
      {"holds_accelerator", with_calls(100, 0, 0, 500),
       "time in MPI, in the OpenMP runtime and in calls to accelerators (10.0",
       with_calls(500, 0, 0, 100)},
      {"unknown_calls", with_unknown(60),
       "whether calls waited or moved data is not known for 30.0 % of the",
       with_unknown(40)},
  };
}

std::vector<Pair> advice_pairs() {
  const JobReport denied = report_of(waiting_for_openmp());
  Job waiting = waiting_for_openmp();
  waiting.waiting_ns = 56 * kMs;
  const JobReport believed = report_of(waiting);
  return {
      {"do_not_agree", denied,
       "The models of this run do not agree: MPI Transfer", moving_with(0)},
      {"compare_models", denied, "Compare them (poprt report --model all)",
       believed},
      {"believe_one", believed, "Believe the latter: 98.2 %", denied},
      {"fewer_accesses", moving_with(50),
       "50.0 % of the time in MPI is MPI-IO: fewer and larger accesses",
       moving_with(49)},
      {"shorter_locks", serialised(600),
       "85.7 % of what parallel regions lose is waits for locks",
       serialised(0)},
      {"work_meanwhile", with_calls(300, 200, 100),
       "Let the cores work while the device does", with_calls(200, 300, 100)},
      {"copy_less", with_calls(200, 300, 100), "Keep data on the device",
       with_calls(300, 200, 100)},
      {"launch_less", with_calls(100, 200, 300), "Use fewer and larger kernels",
       with_calls(300, 200, 100)},
  };
}

TEST(Sentences, PraiseNothingWhereARankIsMissing) {
  const JobReport report = without_a_rank();
  EXPECT_EQ("98.0 % of the measured core time was useful.",
            said(report, "useful_measured"));
  for (const char* const key : {"useful", "faster_code", "core_for_each"}) {
    EXPECT_EQ("", said(report, key)) << key;
  }
}

// A twenty-fifth of the loss is not worth a word.
TEST(Sentences, SayHowMuchOfTheLossMayBeTimeAfterTheEnd) {
  EXPECT_EQ("", said(unequal_until(1960, true), "ends_of_loss"));
  EXPECT_NE("", said(unequal_until(1800, true), "ends_of_loss"));
}

TEST(Sentences, EachIsSaidWhereItIsTrueAndOnlyThere) {
  std::vector<std::string> keys;
  for (const Part part : kParts) {
    for (const auto& each : sentences(part)) keys.emplace_back(each.key);
  }
  for (const auto& each : meanings()) keys.emplace_back(each.key);
  for (const auto& each : advice_sentences()) keys.emplace_back(each.key);
  std::vector<Pair> pairs = finding_pairs();
  std::ranges::move(meaning_pairs(), std::back_inserter(pairs));
  std::ranges::move(advice_pairs(), std::back_inserter(pairs));
  test::expect_pairs(keys, pairs, said);
}

// What is said is in the finding, word by word.
TEST(Sentences, AreTheFinding) {
  for (const Pair& pair : finding_pairs()) {
    std::string text;
    for (const Finding& each : main_finding(pair.with)) {
      text += each.sentence + " ";
    }
    text += loss_among_bars(pair.with) + next_step(pair.with, "run.json");
    EXPECT_HAS(text, pair.words);
  }
}

// Where the kernel does not tell how long threads waited for a core, and there
// are fewer of them than threads.
TEST(Sentences, OfALossThatMayBeWaitsForCoresThatAreNotKnown) {
  JobReport report = without_resource(lacking_cores(0), kWaitedForCore);
  EXPECT_EQ("", said(report, "loss_in_doubt"));
  set_amount(kCrowdedProcesses.name, 2, &report.totals.resources);
  EXPECT_NE("", said(report, "loss_in_doubt"));
  EXPECT_EQ("", said(report, "loss"));
}

// What is neither waiting nor transfer is known where those are.
TEST(Sentences, OfCallsThatAreNotKnownWithoutTheirSum) {
  JobReport report = with_unknown(60);
  std::vector<Amount>& amounts = report.regions[0].totals.amounts;
  set_amount(kMpiTransfer.name, amount(amounts, kMpiTransfer.name) - 60 * kMs,
             &amounts);
  test::forget(kMpiUnknown.name, &amounts);
  EXPECT_NE("", said(report, "unknown_calls"));
  test::forget(kMpiTransfer.name, &amounts);
  EXPECT_EQ("", said(report, "unknown_calls"));
}

// Nobody is named who does not stand out, or stands for all.
TEST(Sentences, NameNobodyAmongEquals) {
  Job job = unequal_work();
  for (const size_t rank : {0, 1, 2})
    job.processes[rank] = process(100, 90, 10);
  EXPECT_EQ("", said(with_rows(job), "slow_ranks"));
  for (const char* const key : {"inside_nodes", "between_nodes"}) {
    EXPECT_EQ("", said(on_one_node(unequal_work()), key));
  }
  EXPECT_EQ("", said(unequal_threads(30), "slow_thread"));
  JobReport report = with_rows(unequal_work());
  report.regions[0].totals.rows[3].useful_max_ns = 89 * kMs;
  EXPECT_EQ("Ranks 2 and 3 did 1.3 times the useful work of the mean rank.",
            said(report, "slow_ranks"));
}

}  // namespace
}  // namespace poprt
