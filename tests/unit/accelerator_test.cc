// Calls to accelerators in the models: runs whose numbers are known, and what
// always holds.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/device_amounts.h"
#include "model/quantities.h"
#include "report/core_time.h"
#include "report/findings.h"
#include "report/reasons.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "share_of_cases.h"
#include "unit/as_text.h"
#include "unit/finding_jobs.h"
#include "unit/golden.h"
#include "unit/has.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

using test::AcceleratorTimes;
using test::Clocks;
using test::Job;
using test::kMs;
using test::ProcessTimes;
using test::report_of;
using test::ThreadTimes;

constexpr int kTries = 300 / kShare;
constexpr Layers kAll;
const std::vector<Model> kAllModels(std::begin(kModels), std::end(kModels));

int64_t ns(double ms) { return std::llround(ms * 1e6); }

// What the only thread of a rank did, in ms.
struct Host {
  double useful;
  double mpi;
  AcceleratorTimes calls;
};

Host host(double useful, double mpi, double waiting, double copying,
          double launching) {
  return {useful, mpi, {ns(waiting), ns(copying), ns(launching)}};
}

ProcessTimes process_of(const Host& host) {
  ProcessTimes process;
  process.threads = {{ns(host.useful), 0, ns(host.mpi), 0, 0, host.calls, {}}};
  process.elapsed =
      ns(host.useful) + ns(host.mpi) + process.threads[0].accelerator();
  return process;
}

RegionTotals region_of(const std::vector<Host>& hosts) {
  std::vector<ProcessTimes> processes;
  int64_t useful_max = 0;
  int64_t run = 0;
  int64_t outside_max = 0;
  for (const Host& each : hosts) {
    processes.push_back(process_of(each));
    useful_max = std::max(useful_max, ns(each.useful));
    run = std::max(run, processes.back().elapsed);
    outside_max = std::max(outside_max, processes.back().outside_mpi());
  }
  return test::combined("Global", processes,
                        {useful_max, useful_max, outside_max, run, run, run});
}

// In per cent, as an independent model of these programs prints them.
struct Example {
  const char* name;
  std::vector<Host> hosts;
  double x_parallel, x_communication, x_balance;
  double mpi_parallel;
  double talp_parallel, offload;
  double waiting, copying, launching;  // of the core time
};

const double kNone = std::nan("");

std::vector<Example> examples() {
  return {
      {"a kernel under work of the host",
       {host(60, 0, 40, 0, 0.01), host(60, 0, 40, 0, 0.01)},
       60.0,
       60.0,
       100.0,
       100.0,
       60.0,
       60.0,
       40.0,
       0,
       0},
      {"copies of unequal length",
       {host(5, 20, 59.99, 40, 0.03), host(5, 0, 59.99, 60, 0.03)},
       4.3,
       4.0,
       108.7,
       92.0,
       4.0,
       4.3,
       48.0,
       40.0,
       0},
      {"unequal kernels",
       {host(0, 0, 100, 0, 0.01), host(0, 50, 50, 0, 0.01)},
       0,
       0,
       kNone,
       75.0,
       0,
       0,
       75.0,
       0,
       0},
      {"a chain of two kernels",
       {host(0, 100.01, 100, 0, 0.01), host(0, 100.01, 100, 0, 0.01)},
       0,
       0,
       kNone,
       50.0,
       0,
       0,
       50.0,
       0,
       0},
      {"a kernel while its host is in MPI",
       {host(5, 74.99, 20.01, 0, 0.01), host(80, 20.01, 0, 0, 0)},
       80.9,
       100.0,
       80.9,
       52.5,
       42.5,
       80.9,
       10.0,
       0,
       0},
      {"one device for two ranks",
       {host(10, 40, 40, 0, 0.01), host(10, 0, 80, 0, 0.01)},
       14.3,
       11.1,
       128.6,
       77.8,
       11.1,
       14.3,
       66.7,
       0,
       0},
      {"two devices of one rank",
       {host(20, 0, 80, 0, 0.02)},
       20.0,
       20.0,
       100.0,
       100.0,
       20.0,
       20.0,
       80.0,
       0,
       0},
      {"a kernel launched in one region that runs in another",
       {host(40, 0, 50, 0, 0.01)},
       44.4,
       44.4,
       100.0,
       100.0,
       44.4,
       44.4,
       55.5,
       0,
       0},
  };
}

