#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"
#include "model/missing.h"
#include "model/quantities.h"
#include "report/processes.h"
#include "run_file/key_reader.h"
#include "run_file/keys.h"
#include "run_file/reader.h"
#include "run_file/schema.h"
#include "run_file/writer.h"
#include "share_of_cases.h"
#include "unit/as_text.h"
#include "unit/golden.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

const std::vector<Model> kAllModels(std::begin(kModels), std::end(kModels));
// Without and with rows of processes.
constexpr const char* kGolden[] = {"hybrid", "rows"};

std::string golden(const std::string& name) {
  return test::golden_text("run_file/" + name + ".json");
}

// The complaint about a file that is refused; empty where it is read.
std::string complaint_about(const std::string& text) {
  std::string complaint;
  const auto report = parse_run_file(text, "run.json", &complaint);
  EXPECT_EQ(report.has_value(), complaint.empty()) << complaint;
  EXPECT_EQ(std::string::npos, complaint.find('\n')) << complaint;
  return complaint;
}

// The small report's file with one part of it replaced.
std::string complaint_after(const std::string& pointer, const Json& value) {
  Json json = Json::parse(to_json(test::small_report()));
  json[Json::json_pointer(pointer)] = value;
  return complaint_about(json.dump());
}

JobReport read_back(const JobReport& report) {
  std::string complaint;
  auto result = parse_run_file(to_json(report), "run.json", &complaint);
  EXPECT_TRUE(result.has_value()) << complaint;
  return result ? *std::move(result) : JobReport();
}

void expect_same_reports(const JobReport& report) {
  const JobReport back = read_back(report);
  EXPECT_EQ(to_json(report), to_json(back));
  EXPECT_EQ(to_text(report, kAllModels, "file"),
            to_text(back, kAllModels, "file"));
}

TEST(ReadRunFile, MakesTheReportThatWasWritten) {
  expect_same_reports(test::hybrid_report());
  expect_same_reports(test::hybrid_report(true));
  expect_same_reports(test::small_report());
  expect_same_reports(make_report({}, JobTotals()));
}

TEST(ReadRunFile, KnowsAnOpenMpThatCouldNotBeMeasured) {
  JobReport report = test::small_report();
  JobTotals totals = report.totals;
  totals.has_openmp = false;
  totals.has_unseen_openmp = true;
  totals.regions = {report.regions[0].totals};
  report.context.openmp_runtime.clear();
  expect_same_reports(make_report(report.context, totals));
}

TEST(ReadRunFile, KnowsTheCallsThatAreNotMeasured) {
  JobReport report = test::hybrid_report();
  report.totals.unread_programs = 1;
  report.totals.unwrapped_calls = {{"MPIX_Comm_agree", 3},
                                   {"MPI_Barrier", 4, true}};
  expect_same_reports(report);
}

TEST(ReadRunFile, DoesNotKnowThemOfAnOlderFile) {
  Json json = Json::parse(to_json(test::hybrid_report()));
  for (const char* const key : {"unread_programs", "unwrapped_calls"}) {
    ASSERT_EQ(1u, json["run"]["mpi"].erase(key));
  }
  json["schema_version"] = "1.0";
  std::string complaint;
  const auto old = parse_run_file(json.dump(), "run.json", &complaint);
  ASSERT_TRUE(old.has_value()) << complaint;
  EXPECT_EQ(4, old->totals.unread_programs);
}

// Of amounts of one kind some are known, and of another none.
TEST(ReadRunFile, KnowsAmountsOfSomeKinds) {
  JobReport report = test::small_report();
  JobTotals totals = report.totals;
  totals.regions = {report.regions[0].totals};
  totals.regions[0].amounts.clear();
  set_amount("of/another kind", 5, &totals.regions[0].amounts);
  totals.resources.clear();
  set_amount(kUserTime.name, 5, &totals.resources);
  expect_same_reports(make_report(report.context, totals));
}

TEST(ReadRunFile, KnowsRegionsNoneOfWhichHasCompleteClocks) {
  JobReport report = test::small_report();
  JobTotals totals = report.totals;
  totals.full_tables = 2;
  totals.regions = {report.regions[0].totals};
  totals.regions[0].in_full_tables = 1;
  expect_same_reports(make_report(report.context, totals));
}

