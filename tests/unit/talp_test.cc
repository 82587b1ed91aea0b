// TALP's files: runs written as such, and read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "exchange/formats.h"
#include "exchange/talp_import.h"
#include "exchange/talp_times.h"
#include "model/metric_table.h"
#include "noted.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "share_of_cases.h"
#include "unit/as_text.h"
#include "unit/has.h"
#include "unit/sample_reports.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<Model> kAllModels(std::begin(kModels), std::end(kModels));

JobReport imported(const std::string& text) {
  std::string complaint;
  auto report = parse_talp(text, "talp_2x2.json", &complaint);
  EXPECT_TRUE(report.has_value()) << complaint;
  return report ? *std::move(report) : JobReport();
}

std::string complaint_about(const std::string& text) {
  std::string complaint;
  const auto report = parse_talp(text, "talp.json", &complaint);
  EXPECT_EQ(report.has_value(), complaint.empty()) << complaint;
  EXPECT_EQ(std::string::npos, complaint.find('\n')) << complaint;
  return complaint;
}

Json small_talp() { return Json::parse(to_talp(test::small_report())); }

std::string complaint_after(const std::string& pointer, const Json& value) {
  Json json = small_talp();
  json[Json::json_pointer(pointer)] = value;
  return complaint_about(json.dump());
}

void expect_same_talp(const TalpMetrics& a, const TalpMetrics& b) {
  Metrics left;
  Metrics right;
  left.talp = a;
  right.talp = b;
  for (const Metric& metric : metrics_in(Model::kTalp)) {
    // Of a run without accelerators.
    if (std::isnan(metric.value(left)) && std::isnan(metric.value(right))) {
      continue;
    }
    EXPECT_NEAR(metric.value(left), metric.value(right), 1e-6) << metric.key;
  }
}

// --- to TALP -----------------------------------------------------------------

// 2 ranks x 2 threads, 1 s each.  Rank 0: MPI 90 ms; rank 1: 310 ms.
TEST(ToTalp, SumsAreOverAllThreads) {
  const Json global = small_talp()["Application"]["Global"];
  EXPECT_EQ(4, global["numCpus"]);
  EXPECT_EQ(2, global["numMpiRanks"]);
  EXPECT_EQ(1, global["numNodes"]);
  EXPECT_EQ(1000000000, global["elapsedTime"]);
  EXPECT_EQ(2770000000, global["usefulTime"]);
  EXPECT_EQ(400000000, global["mpiTime"]);
  // The time of the other thread of each rank meanwhile.
  EXPECT_EQ(400000000, global["mpiWorkerIdleTime"]);
  const int64_t omp = global["ompLoadImbalanceTime"].get<int64_t>() +
                      global["ompSchedulingTime"].get<int64_t>() +
                      global["ompSerializationTime"].get<int64_t>();
  EXPECT_EQ(4000000000 - 2770000000 - 400000000, omp);
  // Rank 0's MPI and idle time over its two threads.
  EXPECT_EQ(90000000, global["minMpiNormdProc"]);
  EXPECT_EQ(200000000, global["minMpiNormdNode"]);
}

TEST(ToTalp, EfficienciesAreThoseOfTheProgram) {
  TalpTimes t;
  t.cpus = 4;
  t.useful = 2000;
  t.mpi = 400;
  t.mpi_worker_idle = 200;
  t.omp_serialization = 600;
  t.omp_load_imbalance = 500;
  t.omp_scheduling = 500;
  t.elapsed = 1000;
  t.min_mpi_normd_proc = 100;
  t.min_mpi_normd_node = 120;
  const TalpMetrics m = talp_program_metrics(t);
  EXPECT_DOUBLE_EQ(2000.0 / 4000, m.parallel_efficiency);
  EXPECT_DOUBLE_EQ(850.0 / 1000, m.mpi_parallel_efficiency);
  EXPECT_DOUBLE_EQ(900.0 / 1000, m.mpi_communication_efficiency);
  EXPECT_DOUBLE_EQ(850.0 / 900, m.mpi_load_balance);
  EXPECT_DOUBLE_EQ(880.0 / 900, m.mpi_load_balance_in);
  EXPECT_DOUBLE_EQ(850.0 / 880, m.mpi_load_balance_out);
  EXPECT_DOUBLE_EQ(2400.0 / 4000, m.openmp_parallel_efficiency);
  EXPECT_DOUBLE_EQ(2400.0 / 3000, m.openmp_serialization_efficiency);
  EXPECT_DOUBLE_EQ(3000.0 / 3500, m.openmp_load_balance);
  EXPECT_DOUBLE_EQ(3500.0 / 4000, m.openmp_scheduling_efficiency);
  t.useful = 0;
  EXPECT_EQ(0, talp_program_metrics(t).openmp_load_balance);
}