void expect_percent(double printed, double value) {
  if (std::isnan(printed)) {
    EXPECT_TRUE(std::isnan(value));
  } else {
    EXPECT_NEAR(printed, 100 * value, 0.06);
  }
}

// A clock weighs what the one before it weighs, and more: so paths in them are
// in this order, whatever a program does.
TEST(Accelerator, WeighsNoLessInEachClockThanInTheOneBefore) {
  const auto rank = [](Weight weight) {
    return weight == Weight::kNever ? 0 : weight == Weight::kAlways ? 2 : 1;
  };
  for (const StateEntry& state : kStateTable) {
    const StateEntry::Weights& w = state.weights;
    EXPECT_LE(rank(w.cue), rank(w.com)) << state.key;
    EXPECT_LE(rank(w.com), rank(w.comp)) << state.key;
    EXPECT_LE(rank(w.comp), rank(w.all)) << state.key;
    EXPECT_LE(rank(w.cue), rank(w.coow)) << state.key;
    EXPECT_LE(rank(w.coow), rank(w.coo)) << state.key;
    EXPECT_LE(rank(w.coo), rank(w.all)) << state.key;
  }
  const StateEntry::Weights& w = entry_of(State::kAccelerator).weights;
  EXPECT_EQ(Weight::kNever, w.cue);
  for (const Weight weight : {w.com, w.comp, w.coo, w.coow, w.all}) {
    EXPECT_EQ(Weight::kAlways, weight);
  }
}

TEST(Accelerator, HasTheNumbersOfKnownProgramsInEachModel) {
  Layers layers;
  layers.of_program.reset(static_cast<size_t>(EventLayer::kOpenMp));
  for (const Example& e : examples()) {
    SCOPED_TRACE(e.name);
    const Metrics m = metrics_of(region_of(e.hosts), layers);
    const MultiplicativeMetrics& x = m.multiplicative;
    expect_percent(e.x_parallel, x.accelerator_parallel_efficiency);
    expect_percent(e.x_communication, x.accelerator_communication_efficiency);
    expect_percent(e.x_balance, x.accelerator_load_balance);
    expect_percent(e.mpi_parallel, x.mpi_parallel_efficiency);
    expect_percent(e.talp_parallel, m.talp.parallel_efficiency);
    expect_percent(e.offload, m.talp.device_offload_efficiency);
    const AdditiveMetrics& a = m.additive;
    expect_percent(e.mpi_parallel, a.process_efficiency);
    expect_percent(100 - e.waiting, a.accelerator_waiting_efficiency);
    expect_percent(100 - e.copying, a.accelerator_copying_efficiency);
    expect_percent(100 - e.launching, a.accelerator_launching_efficiency);
    EXPECT_NEAR(a.parallel_efficiency - 1,
                (a.process_efficiency - 1) + (a.accelerator_efficiency - 1),
                1e-9);
    // A wait for a device is never transfer in MPI.
    for (const PathMetrics& path : {m.critical_path, m.waiting}) {
      EXPECT_TRUE(std::isnan(path.mpi_transfer_efficiency));
      EXPECT_TRUE(std::isnan(path.mpi_communication_efficiency));
      EXPECT_TRUE(std::isnan(path.mpi_parallel_efficiency));
    }
    EXPECT_EQ(m.pop.transfer_efficiency, m.critical_path.transfer_efficiency);
  }
}

// A process of two threads that does everything that there is, in ms.
ProcessTimes of_three_layers() {
  const auto times = [](double waiting, double copying, double launching) {
    return AcceleratorTimes{ns(waiting), ns(copying), ns(launching)};
  };
  ProcessTimes process;
  process.elapsed = ns(100);
  process.parallel = ns(60);
  process.threads = {
      {ns(20), ns(40), ns(5), 0, 0, times(10, 4, 1), times(12, 0, 3)},
      {0, ns(50), 0, 0, 0, {}, {}}};
  return process;
}