TEST(ReadRunFile, ComputesTheMetricsAnew) {
  for (const char* name : kGolden) {
    const Json json = Json::parse(golden(name));
    std::string complaint;
    const auto report = parse_run_file(golden(name), "run", &complaint);
    ASSERT_TRUE(report.has_value()) << complaint;
    EXPECT_EQ("hybrid", report->context.program);
    ASSERT_EQ(json["regions"].size(), report->regions.size());
    for (size_t r = 0; r < report->regions.size(); ++r) {
      const Json& metrics = json["regions"][r]["metrics"];
      for (const Metric& metric : all_metrics()) {
        const Json& in_file = metrics[key_of(metric.model)][metric.key];
        const double value = metric.value(report->regions[r].metrics);
        EXPECT_EQ(in_file.is_null(), std::isnan(value)) << metric.key;
        if (in_file.is_null()) continue;
        EXPECT_DOUBLE_EQ(in_file.get<double>(), value) << metric.key;
      }
    }
  }
}

TEST(ReadRunFile, ReadsParallelRegionsAndTasks) {
  std::string complaint;
  const auto report = parse_run_file(golden("hybrid"), "run", &complaint);
  ASSERT_TRUE(report.has_value()) << complaint;
  const Json before = Json::parse(golden("hybrid"));
  const Json after = Json::parse(to_json(*report));
  ASSERT_EQ(3u, before["parallel_regions"].size());
  EXPECT_EQ(before["parallel_regions"], after["parallel_regions"]);
  EXPECT_EQ(before["task_constructs"], after["task_constructs"]);
}

// The hybrid report's file with one part of its rows replaced.
std::string complaint_about_rows(const std::string& pointer,
                                 const Json& value) {
  Json json = Json::parse(golden("rows"));
  json[Json::json_pointer(pointer)] = value;
  return complaint_about(json.dump());
}

TEST(ReadRunFile, RefusesRowsThatDoNotFitTogether) {
  EXPECT_EQ("run.json: processes.threads has 3 items; rank has 4",
            complaint_about_rows("/processes/threads", {1, 2, 3}));
  EXPECT_EQ("run.json: processes.rank is not in ascending order",
            complaint_about_rows("/processes/rank", {0, 1, 1, 2}));
  EXPECT_EQ(
      "run.json: processes.rank has a rank that is not less than run.ranks",
      complaint_about_rows("/processes/rank", {0, 1, 2, 4}));
  EXPECT_EQ("run.json: processes.host has a host that is not in run.hosts",
            complaint_about_rows("/processes/host", {0, 0, 1, 2}));
  EXPECT_EQ("run.json: processes.host[1] is not an integer",
            complaint_about_rows("/processes/host", {0, "node1", 1, 1}));
  EXPECT_EQ("run.json: regions[1].rows.mpi_ns has 5 items; rank has 4",
            complaint_about_rows("/regions/1/rows/mpi_ns", {0, 1, 2, 3, 4}));
  EXPECT_EQ("run.json: regions[1].rows.mpi_ns[2] is less than 0",
            complaint_about_rows("/regions/1/rows/mpi_ns/2", -1));
  EXPECT_EQ(
      "run.json: regions[0].rows.rank has a rank that is not in processes.rank",
      complaint_about_rows("/processes", nullptr));
  const int64_t half = int64_t{1} << 61;
  EXPECT_EQ(
      "run.json: regions[0].rows.useful_ns has a sum out of range",
      complaint_about_rows("/regions/0/rows/useful_ns", {half, half, 0, 0}));
}

TEST(ReadRunFile, TakesRowsOfSomeProcesses) {
  Json json = Json::parse(golden("rows"));
  for (Json* columns : {&json["processes"], &json["regions"][0]["rows"]}) {
    for (auto& column : columns->items()) {
      if (column.value().is_array()) column.value().erase(1);
    }
  }
  for (size_t i = 1; i < json["regions"].size(); ++i) {
    json["regions"][i]["rows"] = nullptr;
  }
  std::string complaint;
  const auto report = parse_run_file(json.dump(), "run", &complaint);
  ASSERT_TRUE(report.has_value()) << complaint;
  ASSERT_EQ(3u, report->totals.places.size());
  ASSERT_EQ(3u, report->regions[0].totals.rows.size());
  EXPECT_EQ(2, report->regions[0].totals.rows[1].rank);
  EXPECT_TRUE(report->regions[1].totals.rows.empty());
}

