// Rows, bars, list and sentences of devices, of made-up jobs whose numbers one
// can compute by hand: E1 to E8 of the cases that the rows were made for.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "model/device_totals.h"
#include "model/metric_table.h"
#include "model/present_rows.h"
#include "report/csv.h"
#include "report/devices.h"
#include "report/findings.h"
#include "report/report_document.h"
#include "report/table_options.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/as_text.h"
#include "unit/finding_jobs.h"
#include "unit/golden.h"
#include "unit/has.h"
#include "unit/sample_reports.h"
#include "unit/sentence_pairs.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using test::clocks_of;
using test::kMs;
using test::process;

struct OfRegion {
  std::string name = "Global";
  int64_t elapsed;
  int64_t kernels;
  int64_t copies;
  // By what the host did: useful, MPI, OpenMP, calls, unknown; the rest of the
  // elapsed time is unknown.
  std::array<int64_t, kHostParts> idle = {};
  int64_t launched = 0;
};

// What one process has of a device; times in ms.
DeviceTotals device(const std::string& unit,
                    const std::vector<OfRegion>& regions,
                    int64_t rank = DeviceKey::kAnyProcess) {
  DeviceTotals totals;
  totals.key = {"node1", unit, rank};
  totals.name = "H100";
  totals.processes = 1;
  for (const OfRegion& each : regions) {
    DeviceTime time;
    time.kernels_ns = each.kernels * kMs;
    time.copies_ns = each.copies * kMs;
    for (size_t i = 0; i < kHostParts; ++i)
      time.idle_ns[i] = each.idle[i] * kMs;
    time.idle_ns[kHostParts - 1] += each.elapsed * kMs - time.elapsed_ns();
    DeviceRegion region = device_region(each.name, time);
    region.operations = 2;
    region.launched_kernels_ns = each.launched * kMs;
    totals.regions.push_back(std::move(region));
  }
  std::vector<DeviceTotals> one = {std::move(totals)};
  sort_devices(&one);
  return one.front();
}

// A job of ranks that each take all of the run time, in ms.
JobReport job(int64_t ranks, int64_t run_ms,
              const std::vector<DeviceTotals>& devices,
              const std::vector<std::pair<std::string, int64_t>>& others = {}) {
  test::Job made;
  for (int64_t i = 0; i < ranks; ++i) {
    made.processes.push_back(process(run_ms, run_ms, 0));
  }
  made.clocks = clocks_of(run_ms, run_ms, run_ms, run_ms, run_ms);
  JobTotals totals;
  for (const auto& each : made.processes) {
    totals = combine(
        std::move(totals),
        test::job_of(each, {test::region_of("Global", each, made.clocks)}));
  }
  for (const auto& [name, elapsed] : others) {
    const auto of_region = process(elapsed, elapsed, 0);
    totals.regions.push_back(
        test::combined(name, {of_region},
                       clocks_of(elapsed, elapsed, elapsed, elapsed, elapsed)));
  }
  std::ranges::sort(totals.regions, {}, &RegionTotals::key);
  for (const DeviceTotals& each : devices) {
    totals.devices = combine_devices(std::move(totals.devices), {each});
  }
  totals.has_mpi = true;
  totals.has_openmp = false;
  totals.has_devices = !devices.empty();
  test::know_all(&totals.resources);
  set_amount(kDeviceProcesses.name, 0, &totals.resources);
  return make_report({}, std::move(totals));
}

const RegionReport& region_of(const JobReport& report,
                              const std::string& name) {
  for (const RegionReport& each : report.regions) {
    if (each.totals.name == name) return each;
  }
  ADD_FAILURE() << "no region " << name;
  return report.regions.front();
}

struct Rows {
  double parallel, balance, communication, orchestration;
};
void expect_talp(const Rows& rows, const JobReport& report,
                 const std::string& region = "Global") {
  const TalpMetrics& talp = region_of(report, region).metrics.talp;
  EXPECT_NEAR(rows.parallel, 100 * talp.device_parallel_efficiency, 0.05);
  EXPECT_NEAR(rows.balance, 100 * talp.device_load_balance, 0.05);
  EXPECT_NEAR(rows.communication, 100 * talp.device_communication_efficiency,
              0.05);
  EXPECT_NEAR(rows.orchestration, 100 * talp.device_orchestration_efficiency,
              0.05);
  EXPECT_NEAR(talp.device_parallel_efficiency,
              talp.device_load_balance * talp.device_communication_efficiency *
                  talp.device_orchestration_efficiency,
              1e-9);
}