// Even where ranks spend unequal time in the region.
TEST(ToTalp, EfficienciesAreShares) {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    const auto processes = test::random_processes(&random);
    const TalpTimes times =
        talp_times_of(test::combined("Global", processes, test::Clocks()));
    const TalpMetrics m = talp_program_metrics(times);
    for (const double value :
         {m.mpi_parallel_efficiency, m.mpi_communication_efficiency,
          m.mpi_load_balance, m.mpi_load_balance_in,
          m.openmp_parallel_efficiency, m.openmp_serialization_efficiency,
          m.openmp_load_balance, m.openmp_scheduling_efficiency}) {
      EXPECT_LE(0, value);
      EXPECT_GE(1 + 1e-6, value);
    }
    EXPECT_NEAR(m.mpi_load_balance,
                m.mpi_load_balance_in * m.mpi_load_balance_out, 1e-9);
    EXPECT_NEAR(m.mpi_parallel_efficiency,
                m.mpi_load_balance * m.mpi_communication_efficiency, 1e-9);
  }
}

TEST(ToTalp, HasWhatTalpPagesAsksFor) {
  const Json json = small_talp();
  EXPECT_EQ("3.5", json["dlbVersion"].get<std::string>().substr(0, 3));
  EXPECT_EQ("2026-01-02T03:04:05", json["timestamp"]);
  EXPECT_FALSE(json.contains("metadata"));
  EXPECT_EQ(4, json["resources"]["numCpus"]);
  EXPECT_EQ(2, json["resources"]["numMpiRanks"]);
  const Json& global = json["Application"]["Global"];
  for (const auto& item : global.items()) {
    EXPECT_TRUE(item.value().is_number()) << item.key();
  }
}

TEST(ToTalp, AJobWithoutMpiHasNoRanksAndNoCalls) {
  JobReport report = test::small_report();
  JobTotals totals = report.totals;
  totals.has_mpi = false;
  totals.regions = {report.regions[0].totals};
  const Json json = Json::parse(to_talp(make_report(report.context, totals)));
  EXPECT_EQ(0, json["resources"]["numMpiRanks"]);
  EXPECT_EQ(0, json["Application"]["Global"]["numMpiRanks"]);
  EXPECT_EQ(0, json["Application"]["Global"]["numMpiCalls"]);
}

// --- from TALP ---------------------------------------------------------------

TEST(FromTalp, HasTheTalpMetricsOfTheRunThatWasExported) {
  for (const JobReport& report :
       {test::hybrid_report(), test::small_report()}) {
    const JobReport back = imported(to_talp(report));
    ASSERT_FALSE(back.regions.empty());
    EXPECT_EQ(report.regions.size(), back.regions.size());
    expect_same_talp(report.regions[0].metrics.talp,
                     back.regions[0].metrics.talp);
    EXPECT_EQ(report.totals.threads, back.totals.threads);
    EXPECT_EQ(report.totals.processes, back.totals.processes);
    EXPECT_EQ(report.totals.hosts.size(), back.totals.hosts.size());
  }
}

// Processes of equal time, MPI outside parallel regions: then nothing is lost.
TEST(FromTalp, CallsToAcceleratorsAreItsGpuRuntime) {
  const JobReport report = test::accelerated_report();
  const Json global = Json::parse(to_talp(report))["Application"]["Global"];
  const int64_t all_ns = report.regions[0].totals.accelerator_sum_ns;
  EXPECT_EQ(all_ns, global["gpuRuntimeTime"]);
  EXPECT_NEAR(report.regions[0].metrics.talp.device_offload_efficiency,
              global["deviceOffloadEfficiency"].get<double>(), 1e-6);
  const JobReport back = imported(to_talp(report));
  EXPECT_TRUE(back.totals.has_devices);
  EXPECT_EQ(all_ns, back.regions[0].totals.accelerator_sum_ns);
  expect_same_talp(report.regions[0].metrics.talp,
                   back.regions[0].metrics.talp);
  const std::string text = to_text(back, {Model::kTalp}, "");
  EXPECT_HAS(text, "accelerator calls");
  EXPECT_LACKS(text, "launching");
}