TEST(ReadRunFile, ReadsWhereProcessesRan) {
  JobReport report = test::hybrid_report(true);
  JobTotals& job = report.totals;
  Topology topology;
  topology.cpu_model = "A CPU";
  topology.cpus.add(0);
  topology.cpus.add(5);
  topology.cores = topology.sockets = topology.numa_nodes = {topology.cpus};
  topology.dies = topology.cores;
  topology.memory = {{3, "HBM", 1 << 30, topology.cpus}};
  topology.caches = {{3, 1 << 20, topology.cores}};
  topology.core_kinds = {{"big", -1, topology.cpus}};
  topology.id = topology_id(topology);
  job.topologies = {topology};
  HostShare& host = job.hosts[0];
  host.cpus = host.allotted = topology.cpus;
  host.quota.millicores = 1500;
  host.topology = topology.id;
  host.users = {{5, 0, 1}, {5, 3, 2}};
  host.peak_memory_sum_bytes = 77;
  job.places[1].cpus = topology.cpus;
  job.places[1].ran_on.add(5);
  for (ProcessPlace& place : job.places) {
    for (const Resource* resource : kResources) {
      if (!is_of_one_process(*resource)) continue;
      set_amount(resource->name, 9 + place.rank, &place.resources);
    }
  }
  report.context.job = {"Slurm", "17", "0", "solve", "long", "2", "4(x2)", "1"};
  expect_same_reports(report);
  const JobReport back = read_back(report);
  EXPECT_EQ(topology.id, topology_id(back.totals.topologies.at(0)));
  EXPECT_EQ(1 << 30, back.totals.topologies.at(0).memory.at(0).bytes);
  ASSERT_EQ(2u, back.totals.hosts[0].users.size());
  EXPECT_EQ(3, back.totals.hosts[0].users[1].rank);
  EXPECT_EQ(77, back.totals.hosts[0].peak_memory_sum_bytes);
  EXPECT_EQ(topology.cpus, back.totals.places[1].cpus);
  EXPECT_EQ(10, amount(back.totals.places[1].resources, kUserTime.name));
  EXPECT_EQ("solve", back.context.job.name);
}

JobReport report_with(std::vector<Metadata> metadata) {
  JobReport report = test::small_report();
  report.totals.metadata = std::move(metadata);
  report.totals.quality.metadata_dropped = 3;
  return report;
}

JobReport report_with_calls() {
  JobReport report = test::small_report();
  CallReport call;
  CallTotals& totals = call.totals;
  totals.region = "Global";
  totals.function = "MPI_Recv";
  totals.module = "/app";
  totals.offset = 17;
  totals.calls = 12;
  totals.collectives = 2;
  totals.time_ns = 900;
  totals.waiting_ns = 500;
  totals.unknown_ns = 100;
  totals.sent_bytes = 64;
  totals.received_bytes = 4096;
  totals.comm_size = 4;
  totals.sizes = {{1, 2}, {512, 10}};
  totals.late.ranks = {{1, 3, 300, 0}, {3, 4, 150, 20}};
  totals.late.missing_ns = 5;
  call.location = "app.c:7 (solve)";
  report.calls.push_back(call);
  call.location = totals.function = totals.module = "";
  totals.offset = 0;
  report.calls.push_back(call);
  return report;
}

// Also a loop and the rest of OpenMP.
JobReport report_with_sites() {
  JobReport report = report_with_calls();
  ConstructSiteReport site;
  ConstructSiteTotals& totals = site.totals;
  totals.region = "Global";
  totals.construct = "loop dynamic";
  totals.lock = "gate";
  totals.module = "/app";
  totals.offset = 29;
  totals.visits = 8;
  totals.iterations = 200;
  totals.time_ns = 700;
  totals.waiting_ns = 600;
  totals.late.ranks = {{0, 3, 100, 0}, {2, 4, 400, 20}};
  totals.late.missing_ns = 7;
  site.location = "app.c:30 (solve)";
  report.construct_sites.push_back(site);
  site.location = totals.construct = totals.lock = totals.module = "";
  totals.offset = 0;
  report.construct_sites.push_back(site);
  return report;
}