// 1 = kernels + copies + idle by part + rest, and the losses add up.
void expect_whole(const JobReport& report) {
  for (const RegionReport& region : report.regions) {
    const AdditiveMetrics& m = region.metrics.additive;
    const double lost = 6 - m.device_copy_efficiency -
                        m.device_host_work_efficiency -
                        m.device_mpi_efficiency - m.device_openmp_efficiency -
                        m.device_call_efficiency - m.device_rest_efficiency;
    EXPECT_NEAR(1, m.device_parallel_efficiency + lost, 1e-9);
    const TalpMetrics& losses = region.losses.talp;
    if (std::isnan(losses.device_load_balance)) continue;
    EXPECT_NEAR(losses.device_parallel_efficiency,
                losses.device_load_balance +
                    losses.device_communication_efficiency +
                    losses.device_orchestration_efficiency,
                1e-9);
  }
}

// Two ranks, a kernel of 100 each, the host works 60.
JobReport e1() {
  return job(2, 100,
             {device("a", {{"Global", 100, 100, 0}}),
              device("b", {{"Global", 100, 100, 0}})});
}
// Copies of 20 and 20 (40), a kernel of 60, then an Allreduce.
JobReport e2() {
  return job(2, 125,
             {device("a", {{"Global", 125, 60, 40, {5, 20, 0, 0}}}),
              device("b", {{"Global", 125, 60, 60, {5, 0, 0, 0}}})});
}
// Kernels of 100 and 50.
JobReport e3() {
  return job(2, 100,
             {device("a", {{"Global", 100, 100, 0}}),
              device("b", {{"Global", 100, 50, 0, {0, 50}}})});
}
// A kernel, a message, a kernel on the other.
JobReport e4() {
  return job(2, 200,
             {device("a", {{"Global", 200, 100, 0, {0, 100}}}),
              device("b", {{"Global", 200, 100, 0, {0, 100}}})});
}
// Two ranks on one device.
JobReport e6() {
  return job(2, 90,
             {device("a", {{"Global", 90, 40, 0, {10, 40}}}),
              device("a", {{"Global", 90, 40, 0, {10, 40}}})});
}
// One rank, two devices, a host that works for 20.
JobReport e7() {
  return job(1, 100,
             {device("a", {{"Global", 100, 80, 0, {20}}}),
              device("b", {{"Global", 100, 80, 0, {20}}})});
}
// Launched in solve, runs in exchange.
JobReport e8() {
  return job(1, 90,
             {device("a", {{"Global", 90, 90, 0, {}, 90},
                           {"solve", 10, 10, 0, {}, 90},
                           {"exchange", 80, 80, 0}})},
             {{"solve", 10}, {"exchange", 80}});
}

TEST(DeviceRows, OfBusyDevices) {
  expect_talp({100, 100, 100, 100}, e1());
  expect_whole(e1());
}

TEST(DeviceRows, OfCopies) {
  expect_talp({48, 100, 50, 96}, e2());
  const AdditiveMetrics& m = region_of(e2(), "Global").metrics.additive;
  EXPECT_NEAR(0.60, m.device_copy_efficiency, 1e-6);
  EXPECT_NEAR(0.92, m.device_mpi_efficiency, 1e-6);
  EXPECT_NEAR(0.96, m.device_host_work_efficiency, 1e-6);
  expect_whole(e2());
}

TEST(DeviceRows, OfUnequalDevices) {
  expect_talp({75, 75, 100, 100}, e3());
  expect_whole(e3());
}

TEST(DeviceRows, OfAChain) {
  expect_talp({50, 100, 100, 50}, e4());
  expect_whole(e4());
}

// A device that no operation was launched on is none of the job's.
TEST(DeviceRows, OfOneDeviceOfTwo) {
  const JobReport e5 = job(2, 100, {device("a", {{"Global", 100, 100, 0}})});
  expect_talp({100, 100, 100, 100}, e5);
}

TEST(DeviceRows, OfASharedDeviceAreARange) {
  const JobReport report = e6();
  ASSERT_EQ(1U, report.totals.devices.size());
  EXPECT_EQ(2, report.totals.devices[0].processes);
  EXPECT_NEAR(66.7,
              100 * report.regions[0].metrics.talp.device_parallel_efficiency,
              0.1);
  expect_whole(report);
  const std::string text = to_text(report, {Model::kTalp}, "");
  EXPECT_HAS(text, "44 to 89");
  EXPECT_HAS(to_csv(report, "x", {Model::kTalp}, {}),
             "device_parallel_efficiency,0.6666666666666666");
}