TEST(FromTalp, RandomJobsComeBack) {
  std::mt19937 random(3);
  const auto below = [&](int64_t end) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
  };
  for (int i = 0; i < 200; ++i) {
    const int64_t threads = 1 + below(5);
    const int64_t elapsed = threads * (1000000 + below(1000000000));
    JobTotals job;
    for (int rank = 0; rank < 6; ++rank) {
      test::ProcessTimes process;
      process.elapsed = elapsed;
      process.host = "node" + std::to_string(rank % 3);
      process.parallel = elapsed / 2;
      process.threads.resize(static_cast<size_t>(threads));
      for (test::ThreadTimes& thread : process.threads) {
        thread.useful_inside = below(process.parallel);
      }
      process.threads[0].mpi_outside = threads * below(elapsed / threads / 4);
      process.threads[0].useful_outside = below(elapsed / 4);
      job = combine(std::move(job),
                    test::job_of(process, {test::region_of("Global", process,
                                                           test::Clocks())}));
    }
    job.has_mpi = job.has_openmp = true;
    const JobReport report = make_report({}, std::move(job));
    const JobReport back = imported(to_talp(report));
    ASSERT_EQ(1u, back.regions.size());
    expect_same_talp(report.regions[0].metrics.talp,
                     back.regions[0].metrics.talp);
  }
}

TEST(FromTalp, IsARunFileThatReadsTheSame) {
  const JobReport report = imported(to_talp(test::hybrid_report()));
  std::string complaint;
  const auto back =
      parse_run_file(to_json(report), "imported.json", &complaint);
  ASSERT_TRUE(back.has_value()) << complaint;
  EXPECT_EQ(to_json(report), to_json(*back));
  EXPECT_EQ(to_text(report, kAllModels, "f"), to_text(*back, kAllModels, "f"));
}

// Metrics that TALP does not measure are undefined, not 0 or 1.
TEST(FromTalp, OtherModelsAreUndefined) {
  const JobReport report = imported(to_talp(test::hybrid_report()));
  for (const RegionReport& region : report.regions) {
    EXPECT_FALSE(region.clocks_complete);
    for (const Metric& metric : all_metrics()) {
      // The run has neither.
      if (metric.layer == Layer::kDeviceTime) continue;
      if (metric.layer == Layer::kDevices) continue;
      EXPECT_EQ(metric.model != Model::kTalp,
                std::isnan(metric.value(region.metrics)))
          << metric.key;
    }
  }
}

TEST(FromTalp, TheReportSaysWhereItIsFrom) {
  const JobReport report = imported(to_talp(test::small_report()));
  EXPECT_EQ("TALP 3.5.3", report.context.imported_from);
  EXPECT_NOTED("imported", report.totals.quality.notes);
  std::string complaint;
  const auto own =
      parse_run_file(to_json(test::small_report()), "own.json", &complaint);
  ASSERT_TRUE(own) << complaint;
  EXPECT_NOT_NOTED("imported", own->totals.quality.notes);
  EXPECT_EQ("talp_2x2", report.context.program);
  const std::string text = to_text(report, {Model::kPop}, "");
  EXPECT_HAS(text, "measured by TALP 3.5.3");
  EXPECT_HAS(text, "overhead unknown");
  EXPECT_LACKS(text, "did not travel with all");
  EXPECT_HAS(text, "imported from");
}

// TALP writes 1.00 for a paradigm that is absent.
TEST(FromTalp, AnUncalledParadigmIsAbsent) {
  Json json = small_talp();
  Json& global = json["Application"]["Global"];
  global["numMpiCalls"] = 0;
  const JobReport without_mpi = imported(json.dump());
  EXPECT_FALSE(without_mpi.totals.has_mpi);
  EXPECT_TRUE(std::isnan(without_mpi.regions[0].metrics.talp.mpi_load_balance));
  for (const char* key : {"ompLoadImbalanceTime", "ompSchedulingTime",
                          "ompSerializationTime", "numOmpParallels"}) {
    global[key] = 0;
  }
  EXPECT_FALSE(imported(json.dump()).totals.has_openmp);
}

// DLB before 3.5 had no minMpiNormdProc; only the balance is known.
TEST(FromTalp, OlderFilesHaveTheirOwnBalance) {
  Json json = small_talp();
  Json& global = json["Application"]["Global"];
  for (const char* key :
       {"minMpiNormdProc", "minMpiNormdNode", "mpiWorkerIdleTime",
        "numMpiCalls", "numOmpParallels", "numMeasurements"}) {
    global.erase(key);
  }
  global["numNodes"] = 2;
  global["mpiLoadBalance"] = 0.91;
  global["mpiLoadBalanceOut"] = 0.95;
  const TalpMetrics m = imported(json.dump()).regions[0].metrics.talp;
  EXPECT_NEAR(0.91, m.mpi_load_balance, 1e-6);
  EXPECT_NEAR(0.95, m.mpi_load_balance_out, 1e-6);
  EXPECT_NEAR(0.91 / 0.95, m.mpi_load_balance_in, 1e-6);
}