TEST(ReadRunFile, ReadsWhatTheLongestPathIsMadeOf) {
  JobReport report = test::hybrid_report();
  LongestPath& path = report.totals.path;
  path.length_ns = 100;
  PathShare part = {PathShare::kOpenMp, "", 0, 3, 70, "barrier", "/app", 29};
  part.location = "app.c:30 (solve)";
  path.parts = {part, {PathShare::kUseful, "setup", 0, 1, 30}};
  path.without = {{"setup", 70}};
  expect_same_reports(report);
  const LongestPath back = read_back(report).totals.path;
  ASSERT_EQ(2u, back.parts.size());
  EXPECT_EQ("barrier", back.parts[0].construct);
  EXPECT_EQ("app.c:30 (solve)", back.parts[0].location);
  EXPECT_EQ("setup", back.parts[1].region);
  EXPECT_EQ("", back.parts[1].construct);
}

TEST(ReadRunFile, ReadsOpenMpConstructs) {
  expect_same_reports(report_with_sites());
  const JobReport back = read_back(report_with_sites());
  ASSERT_EQ(2u, back.construct_sites.size());
  EXPECT_EQ("app.c:30 (solve)", back.construct_sites[0].location);
  EXPECT_EQ("app.c:7 (solve)", back.calls[0].location);
  EXPECT_EQ(200, back.construct_sites[0].totals.iterations);
  EXPECT_EQ(4, back.construct_sites[0].totals.late.ranks.at(1).calls);
  EXPECT_EQ("gate", back.construct_sites[0].totals.lock);
  EXPECT_EQ("", back.construct_sites[1].totals.construct);
  const auto complaint_with = [](const char* key, const Json& value) {
    Json json = Json::parse(to_json(report_with_sites()));
    json["openmp_constructs"][0][key] = value;
    return complaint_about(json.dump());
  };
  EXPECT_EQ("run.json: openmp_constructs[0].time_ns is less than waiting_ns",
            complaint_with("time_ns", 599));
  const Json late = {
      {"thread", 1}, {"visits", 1}, {"waiting_ns", 1}, {"error_ns", 0}};
  EXPECT_EQ(
      "run.json: openmp_constructs[0].late_threads is not sorted by thread",
      complaint_with("late_threads", {late, late}));
}

TEST(ReadRunFile, ReadsMpiCalls) {
  expect_same_reports(report_with_calls());
  const JobReport back = read_back(report_with_calls());
  ASSERT_EQ(2u, back.calls.size());
  EXPECT_EQ("app.c:7 (solve)", back.calls[0].location);
  EXPECT_EQ(300, back.calls[0].totals.transfer_ns());
  EXPECT_EQ(20, back.calls[0].totals.late.ranks.at(1).error_ns);
  EXPECT_EQ("", back.calls[1].totals.function);
  const auto complaint_with = [](const char* key, const Json& value) {
    Json json = Json::parse(to_json(report_with_calls()));
    json["mpi_calls"][0][key] = value;
    return complaint_about(json.dump());
  };
  EXPECT_EQ(
      "run.json: mpi_calls[0].time_ns is less than waiting_ns and "
      "unknown_ns",
      complaint_with("time_ns", 599));
  EXPECT_EQ(
      "run.json: mpi_calls[0].message_sizes is not sorted by below_bytes",
      complaint_with("message_sizes", {{{"below_bytes", 8}, {"messages", 1}},
                                       {{"below_bytes", 8}, {"messages", 1}}}));
}

TEST(ReadRunFile, ReadsMetadata) {
  const JobReport back =
      read_back(report_with({{"a b.c", ""}, {"mesh", "512 \"x\"\n"}}));
  ASSERT_EQ(2u, back.totals.metadata.size());
  EXPECT_EQ("a b.c", back.totals.metadata[0].key);
  EXPECT_EQ("mesh", back.totals.metadata[1].key);
  EXPECT_EQ("512 \"x\"\n", back.totals.metadata[1].value);
  EXPECT_EQ(3, back.totals.quality.metadata_dropped);
  expect_same_reports(report_with({{"mesh", "512"}}));
  EXPECT_EQ("run.json: run.metadata is not an object",
            complaint_after("/run/metadata", "512"));
  EXPECT_EQ("run.json: run.metadata.mesh is not a string",
            complaint_after("/run/metadata", Json{{"mesh", 512}}));
}