// More than one of a hundred operations without times may have been any.
TEST(DeviceRows, WithOperationsOfUnknownTimeAreARange) {
  DeviceTotals half = device("a", {{"Global", 100, 50, 0, {50}}});
  half.regions[0].operations = 200;
  half.regions[0].unknown_operations = 2;
  EXPECT_LACKS(to_text(job(1, 100, {half}), {Model::kTalp}, ""), "50 to 100");
  half.regions[0].unknown_operations = 3;
  const std::string text = to_text(job(1, 100, {half}), {Model::kTalp}, "");
  EXPECT_HAS(text, "50 to 100");
}

TEST(DeviceRows, OfSeveralDevicesOfAProcess) {
  expect_talp({80, 100, 100, 80}, e7());
  expect_whole(e7());
}

TEST(DeviceRows, OfRegionsWhileTheyAreOpen) {
  const JobReport report = e8();
  expect_talp({100, 100, 100, 100}, report, "solve");
  expect_talp({100, 100, 100, 100}, report, "exchange");
  expect_whole(report);
}

TEST(DeviceRows, AreThereOnlyWithDevices) {
  const JobReport report = job(2, 100, {});
  EXPECT_TRUE(device_time_bars(report).bars.empty());
  EXPECT_TRUE(device_list(report, 10).rows.empty());
  EXPECT_TRUE(device_table(report, {}).rows.empty());
  EXPECT_LACKS(to_text(report, {Model::kTalp, Model::kAdditive}, ""), "evice");
  EXPECT_TRUE(std::isnan(
      report.regions[0].metrics.additive.device_parallel_efficiency));
  EXPECT_EQ(
      Missing::kNoDevice,
      report.regions[0].missing.metrics[metrics_in(Model::kTalp).back().place]);
}

// A run file of a version without devices says nothing of them.
TEST(DeviceRows, OfAnOldRunFileAreNotKnown) {
  std::string text = to_json(job(1, 100, {}));
  const auto cut = [&](const std::string& from, const std::string& to) {
    const size_t begin = text.find(from);
    ASSERT_NE(std::string::npos, begin);
    text.replace(begin, from.size(), to);
  };
  cut("\"schema_version\": \"1.1\"", "\"schema_version\": \"1.0\"");
  cut("\"devices\": [],\n \"devices_left_out\": 0", "\"none\": 0");
  std::string complaint;
  const auto report = parse_run_file(text, "x", &complaint);
  ASSERT_TRUE(report) << complaint;
  EXPECT_TRUE(
      std::isnan(report->regions[0].metrics.talp.device_parallel_efficiency));
}

TEST(DeviceRows, ComeBackFromTheRunFile) {
  for (const JobReport& report : {e2(), e6(), e8()}) {
    const std::string text = to_json(report);
    std::string complaint;
    const auto back = parse_run_file(text, "x", &complaint);
    ASSERT_TRUE(back) << complaint;
    EXPECT_EQ(report.totals.devices, back->totals.devices);
    EXPECT_EQ(text, to_json(*back));
  }
}

TEST(DeviceRows, UnsortedDevicesAreRefused) {
  JobReport report = e3();
  std::swap(report.totals.devices[0], report.totals.devices[1]);
  std::string complaint;
  EXPECT_FALSE(parse_run_file(to_json(report), "x", &complaint));
  EXPECT_HAS(complaint, "not sorted");
}

TEST(DeviceBars, AddUp) {
  for (const JobReport& report : {e1(), e2(), e3(), e4(), e6(), e7(), e8()}) {
    const Bars bars = device_time_bars(report);
    int tenths = 0;
    for (const Bar& bar : bars.bars) tenths += bar.tenths;
    EXPECT_EQ(1000, tenths);
  }
  EXPECT_EQ("Where 2 devices x 125.0 ms went", device_time_bars(e2()).title);
}

TEST(DeviceList, HasThoseWithMostKernelsFirst) {
  const Table table = device_list(e3(), 1);
  ASSERT_EQ(1U, table.rows.size());
  EXPECT_EQ("H100 (a)", table.rows[0].label);
  EXPECT_EQ("and 1 more in the run file", table.more);
}

TEST(DeviceList, SaysThatCudaWasNotTriedOnAGpu) {
  JobReport report = e3();
  EXPECT_TRUE(device_list(report, 1).notes.empty());
  report.totals.quality.notes = {"CUDA: not verified on a GPU"};
  EXPECT_EQ((std::vector<std::string>{"CUDA: not verified on a GPU."}),
            device_list(report, 1).notes);
  Table table;
  add_device_notes(report, Model::kTalp, &table);
  ASSERT_EQ(2U, table.notes.size());
  EXPECT_EQ("CUDA: not verified on a GPU.", table.notes[1]);
}