TEST(FromTalp, ComesBackOnceMore) {
  const JobReport once = imported(to_talp(test::hybrid_report()));
  const JobReport twice = imported(to_talp(once));
  EXPECT_TRUE(twice.totals.has_mpi);
  EXPECT_TRUE(twice.totals.has_openmp);
  for (size_t i = 0; i < once.regions.size(); ++i) {
    expect_same_talp(once.regions[i].metrics.talp,
                     twice.regions[i].metrics.talp);
  }
}

TEST(FromTalp, ARegionThatNobodyEnteredIsLeftOut) {
  Json json = small_talp();
  json["Application"]["never"]["numMeasurements"] = 0;
  EXPECT_EQ(1u, imported(json.dump()).regions.size());
}

// --- damaged and malicious files ---------------------------------------------

TEST(MalformedTalp, SaysWhatIsWrong) {
  const std::string global = "/Application/Global";
  EXPECT_EQ("talp.json:1:2: the file ends too early", complaint_about("{"));
  EXPECT_EQ("talp.json: the file is not a JSON file of TALP",
            complaint_about("{\"schema\": \"poprt.run\"}"));
  EXPECT_EQ("talp.json: dlbVersion is not a string",
            complaint_after("/dlbVersion", 3.5));
  EXPECT_EQ("talp.json: Application is missing",
            complaint_about("{\"dlbVersion\": \"3.5\"}"));
  EXPECT_EQ("talp.json: Application has no region Global",
            complaint_after("/Application", Json::object()));
  EXPECT_EQ("talp.json: Application.Global.numCpus is less than 2",
            complaint_after(global + "/numCpus", 1));
  EXPECT_EQ("talp.json: Application.Global.mpiTime is not an integer",
            complaint_after(global + "/mpiTime", "much"));
  EXPECT_EQ("talp.json: Application.Global.usefulTime is less than 0",
            complaint_after(global + "/usefulTime", -1));
  EXPECT_EQ("talp.json: Application.Global has times out of range",
            complaint_after(global + "/elapsedTime", int64_t{1} << 61));
  EXPECT_EQ(
      "talp.json: Application.Global.minMpiNormdProc is not between 0 and "
      "elapsedTime",
      complaint_after(global + "/minMpiNormdProc", 1e12));
  EXPECT_EQ("talp.json: Application.a?b is not an object",
            complaint_after("/Application/a\nb", 1));
}

TEST(MalformedTalp, ManyNodesAreRefused) {
  Json json = small_talp();
  Json& global = json["Application"]["Global"];
  global["numMpiRanks"] = global["numCpus"] = global["numNodes"] = 1000000;
  EXPECT_EQ("talp.json: Application.Global has more nodes than can be imported",
            complaint_about(json.dump()));
}

// What is accepted can be computed with, written, and read again.
TEST(MalformedTalp, NastyValuesAreHarmless) {
  const Json nasty[] = {nullptr,
                        true,
                        0,
                        1,
                        -1,
                        (int64_t{1} << 62) - 1,
                        int64_t{1} << 60,
                        INT64_MIN,
                        UINT64_MAX,
                        1e300,
                        1e-300,
                        "",
                        "\x1b[2J\n",
                        Json::array(),
                        Json::object()};
  const Json whole = Json::parse(to_talp(test::hybrid_report()));
  std::mt19937 random(7);
  for (int i = 0; i < 600 / int{kShare}; ++i) {
    Json json = whole;
    for (int k = 0; k < 1 + i % 3; ++k) {
      Json& regions = json["Application"];
      Json& region = i % 4 == 0 ? regions["CommSBN"] : regions["Global"];
      auto item = region.begin();
      std::advance(item, random() % region.size());
      item.value() = nasty[random() % std::size(nasty)];
    }
    std::string complaint;
    const auto report = parse_talp(json.dump(), "talp.json", &complaint);
    ASSERT_EQ(report.has_value(), complaint.empty());
    if (!report) continue;
    ASSERT_FALSE(to_text(*report, kAllModels, "").empty());
    ASSERT_TRUE(parse_run_file(to_json(*report), "back", &complaint))
        << complaint << json.dump(1);
  }
}

TEST(MalformedTalp, RandomBytesAreHarmless) {
  std::mt19937 random(8);
  const std::string text = to_talp(test::hybrid_report());
  for (int i = 0; i < 300 / int{kShare}; ++i) {
    std::string damaged = text;
    for (int k = 0; k < 3; ++k) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    complaint_about(damaged);
  }
}

}  // namespace
}  // namespace poprt