// Puts a further key into every object but those whose keys the program or the
// user has chosen.
void add_keys(Json* json) {
  const std::set<std::string> chosen = {"environment", "metadata", "counters"};
  for (auto& item : json->items()) {
    if (chosen.contains(item.key())) continue;
    if (item.value().is_structured()) add_keys(&item.value());
  }
  if (!json->is_object()) return;
  (*json)["later"] = {{"good", true}, {"than", Json::array({1, nullptr})}};
}

TEST(ReadRunFile, TakesWhatItKnowsOfALaterMinorVersion) {
  for (const char* name : kGolden) {
    std::string complaint;
    const auto now = parse_run_file(golden(name), "run", &complaint);
    ASSERT_TRUE(now.has_value()) << complaint;
    Json json = Json::parse(golden(name));
    add_keys(&json);
    json["schema_version"] = "1.99";
    const auto later = parse_run_file(json.dump(), "run", &complaint);
    ASSERT_TRUE(later.has_value()) << complaint;
    EXPECT_EQ(to_json(*now), to_json(*later));
  }
}

TEST(ReadRunFile, RefusesAnotherMajorVersionAndSaysWhatToDo) {
  EXPECT_EQ(
      "run.json: schema_version is 2.0; this poprt reads 1.x: use poprt 0.1.0, "
      "which has written it",
      complaint_after("/schema_version", "2.0"));
  for (const auto& [version, advice] :
       {std::pair("2.0", "a newer one"), {"0.9", "an older one"}}) {
    Json json = Json::parse(golden(kGolden[0]));
    json["schema_version"] = version;
    json.erase("tool");
    std::string complaint;
    EXPECT_FALSE(parse_run_file(json.dump(), "run", &complaint));
    EXPECT_EQ(
        fmt::format("run: schema_version is {}; this poprt reads 1.x: use {}",
                    version, advice),
        complaint);
  }
  for (const char* version :
       {"", "1", "1.", "one", "1.2.3", "1.-1", "-1.0", "99999999999.1"}) {
    EXPECT_EQ("run.json: schema_version is not a version (\"1.1\")",
              complaint_after("/schema_version", version));
  }
}

TEST(ReadRunFile, SaysWhereSyntaxIsWrong) {
  EXPECT_EQ("run.json:1:1: the file ends too early", complaint_about(""));
  EXPECT_EQ("run.json:2:7: not valid JSON", complaint_about("{\n \"a\": x}"));
  EXPECT_EQ("run.json:2:7: the file ends too early",
            complaint_about("{\n \"a\": "));
  EXPECT_EQ("run.json:1:4: not valid JSON", complaint_about("{} {}"));
  EXPECT_NE("", complaint_about("\x7f"
                                "ELF\x02\x01\x01"));
}

TEST(ReadRunFile, SaysThatAForeignFileIsForeign) {
  EXPECT_EQ("run.json: the file is not a run file of poprt",
            complaint_about("{\"dlbVersion\": \"3.5\"}"));
  EXPECT_EQ("run.json: the file is not a run file of poprt",
            complaint_about("[1, 2]"));
  EXPECT_EQ("run.json: schema is not \"poprt.run\": not a run file of poprt",
            complaint_after("/schema", "other"));
}