TEST(Accelerator, IsBetweenMpiAndOpenMpWhereThereAreAllThree) {
  const RegionTotals region =
      test::combined("Global", {of_three_layers()},
                     {ns(80), ns(80), ns(95), ns(100), ns(100), ns(100)});
  const Metrics metrics = metrics_of(region, kAll);
  const MultiplicativeMetrics& m = metrics.multiplicative;
  EXPECT_DOUBLE_EQ(0.55, m.parallel_efficiency);
  EXPECT_DOUBLE_EQ(0.95, m.mpi_parallel_efficiency);
  EXPECT_DOUBLE_EQ(65.0 / 95, m.accelerator_parallel_efficiency);
  EXPECT_DOUBLE_EQ(55.0 / 65, m.openmp_parallel_efficiency);
  // The primary thread's calls outside cost both threads.
  const AdditiveMetrics& a = metrics.additive;
  EXPECT_DOUBLE_EQ(0.95, a.process_efficiency);
  EXPECT_DOUBLE_EQ(1 - 45.0 / 200, a.accelerator_efficiency);
  EXPECT_DOUBLE_EQ(1 - 32.0 / 200, a.accelerator_waiting_efficiency);
  EXPECT_DOUBLE_EQ(1 - 8.0 / 200, a.accelerator_copying_efficiency);
  EXPECT_DOUBLE_EQ(1 - 5.0 / 200, a.accelerator_launching_efficiency);
  EXPECT_DOUBLE_EQ(0.9, a.serial_region_efficiency);
  EXPECT_DOUBLE_EQ(1 - 15.0 / 200, a.openmp_region_efficiency);
  EXPECT_DOUBLE_EQ(1 - 35.0 / 200, a.thread_efficiency);
  EXPECT_DOUBLE_EQ((55 + 27.5) / 97.5, metrics.talp.device_offload_efficiency);
  EXPECT_DOUBLE_EQ(0.55, metrics.talp.parallel_efficiency);
}

TEST(Accelerator, AddsUpAndMultipliesInRandomJobs) {
  std::mt19937 random(1);
  for (int i = 0; i < kTries; ++i) {
    const auto processes =
        test::random_processes(&random, /*accelerators=*/true);
    const RegionTotals region =
        test::combined("r", processes, test::random_clocks(processes, &random));
    EXPECT_EQ(region.elapsed_weighted_ns, in_all_states_ns(region));
    EXPECT_EQ(region.accelerator_sum_ns,
              amount(region, kAcceleratorWaiting) +
                  amount(region, kAcceleratorCopying) +
                  amount(region, kAcceleratorLaunching));
    const Metrics metrics = metrics_of(region, kAll);
    const Metrics losses = losses_of(region, kAll);
    const AdditiveMetrics& a = metrics.additive;
    EXPECT_NEAR(a.parallel_efficiency - 1,
                (a.process_efficiency - 1) + (a.thread_efficiency - 1) +
                    (a.accelerator_efficiency - 1),
                1e-9);
    EXPECT_NEAR(a.accelerator_efficiency - 1,
                (a.accelerator_waiting_efficiency - 1) +
                    (a.accelerator_copying_efficiency - 1) +
                    (a.accelerator_launching_efficiency - 1),
                1e-9);
    EXPECT_NEAR(a.openmp_region_efficiency - 1,
                (a.openmp_region_load_balance - 1) +
                    (a.openmp_region_serialisation_efficiency - 1) +
                    (a.openmp_region_mpi_efficiency - 1) +
                    (a.openmp_region_scheduling_efficiency - 1) +
                    (a.openmp_region_start_efficiency - 1) +
                    (a.openmp_region_accelerator_efficiency - 1),
                1e-9);
    const MultiplicativeMetrics& m = metrics.multiplicative;
    EXPECT_NEAR(m.parallel_efficiency,
                m.mpi_parallel_efficiency * m.accelerator_parallel_efficiency *
                    m.openmp_parallel_efficiency,
                1e-9);
    EXPECT_NEAR(
        m.load_balance,
        m.mpi_load_balance * m.accelerator_load_balance * m.openmp_load_balance,
        1e-9);
    EXPECT_NEAR(
        m.accelerator_parallel_efficiency,
        m.accelerator_load_balance * m.accelerator_communication_efficiency,
        1e-9);
    EXPECT_LE(m.accelerator_parallel_efficiency, 1 + 1e-9);
    EXPECT_LE(m.accelerator_communication_efficiency, 1 + 1e-9);
    const MultiplicativeMetrics& lost = losses.multiplicative;
    EXPECT_NEAR(lost.parallel_efficiency,
                lost.mpi_parallel_efficiency +
                    lost.accelerator_parallel_efficiency +
                    lost.openmp_parallel_efficiency,
                1e-9);
    EXPECT_NEAR(lost.accelerator_parallel_efficiency,
                lost.accelerator_load_balance +
                    lost.accelerator_communication_efficiency,
                1e-9);
    const TalpMetrics& t = losses.talp;
    EXPECT_NEAR(t.parallel_efficiency,
                t.mpi_parallel_efficiency + t.openmp_parallel_efficiency +
                    t.device_offload_efficiency,
                1e-9);
  }
}

