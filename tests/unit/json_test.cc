#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "model/members.h"
#include "model/metric_table.h"
#include "model/quantities.h"
#include "run_file/schema.h"
#include "run_file/writer.h"
#include "unit/has.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const std::string& text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

const Json& region_named(const Json& json, const std::string& name) {
  for (const Json& region : json["regions"]) {
    if (region["name"] == name) return region;
  }
  ADD_FAILURE() << "no region " << name;
  return json;
}

TEST(ToJson, StartsWithItsSchemaAndEndsWithALineBreak) {
  const std::string text = to_json(test::hybrid_report());
  EXPECT_EQ(0u, text.find("{\n \"schema\": \"poprt.run\",\n"
                          " \"schema_version\": \"1.1\",\n"));
  EXPECT_EQ('\n', text.back());
}

TEST(ToJson, SaysWhereAndHowTheProgramRan) {
  const Json json = parsed(to_json(test::hybrid_report()));
  EXPECT_EQ("poprt", json["tool"]["name"]);
  EXPECT_EQ(POPRT_VERSION, json["tool"]["version"]);
  const Json& run = json["run"];
  EXPECT_EQ("hybrid", run["program"]);
  EXPECT_EQ(Json::array({"./hybrid", "--size", "45"}), run["command"]);
  EXPECT_EQ("2026-01-02T03:04:05Z", run["start_time"]);
  EXPECT_EQ(4, run["ranks"]);
  EXPECT_EQ(16, run["threads"]);
  EXPECT_EQ(4, run["threads_per_process"]["min"]);
  EXPECT_EQ(4, run["threads_per_process"]["max"]);
  ASSERT_EQ(2u, run["hosts"].size());
  EXPECT_EQ("node1", run["hosts"][0]["name"]);
  EXPECT_EQ(2, run["hosts"][0]["processes"]);
  EXPECT_EQ("MPI_THREAD_FUNNELED", run["mpi"]["thread_level"]);
  EXPECT_EQ("LLVM OMP version: 5.0.20140926", run["openmp"]["runtime"]);
  EXPECT_EQ("tsc", run["clock"]);
}

TEST(ToJson, HasNullForALayerThatTheJobDoesNotHave) {
  JobReport report = test::small_report();
  report.totals.has_mpi = report.totals.has_openmp = false;
  const Json run = parsed(to_json(report))["run"];
  EXPECT_TRUE(run.contains("mpi") && run["mpi"].is_null());
  EXPECT_TRUE(run.contains("openmp") && run["openmp"].is_null());
}

TEST(ToJson, HasEveryMetricOfEveryRegionToTheLastDigit) {
  const JobReport report = test::hybrid_report();
  const Json json = parsed(to_json(report));
  ASSERT_EQ(6u, json["regions"].size());
  for (const RegionReport& region : report.regions) {
    const Json& metrics = region_named(json, region.totals.name)["metrics"];
    ASSERT_EQ(std::size(kModels), metrics.size());
    size_t keys = 0;
    for (const auto& model : metrics) keys += model.size();
    EXPECT_EQ(all_metrics().size(), keys);
    for (const Metric& metric : all_metrics()) {
      const Json& value = metrics[key_of(metric.model)][metric.key];
      const double expected = metric.value(region.metrics);
      if (std::isnan(expected)) {
        EXPECT_TRUE(value.is_null()) << metric.key;
      } else {
        EXPECT_EQ(expected, value.get<double>()) << metric.key;
      }
    }
  }
}