TEST(ReadRunFile, SaysWhichValueIsWrong) {
  const std::string region = "/regions/0/accumulators";
  EXPECT_EQ("run.json: regions[0].accumulators.mpi_sum_ns is less than 0",
            complaint_after(region + "/mpi_sum_ns", -1));
  EXPECT_EQ("run.json: regions[0].accumulators.mpi_sum_ns is not an integer",
            complaint_after(region + "/mpi_sum_ns", 0.5));
  EXPECT_EQ("run.json: regions[0].accumulators.all_ns is out of range",
            complaint_after(region + "/all_ns", int64_t{1} << 62));
  EXPECT_EQ("run.json: regions[0].accumulators.threads is less than 2",
            complaint_after(region + "/threads", 1));
  EXPECT_EQ("run.json: run.command is not a list",
            complaint_after("/run/command", "./hybrid"));
  EXPECT_EQ("run.json: run.command[1] is not a string",
            complaint_after("/run/command/1", nullptr));
  EXPECT_EQ("run.json: regions[0].name is empty",
            complaint_after("/regions/0/name", ""));
  EXPECT_EQ("run.json: regions[0].clocks_complete contradicts in_full_tables",
            complaint_after("/regions/1", [] {
              Json other = Json::parse(to_json(test::small_report()));
              other["regions"][0]["accumulators"]["in_full_tables"] = 1;
              return other["regions"][0];
            }()));
}

TEST(ReadRunFile, SaysWhatIsMissing) {
  Json json = Json::parse(to_json(test::small_report()));
  json["regions"][0]["accumulators"].erase("talp_mpi_ns");
  EXPECT_EQ("run.json: regions[0].accumulators.talp_mpi_ns is missing",
            complaint_about(json.dump()));
}

// A file from before there was any state: those of today are all younger.
TEST(ReadRunFile, TakesStatesThatAreYoungerThanTheFileAsUnknown) {
  JobReport old = test::hybrid_report(/*rows=*/true);
  for (RegionReport& region : old.regions) {
    for (Amount& amount : region.totals.amounts) amount.value = 0;
  }
  Json json = Json::parse(to_json(old));
  for (const EventLayer layer : kAllLayers)
    json["run"].erase(key_in_run(layer));
  for (auto& region : json["regions"]) {
    for (const StateEntry& state : kStateTable) {
      region["accumulators"].erase(state.key + std::string("_sum_ns"));
      for (const char* const rows : {"rows", "thread_rows"}) {
        if (!region[rows].is_object()) continue;
        region[rows].erase(state.key + std::string("_ns"));
      }
    }
  }
  const auto complaint_at = [&](int minor, JobReport* report) {
    std::string complaint;
    const Cursor file(json, &complaint);
    KeyReader reader(file, minor, report->totals);
    describe_run_file(reader, *report);
    return complaint;
  };
  JobReport refused{};
  EXPECT_EQ("run.mpi is missing", complaint_at(0, &refused));

  JobReport report{};
  ASSERT_EQ("", complaint_at(-1, &report));
  EXPECT_TRUE(report.totals.unknown_states.all());
  const Json again = Json::parse(to_json(report));
  for (const StateEntry& state : kStateTable) {
    const auto& region = again["regions"][0];
    EXPECT_TRUE(
        region["accumulators"][state.key + std::string("_sum_ns")].is_null());
    EXPECT_TRUE(region["rows"][state.key + std::string("_ns")].is_null());
  }
  const Layers layers = layers_of(report, report.regions[0]);
  const RegionTotals& totals = report.regions[0].totals;
  const MissingValues why = missing_in(
      totals, layers, metrics_of(totals, layers), losses_of(totals, layers));
  for (const Metric& metric : all_metrics()) {
    if (!is_of_program(metric.layer)) continue;
    EXPECT_EQ(Missing::kUnknownLayer, why.metrics[metric.place]) << metric.key;
  }
}

TEST(ReadRunFile, RefusesADeepNest) {
  EXPECT_EQ("run.json:1:33: lists and objects are nested too deeply",
            complaint_about(std::string(1 << 20, '[')));
  std::string nest = "{\"a\": [],\n";
  for (int i = 0; i < 40; ++i) nest += " \"b\":\n  {";
  EXPECT_EQ("run.json:34:3: lists and objects are nested too deeply",
            complaint_about(nest));
}