// A run in which one region waits for devices, and another one moves data.
JobReport of_two_regions() {
  Job job = {
      {process_of(host(50, 10, 30, 8, 2)), process_of(host(50, 10, 30, 8, 2))},
      {ns(50), ns(50), ns(90), ns(100), ns(100), ns(95)}};
  job.openmp = false;
  RegionTotals exchange = test::combined(
      "exchange",
      {test::mpi_process(ns(10), ns(20)), test::mpi_process(ns(10), ns(20))},
      {ns(10), ns(10), ns(10), ns(20), ns(20), ns(20)});
  job.others = {exchange};
  JobReport report = report_of(job);
  JobTotals totals = report.totals;
  totals.has_devices = true;
  for (const RegionReport& each : report.regions) {
    totals.regions.push_back(each.totals);
  }
  std::ranges::sort(totals.regions, {}, &RegionTotals::key);
  return make_report(report.context, std::move(totals));
}

TEST(Accelerator, HidesTransferOnlyInTheRegionsThatHaveIt) {
  const JobReport report = of_two_regions();
  const auto transfer = [](const RegionReport& region, Model model) {
    for (const Metric& metric : metrics_in(model)) {
      if (metric.key == std::string_view("mpi_transfer_efficiency")) {
        return std::pair(metric.value(region.metrics),
                         undefined_reason(region, metric));
      }
    }
    return std::pair(0.0, std::string());
  };
  const RegionReport& global = report.regions[0];
  const RegionReport& exchange = report.regions[1];
  for (const Model model : {Model::kCriticalPath, Model::kWaiting}) {
    EXPECT_TRUE(std::isnan(transfer(global, model).first));
    EXPECT_HAS(transfer(global, model).second, "calls to accelerators");
    EXPECT_DOUBLE_EQ(0.5, transfer(exchange, model).first);
  }
  const std::string text = to_text(report, {Model::kCriticalPath}, "");
  EXPECT_HAS(text, "between its two clocks are also the calls to");
}

std::string words_of(const JobReport& report) {
  std::string words;
  for (const Finding& each : main_finding(report)) {
    words += each.sentence + " " + each.advice + " ";
  }
  return words;
}

JobReport with_calls(AcceleratorTimes calls) {
  ProcessTimes process;
  process.elapsed = 1000 * kMs;
  process.threads = {{0, 0, 50 * kMs, 0, 0, calls, {}}};
  process.threads[0].useful_outside = process.elapsed - 50 * kMs - calls.all();
  const int64_t useful = process.threads[0].useful();
  Job job = {{process, process},
             {useful, useful, 950 * kMs, 1000 * kMs, 1000 * kMs}};
  job.openmp = false;
  job.waiting_ns = 0;
  JobReport report = report_of(job);
  JobTotals totals = report.totals;
  totals.has_devices = true;
  totals.regions = {report.regions[0].totals};
  return make_report(report.context, std::move(totals));
}

TEST(Accelerator, IsNamedAsTheLargestLossWithAdvice) {
  const std::string waiting = words_of(with_calls({400 * kMs, 90 * kMs, 1}));
  EXPECT_HAS(waiting,
             "The largest loss, 40.0 %, is Device Waiting (60.0): cores wait "
             "until a device has done its work.");
  EXPECT_HAS(waiting, "Let the cores work while the device does");
  EXPECT_HAS(words_of(with_calls({90 * kMs, 400 * kMs, 1})),
             "is Blocking Copy (60.0): cores wait in copies");
  EXPECT_HAS(words_of(with_calls({1, 90 * kMs, 400 * kMs})),
             "is Launch (60.0): cores launch work");
}