TEST(ToJson, HasEveryAccumulatorOfEveryRegion) {
  const JobReport report = test::hybrid_report();
  const Json json = parsed(to_json(report));
  for (const RegionReport& region : report.regions) {
    const Json& entry = region_named(json, region.totals.name);
    const Json& accumulators = entry["accumulators"];
    ASSERT_EQ(std::size(kQuantities), region.totals.amounts.size());
    EXPECT_EQ(std::size(kRegionMembers) + std::size(kQuantities) + 3,
              accumulators.size());
    for (const Amount& each : region.totals.amounts) {
      EXPECT_EQ(each.value, accumulators[each.name]) << each.name;
    }
    for (const auto& member : kRegionMembers) {
      EXPECT_EQ(region.totals.*member.value, accumulators[member.name])
          << member.name;
    }
    for (const State state : kAllStates) {
      const std::string key = entry_of(state).key;
      EXPECT_EQ(region.totals.*sum_of(state), accumulators[key + "_sum_ns"]);
    }
    ASSERT_EQ(2u, accumulators["nodes"].size());
    std::vector<std::string> hosts;
    for (const Json& node : accumulators["nodes"]) {
      hosts.push_back(node["host"]);
      EXPECT_EQ(2, node["processes"]);
    }
    std::sort(hosts.begin(), hosts.end());
    EXPECT_EQ((std::vector<std::string>{"node1", "node2"}), hosts);
    EXPECT_EQ(region.totals.visits, entry["visits"]);
    EXPECT_EQ(region.totals.elapsed_max_ns, entry["elapsed_max_ns"]);
  }
}

TEST(ToJson, HasNullForClocksThatAreIncomplete) {
  const Json json = parsed(to_json(test::hybrid_report()));
  const Json& setup = region_named(json, "setup");
  EXPECT_EQ(false, setup["clocks_complete"]);
  for (const char* clock : {"cue_ns", "com_ns", "coo_ns", "all_ns"}) {
    EXPECT_TRUE(setup["clocks"].contains(clock));
    EXPECT_TRUE(setup["clocks"][clock].is_null());
    EXPECT_TRUE(
        region_named(json, "Global")["clocks"][clock].is_number_integer());
  }
  EXPECT_TRUE(setup["metrics"]["pop"]["parallel_efficiency"].is_null());
  EXPECT_TRUE(setup["metrics"]["pop"]["load_balance"].is_number());
}

TEST(ToJson, SaysHowGoodTheNumbersAre) {
  const JobReport report = test::hybrid_report();
  const Json quality = parsed(to_json(report))["quality"];
  for (const auto& member : kQualityMembers) {
    EXPECT_EQ(report.totals.quality.*member.value, quality[member.name]);
  }
  EXPECT_EQ(std::size(kQualityMembers) + 4, quality.size());
  // 4 x 7 ms of 16 threads x 1902 ms.
  EXPECT_NEAR(28.0 / (16 * 1902), quality["overhead_fraction"].get<double>(),
              1e-12);
  EXPECT_EQ(1u, quality["notes"].size());
}

TEST(ToJson, OfNothingIsStillARunFile) {
  const Json json = parsed(to_json(make_report({}, JobTotals())));
  EXPECT_TRUE(json["regions"].is_array() && json["regions"].empty());
  EXPECT_TRUE(json["quality"]["overhead_fraction"].is_null());
}

TEST(ToJson, CanBeReadWhateverBytesNamesHave) {
  JobReport report = test::small_report();
  report.context.command = {"a\xff", "quote\" \\ line\n"};
  const Json json = parsed(to_json(report));
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ("quote\" \\ line\n", json["run"]["command"][1]);
}

TEST(ToJson, DoesNotNoticeALocaleWithDecimalCommas) {
  const std::string expected = to_json(test::hybrid_report());
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale old =
      std::locale::global(std::locale(std::locale::classic(), new Comma));
  const bool c_locale = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  const std::string text = to_json(test::hybrid_report());
  std::setlocale(LC_ALL, "C");
  std::locale::global(old);
  EXPECT_EQ(expected, text);
  if (!c_locale) GTEST_SKIP() << "no de_DE.UTF-8: only C++'s locale was tried";
}

TEST(ToJson, MakesTheExampleOfTheDocs) {
  std::ifstream file(POPRT_SOURCE_DIR "/docs/run_file_example.json");
  std::stringstream docs;
  docs << file.rdbuf();
  std::string example = to_json(test::small_report());
  const std::string version = "\"version\": \"" POPRT_VERSION "\"";
  example.replace(example.find(version), version.size(),
                  "\"version\": \"0.1.0\"");
  EXPECT_EQ(example, docs.str());
}

}  // namespace
}  // namespace poprt