TEST(ReadRunFile, SaysWhereThereIsTooMuch) {
  std::string keys = "{\n";
  for (int i = 0; i < 20'000; ++i)
    keys += "\"k" + std::to_string(i) + "\": 0,\n";
  EXPECT_EQ("run.json:10002:8: an object has too many keys",
            complaint_about(keys));
  std::string lists = "[\n";
  for (int i = 0; i < 1'000'001; ++i) lists += "[],\n";
  EXPECT_EQ("run.json:1000001:1: too many lists and objects",
            complaint_about(lists));
}

TEST(ReadRunFile, SaysWhyAFileCannotBeRead) {
  std::string complaint;
  EXPECT_FALSE(read_run_file("/nowhere/a.json", &complaint));
  EXPECT_EQ("/nowhere/a.json: cannot be read: No such file or directory",
            complaint);
  EXPECT_FALSE(read_run_file("/", &complaint));
  EXPECT_EQ("/: cannot be read: Is a directory", complaint);
}

// --- damaged and malicious files ---------------------------------------------

// What is accepted can be computed with and written in every form.
void expect_harmless(const std::string& text) {
  std::string complaint;
  const auto report = parse_run_file(text, "run.json", &complaint);
  ASSERT_EQ(report.has_value(), complaint.empty());
  ASSERT_EQ(std::string::npos, complaint.find('\n'));
  if (!report) return;
  const std::string shown = to_text(*report, kAllModels, "run.json");
  for (const char c : shown) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
  ASSERT_FALSE(to_json(*report).empty());
  for (const Block& block : process_blocks(*report, {})) {
    ASSERT_FALSE(block_text(block).empty());
  }
}

TEST(DamagedRunFile, EveryTruncationIsRefused) {
  const std::string text = to_json(test::small_report());
  // Without the line break at its end it is complete.
  for (size_t length = 0; length + 2 < text.size(); length += kShare) {
    ASSERT_NE("", complaint_about(text.substr(0, length)));
  }
}

TEST(DamagedRunFile, RandomBytesAreHarmless) {
  std::mt19937 random(20261121);
  for (const char* name : kGolden) {
    const std::string text = golden(name);
    for (int i = 0; i < 300 / int{kShare}; ++i) {
      std::string damaged = text;
      const int changes = 1 + static_cast<int>(random() % 4);
      for (int k = 0; k < changes; ++k) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
      expect_harmless(damaged);
    }
  }
}

// Every place in the tree.
void collect(const Json& json, const Json::json_pointer& here,
             std::vector<Json::json_pointer>* places) {
  places->push_back(here);
  if (json.is_object()) {
    for (const auto& item : json.items()) {
      collect(item.value(), here / item.key(), places);
    }
  } else if (json.is_array()) {
    for (size_t i = 0; i < json.size(); ++i) {
      collect(json[i], here / i, places);
    }
  }
}

TEST(DamagedRunFile, NastyValuesInAnyPlaceAreHarmless) {
  const Json nasty[] = {nullptr,
                        true,
                        0,
                        1,
                        -1,
                        (int64_t{1} << 62) - 1,
                        (int64_t{1} << 61),
                        INT64_MIN,
                        UINT64_MAX,
                        1e300,
                        "",
                        "Global",
                        "\x1b[2J\n\xc2\x9b",
                        Json::array(),
                        Json::object()};
  std::mt19937 random(61);
  for (const char* name : kGolden) {
    const Json whole = Json::parse(golden(name));
    // One region is enough: what differs between regions is not their shape.
    Json json = whole;
    json["regions"].erase(json["regions"].begin() + 2, json["regions"].end());
    for (const char* list : {"mpi_calls", "openmp_constructs"}) {
      json[list] = Json::parse(to_json(report_with_sites()))[list];
    }
    std::vector<Json::json_pointer> places;
    collect(json, Json::json_pointer(), &places);
    for (const auto& place : places) {
      for (const Json& value : nasty) {
        // All places with a few values, few places with all values: enough to
        // meet every check.
        if (random() % (8 * kShare) != 0) continue;
        Json damaged = json;
        damaged[place] = value;
        expect_harmless(damaged.dump());
      }
    }
    // Several numbers at once are at their limits.
    for (int i = 0; i < 300 / int{kShare}; ++i) {
      Json damaged = json;
      for (int k = 0; k < 8; ++k) {
        Json& value = damaged[places[random() % places.size()]];
        if (value.is_number_integer()) value = nasty[2 + random() % 5];
      }
      expect_harmless(damaged.dump());
    }
  }
}

}  // namespace
}  // namespace poprt