// Where transfer in MPI may have lost more, the row of both is named.
TEST(Accelerator, IsNotNamedBeforeATransferThatMayBeLarger) {
  ProcessTimes process = process_of(host(400, 500, 100, 0, 0));
  Job job = {{process, process},
             {ns(400), ns(400), ns(500), ns(1000), ns(1000)}};
  job.openmp = false;
  job.waiting_ns = 0;
  JobReport report = report_of(job);
  JobTotals totals = report.totals;
  totals.has_devices = true;
  totals.regions = {report.regions[0].totals};
  report = make_report(report.context, totals);
  const std::string words = words_of(report);
  EXPECT_HAS(words, "is Transfer (40.0)");
  EXPECT_HAS(words, "in calls to accelerators (10.0 % of the core time)");
  EXPECT_HAS(words, "MPI, OpenMP and calls to accelerators take no time");
  // If waiting in MPI is known, transfer has lost nothing.
  set_amount(kMpiWaiting.name, ns(1000), &totals.regions[0].amounts);
  set_amount(kMpiTransfer.name, 0, &totals.regions[0].amounts);
  EXPECT_HAS(words_of(make_report(report.context, totals)),
             "is Device Waiting (90.0)");
}

// What is measured is named also where there is a runtime that is not.
TEST(Accelerator, IsNamedBesideARuntimeThatIsNotMeasured) {
  JobReport report = with_calls({400 * kMs, 0, 0});
  set_amount(kDeviceProcesses.name, 1, &report.totals.resources);
  EXPECT_HAS(words_of(report), "is Device Waiting");
  JobReport other = with_calls({0, 0, 1});
  set_amount(kDeviceProcesses.name, 1, &other.totals.resources);
  EXPECT_LACKS(words_of(other), "The largest loss");
}

TEST(Accelerator, HasThreeBarsAndThatOfThreadsThatIdleMeanwhile) {
  const JobReport report = test::accelerated_report();
  std::string keys;
  double sum = 0;
  for (const Bar& bar : core_time_bars(report).bars) {
    keys += bar.key + " ";
    sum += bar.part;
  }
  EXPECT_HAS(keys,
             "accelerator_waiting accelerator_copying "
             "accelerator_launching");
  EXPECT_HAS(keys, "openmp_idle_in_accelerator");
  EXPECT_NEAR(1, sum, 1e-9);
}

TEST(Accelerator, IsInTheGoldenReport) {
  test::expect_golden_of_version(
      "accelerated-all.txt",
      to_text(test::accelerated_report(), kAllModels, ""), "poprt ", " ");
}

TEST(Accelerator, IsTheSameAfterTheRunFile) {
  const JobReport report = test::accelerated_report(/*rows=*/true);
  const std::string text = to_json(report);
  std::string complaint;
  const auto again = parse_run_file(text, "run.json", &complaint);
  ASSERT_TRUE(again) << complaint;
  EXPECT_EQ(text, to_json(*again));
  EXPECT_TRUE(again->totals.has_devices);
  const RegionTotals& before = report.regions[0].totals;
  const RegionTotals& after = again->regions[0].totals;
  EXPECT_LT(0, after.accelerator_sum_ns);
  EXPECT_EQ(before.accelerator_sum_ns, after.accelerator_sum_ns);
  for (const Quantity* const quantity :
       {&kAcceleratorWaiting, &kAcceleratorCopying, &kAcceleratorLaunching,
        &kLostWaiting, &kTalpAccelerator}) {
    EXPECT_EQ(amount(before, *quantity), amount(after, *quantity));
    EXPECT_LT(0, amount(after, *quantity)) << quantity->name;
  }
}

// In a program that uses none nothing is said of them.
TEST(Accelerator, IsNoWordWhereThereIsNone) {
  const std::string text = to_text(test::hybrid_report(), kAllModels, "");
  EXPECT_LACKS(text, "ccelerator");
  EXPECT_LACKS(text, "Device");
}

}  // namespace
}  // namespace poprt