TEST(DeviceList, TellsDevicesOfProcessesApart) {
  const Table table =
      device_list(job(2, 100,
                      {device("openmp 0", {{"Global", 100, 100, 0}}, 0),
                       device("openmp 0", {{"Global", 100, 50, 0}}, 1)}),
                  10);
  ASSERT_EQ(2U, table.rows.size());
  EXPECT_EQ("H100 (openmp 0) of rank 0", table.rows[0].label);
  EXPECT_EQ("H100 (openmp 0) of rank 1", table.rows[1].label);
}

// Launched in one region, and run in another one.
TEST(DeviceLaunches, AreThoseOfARegionWheneverTheyRan) {
  const Table table = device_launches(e8(), 10);
  ASSERT_EQ(2U, table.rows.size());
  EXPECT_EQ("solve", table.rows[0].label);
  EXPECT_EQ(90e6, table.rows[0].cells[0].value);
  EXPECT_EQ(10e6, table.rows[0].cells[1].value);
  EXPECT_EQ("exchange", table.rows[1].label);
  EXPECT_EQ(0, table.rows[1].cells[0].value);
  EXPECT_EQ(80e6, table.rows[1].cells[1].value);
  EXPECT_TRUE(device_launches(e1(), 10).rows.empty());
}

TEST(DeviceText, IsTheGoldenReport) {
  test::expect_golden_of_version(
      "devices.txt",
      to_text(e2(), {Model::kCriticalPath, Model::kTalp, Model::kAdditive}, ""),
      "poprt ", " ");
}

TEST(DeviceTotalsOfJobs, AreBounded) {
  std::vector<DeviceTotals> devices;
  for (int i = 0; i < 1030; ++i) {
    devices.push_back(device(std::to_string(10000 + i), {}));
  }
  JobTotals a;
  a.devices.assign(devices.begin(), devices.begin() + 600);
  JobTotals b;
  b.devices.assign(devices.begin() + 500, devices.end());
  const JobTotals ab = combine(a, b);
  EXPECT_EQ(kDevicesMax, ab.devices.size());
  EXPECT_EQ(6, ab.devices_left_out);
  EXPECT_TRUE(test::same(ab, combine(b, a)));
}

// What is largest alone.
std::string said(const JobReport& report, const std::string& key) {
  return test::said_by(device_sentences(), key, device_finding(report));
}

JobReport idle_in(HostPart part) {
  OfRegion region = {"Global", 100, 60, 10};
  region.idle[static_cast<size_t>(part)] = 30;
  return job(1, 100, {device("a", {region})});
}

TEST(DeviceSentences, EachIsSaidWhereItIsTrue) {
  const JobReport shared = job(2, 100,
                               {device("a", {{"Global", 100, 90, 0, {10}}}),
                                device("a", {{"Global", 100, 90, 0, {10}}})});
  const std::vector<test::Pair> pairs = {
      {"device_unequal", e3(),
       "The devices have unequal work, which costs 25.0 % of their time: H100 "
       "(a) has most.",
       e1()},
      {"device_host_computes", e7(),
       "In 20.0 % of their time the devices were idle while the host computed",
       e4()},
      {"device_host_in_mpi", e4(),
       "In 50.0 % of their time the devices were idle while the host was in "
       "MPI",
       e7()},
      {"device_host_in_openmp", idle_in(HostPart::kOpenMp),
       "In 30.0 % of its time the device was idle while the host's threads "
       "were in OpenMP",
       e1()},
      {"device_host_in_calls", idle_in(HostPart::kAccelerator),
       "In 30.0 % of its time the device was idle while the host was in calls",
       e1()},
      {"device_copies", e2(),
       "In 40.0 % of their time the devices copied and computed nothing", e4()},
      {"device_shared", shared,
       "H100 (a) is at its limit, and 2 ranks share it", e7()},
  };
  std::vector<std::string> keys;
  for (const auto& each : device_sentences()) keys.emplace_back(each.key);
  test::expect_pairs(keys, pairs, said);
}

TEST(DeviceSentences, AreInTheMainFinding) {
  const std::vector<Finding> findings = main_finding(e4());
  ASSERT_FALSE(findings.empty());
  EXPECT_HAS(findings.back().sentence, "idle while the host was in MPI");
  EXPECT_EQ("additive.device_mpi_efficiency", findings.back().metric);
  EXPECT_EQ(DeviceFinding::Kind::kNone, device_finding(e1()).kind);
}

}  // namespace
}  // namespace poprt
