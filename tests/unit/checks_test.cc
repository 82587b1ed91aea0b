#include "compare/checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "command/metric_docs.h"
#include "command/thresholds.h"
#include "document/render.h"
#include "model/quantities.h"
#include "unit/has.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

using test::global_run;
using test::only;
using test::region;
using test::run;

Metric metric(const char* name) {
  return *metric_named(name, Model::kCriticalPath);
}

// "region model.key limit", or the complaint.
std::string parsed(const std::string& text, Bound bound = Bound::kLeast) {
  std::string complaint;
  const auto threshold =
      parse_threshold(text, bound, Model::kCriticalPath, &complaint);
  if (!threshold) return complaint;
  EXPECT_EQ(bound, threshold->bound);
  char limit[16];
  std::snprintf(limit, sizeof limit, "%g", threshold->limit);
  return threshold->region + " " + key_of(threshold->metric.model) + "." +
         threshold->metric.key + " " + limit;
}

TEST(Threshold, IsRegionMetricAndValue) {
  EXPECT_EQ("Global critical_path.parallel_efficiency 0.8",
            parsed("Global/parallel_efficiency=0.8"));
  EXPECT_EQ("Global critical_path.load_balance 0.8",
            parsed("Load Balance=80%"));
  EXPECT_EQ("io/write talp.mpi_load_balance 1",
            parsed("io/write/talp.mpi_load_balance=1"));
  EXPECT_EQ("a=b critical_path.transfer_efficiency 0",
            parsed("a=b/transfer=0"));
}

TEST(Threshold, ThatIsNoneIsToldWhy) {
  EXPECT_EQ("--min PE: is not [REGION/]METRIC=VALUE.", parsed("PE"));
  EXPECT_EQ(
      "--min Global/speed=0.8: no metric \"speed\". poprt explain lists them "
      "all.",
      parsed("Global/speed=0.8"));
  for (const char* value : {"80", "1.01", "-0.1", "101%", "nan", "", "0.8x"}) {
    EXPECT_EQ(std::string("--min load_balance=") + value +
                  ": the value is not one of 0 to 1 or 0% to 100%.",
              parsed(std::string("load_balance=") + value));
  }
}

TEST(Threshold, HasTheUnitOfItsMetric) {
  EXPECT_EQ("Global computation.ipc 1.5", parsed("ipc=1.5"));
  EXPECT_EQ("Global computation.vectorisation_ratio 0.3",
            parsed("vectorisation_ratio=30%"));
  EXPECT_EQ("solve computation.instructions 3.2e+09",
            parsed("solve/instructions=3.2G", Bound::kMost));
  EXPECT_EQ("Global computation.instructions 2000",
            parsed("Useful instructions=2000"));
  for (const char* value : {"2.5", "2.5GHz", "2500MHz"}) {
    EXPECT_EQ("Global computation.frequency 2.5",
              parsed(std::string("frequency=") + value));
  }
  EXPECT_EQ("--max ipc=50%: the value is not a number from 0.",
            parsed("ipc=50%", Bound::kMost));
  for (const char* value : {"", "-1", "3g", "3 G", "inf", "nan", "1e400"}) {
    EXPECT_EQ(std::string("--min instructions=") + value +
                  ": the value is not a count from 0, like 2000, 3e9 or 3G (k, "
                  "M, G, T, P).",
              parsed(std::string("instructions=") + value));
  }
  EXPECT_EQ(
      "--min frequency=2.5Hz: the value is not a frequency from 0, like 2.5 "
      "(GHz), 2.5GHz or 2500MHz.",
      parsed("frequency=2.5Hz"));
}

TEST(Threshold, OfBytesHasTheirUnitOrNone) {
  for (const char* value : {"3000000", "3e6", "3M", "3MB", "3000kB"}) {
    EXPECT_EQ("Global io.posix_io_read_bytes 3e+06",
              parsed(std::string("posix_io_read_bytes=") + value));
  }
  for (const char* value : {"3000000", "3M", "3MB/s"}) {
    EXPECT_EQ("Global io.mpi_io_bandwidth 3e+06",
              parsed(std::string("mpi_io_bandwidth=") + value));
  }
  EXPECT_EQ(
      "--min mpi_io_read_bytes=3MB/s: the value is not a number of bytes from "
      "0, like 2000, 3e9 or 3GB (k, M, G, T, P).",
      parsed("mpi_io_read_bytes=3MB/s"));
  EXPECT_EQ(
      "--min mpi_io_bandwidth=5%: the value is not a bandwidth from 0, like "
      "3e9 or 3GB/s (k, M, G, T, P).",
      parsed("mpi_io_bandwidth=5%"));
}

TEST(Threshold, IsKnownForEachMetric) {
  for (const Metric& each : all_metrics()) {
    const std::string name = std::string(key_of(each.model)) + "." + each.key;
    EXPECT_EQ("Global " + name + " 1", parsed(name + "=1"));
  }
}

TEST(CheckThresholds, HaveABoundOnEitherSide) {
  const auto checks = check_thresholds(
      only({global_run(2, 1, 100, 160)}),
      {{"Global", metric("parallel_efficiency"), 0.8, Bound::kMost},
       {"Global", metric("parallel_efficiency"), 0.79, Bound::kMost},
       {"Global", metric("ipc"), 9, Bound::kMost}});
  ASSERT_EQ(3u, checks.size());
  EXPECT_TRUE(passed(checks[0]));
  EXPECT_EQ("maximum", checks[0].origin);
  EXPECT_FALSE(passed(checks[1]));
  EXPECT_FALSE(passed(checks[2]));  // undefined
  EXPECT_EQ(0u, checks[2].reason.find("not counted: POPRT_COUNTERS"));
}

TEST(Threshold, MayBeOfTheWholeRun) {
  std::string complaint;
  const auto power = parse_threshold("power_w=400", Bound::kMost,
                                     Model::kCriticalPath, &complaint);
  ASSERT_TRUE(power && power->of_job != nullptr) << complaint;
  EXPECT_STREQ("power_w", power->of_job->key);
  EXPECT_EQ("Global", power->region);
  const auto memory =
      parse_threshold("hosts.peak_memory_of_rank_bytes=2GB", Bound::kMost,
                      Model::kCriticalPath, &complaint);
  ASSERT_TRUE(memory && memory->of_job != nullptr) << complaint;
  EXPECT_EQ(2e9, memory->limit);
  EXPECT_EQ(
      "--min solve/energy_j=5: energy_j is of the whole run: leave the region "
      "away.",
      parsed("solve/energy_j=5"));
  EXPECT_HAS(parsed("powr_w=5"), "\"power_w\"?");
}

TEST(CheckThresholds, AreOfTheWholeRun) {
  std::vector<RunFile> runs = {global_run(2, 1, 2'000'000'000, 3'000'000'000)};
  const auto check_of = [&](const char* text) {
    std::string complaint;
    return check_thresholds(
        only(runs),
        {parse_threshold(text, Bound::kMost, Model::kCriticalPath, &complaint)
             .value()})[0];
  };
  EXPECT_FALSE(passed(check_of("power_w=100")));
  EXPECT_EQ(0u, check_of("power_w=100").reason.find("2x1: the energy is not "));
  runs[0].report.totals.hosts = {
      {.name = "n", .processes = 2, .energy_uj = 300'000'000}};
  const Check power = check_of("power_w=150");
  EXPECT_TRUE(passed(power));
  EXPECT_EQ("hosts.power_w", power.metric);
  EXPECT_EQ("maximum", power.origin);
  EXPECT_DOUBLE_EQ(150, power.value);
  EXPECT_FALSE(passed(check_of("energy_j=299")));
  set_amount(kPeakMemoryMax.name, 5000, &runs[0].report.totals.resources);
  EXPECT_TRUE(passed(check_of("peak_memory_of_rank_bytes=5kB")));
  set_amount(kWaitedForCore.name, 400'000'000,
             &runs[0].report.totals.resources);
  EXPECT_TRUE(passed(check_of("waited_for_core_share=10%")));
  EXPECT_FALSE(passed(check_of("waited_for_core_share=9.9%")));
}

// The true value is that or more.
TEST(CheckThresholds, AreOpenWhereALowerBoundDoesNotDecide) {
  std::vector<RunFile> runs = {
      run(2, 1, {region("Global", 2, 100, 160, 90, 95)})};
  runs[0].report.context.endings = {{"was killed", "1", 1, 9, 9}};
  set_amount(kPeakMemoryMax.name, 5000, &runs[0].report.totals.resources);
  const auto check_of = [&](const char* text, Bound bound) {
    std::string complaint;
    return check_thresholds(
        only(runs),
        {parse_threshold(text, bound, Model::kCriticalPath, &complaint)
             .value()})[0];
  };
  EXPECT_TRUE(passed(check_of("parallel_efficiency=0.8", Bound::kLeast)));
  const Check open = check_of("parallel_efficiency=0.81", Bound::kLeast);
  EXPECT_TRUE(std::isnan(open.value) && !passed(open));
  EXPECT_EQ("2x1 did not come to its end: all that is known is at least 0.8000",
            open.reason);
  EXPECT_FALSE(passed(check_of("parallel_efficiency=0.8", Bound::kMost)));
  EXPECT_DOUBLE_EQ(0.8,
                   check_of("parallel_efficiency=0.79", Bound::kMost).value);
  // Both of its times are too small.
  EXPECT_FALSE(std::isnan(check_of("load_balance=1", Bound::kMost).value));
  EXPECT_FALSE(passed(check_of("peak_memory_of_rank_bytes=6kB", Bound::kMost)));
  const Check more = check_of("peak_memory_of_rank_bytes=4kB", Bound::kMost);
  EXPECT_DOUBLE_EQ(5000, more.value);
  EXPECT_FALSE(passed(more));
}

TEST(CheckThresholds, TakesTheMedianOfRepeatedRuns) {
  const Configuration runs =
      only({global_run(2, 1, 100, 100), global_run(2, 1, 100, 180),
            global_run(2, 1, 100, 160)});
  const auto checks =
      check_thresholds(runs, {{"Global", metric("parallel_efficiency"), 0.8},
                              {"Global", metric("parallel_efficiency"), 0.81}});
  ASSERT_EQ(2u, checks.size());
  EXPECT_DOUBLE_EQ(0.8, checks[0].value);
  EXPECT_TRUE(passed(checks[0]));
  EXPECT_FALSE(passed(checks[1]));
  EXPECT_EQ("critical_path.parallel_efficiency", checks[0].metric);
}

TEST(CheckThresholds, DoNotPassWhatIsUndefined) {
  const auto checks =
      check_thresholds(only({global_run(2, 1, 100, 100)}),
                       {{"Global", metric("openmp_load_balance"), 0},
                        {"solve", metric("load_balance"), 0}});
  EXPECT_FALSE(passed(checks[0]));
  EXPECT_EQ("2x1 ran without OpenMP", checks[0].reason);
  EXPECT_FALSE(passed(checks[1]));
  EXPECT_EQ("2x1 has no region solve", checks[1].reason);
}

TEST(CheckBaseline, ComparesEveryMetricAndTheUsefulTime) {
  const Configuration before =
      only({run(2, 1, {region("Global", 2, 100, 160, 90, 95)})});
  const auto failures = [&](int64_t useful, int64_t useful_max, int64_t cue) {
    std::string names;
    for (const Check& check : check_baseline(
             only({run(2, 1,
                       {region("Global", 2, 100, useful, useful_max, cue)})}),
             before, {"Global"}, {Model::kPop}, 0.05)) {
      if (!passed(check)) names += check.metric + " ";
    }
    return names;
  };
  EXPECT_EQ("", failures(160, 90, 95));
  EXPECT_EQ("", failures(152, 90, 95));  // 0.76 >= 0.8 - 0.05
  EXPECT_EQ("pop.parallel_efficiency pop.load_balance ", failures(148, 90, 95));
  EXPECT_EQ("pop.transfer_efficiency ", failures(160, 90, 89));
  // More work, as well done: 160 / 170 < 0.95.
  EXPECT_EQ("computation_scaling ", failures(170, 95, 97));
}

TEST(CheckBaseline, AsksForWhatTheBaselineHas) {
  const Configuration before = only(
      {run(2, 1, {region("Global", 2, 100, 160), region("old", 2, 9, 8)})});
  const Configuration now = only(
      {run(2, 1, {region("Global", 2, 100, 160), region("new", 2, 9, 8)})});
  const auto added = check_baseline(now, before, {"new"}, {Model::kPop}, 0);
  EXPECT_FALSE(added.empty());
  for (const Check& check : added) EXPECT_FALSE(is_made(check));
  EXPECT_FALSE(are_good(added));
  EXPECT_EQ(" FAIL nothing was checked\n",
            block_text(check_lists(added).at(1)));
  EXPECT_HAS(checks_junit(added, {}), "failures=\"1\"");
  const auto gone = check_baseline(now, before, {"old"}, {Model::kPop}, 0);
  ASSERT_LE(2u, gone.size());
  for (const Check& check : gone) {
    EXPECT_FALSE(passed(check)) << check.metric;
    EXPECT_EQ("2x1 has no region old", check.reason);
  }
}

// Neither clocks that are not known nor a lower bound are a limit.
TEST(CheckBaseline, SaysWhatTheBaselineDoesNotKnow) {
  const Configuration now =
      only({run(2, 1, {region("Global", 2, 100, 160, 90, 95)})});
  const auto against = [&](const RunFile& baseline) {
    return check_baseline(now, only({baseline}), {"Global"}, {Model::kPop}, 0,
                          {.choice = {}, .is_comparable = false});
  };
  RunFile unknown = run(2, 1, {region("Global", 2, 100, 160, 90, 95)});
  unknown.report.totals.regions = {unknown.report.regions[0].totals};
  unknown.report.totals.unmeasured_processes = 1;
  unknown.report = make_report(unknown.report.context, unknown.report.totals);
  const auto without_clocks = against(unknown);
  EXPECT_EQ((std::vector<std::string>{
                "2x1 Global: not known of the baseline, so not checked: "
                "pop.parallel_efficiency, "
                "pop.communication_efficiency, pop.serialisation_efficiency, "
                "pop.transfer_efficiency (baseline: no clocks: some processes "
                "of the job "
                "ran without poprt's library)."}),
            unmade_notes(without_clocks));
  EXPECT_TRUE(are_good(without_clocks));
  EXPECT_EQ(
      " good 2x1 Global/pop.load_balance: 0.8889 >= 0.8889 (baseline)\n"
      " 1 of 1 check passed\n",
      block_text(check_lists(without_clocks)[0]) +
          block_text(check_lists(without_clocks)[1]));
  const std::string junit = checks_junit(without_clocks, {});
  EXPECT_HAS(junit,
             "name=\"pop.transfer_efficiency (baseline)\">\n   <skipped "
             "message=\"not known: baseline: no clocks: ");
  EXPECT_HAS(junit, "tests=\"5\" failures=\"0\" skipped=\"4\"");

  RunFile killed = run(2, 1, {region("Global", 2, 100, 160, 90, 95)});
  killed.report.context.endings = {{"was killed", "1", 1, 9, 9}};
  const auto against_killed = against(killed);
  EXPECT_EQ((std::vector<std::string>{
                "2x1 Global: not known of the baseline, so not checked: "
                "pop.parallel_efficiency (baseline: 2x1 did not come to its "
                "end: all that is known is at least 0.8000)."}),
            unmade_notes(against_killed));
  EXPECT_TRUE(are_good(against_killed));

  // What neither has is not mentioned.
  for (const Check& check :
       check_baseline(now, now, {"Global"}, {Model::kMultiplicative}, 0)) {
    EXPECT_TRUE(is_made(check)) << check.metric;
  }
}

TEST(Junit, IsWellFormedWhateverTheNames) {
  const double nan = std::nan("");
  EXPECT_EQ(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites tests=\"2\" failures=\"1\" skipped=\"0\">\n"
      " <testsuite name=\"poprt check\" tests=\"2\" failures=\"1\" "
      "skipped=\"0\">\n"
      "  <testcase classname=\"2x1.a&lt;b&gt;&amp;&quot;c&quot;?\" name=\"m "
      "(minimum)\"/>\n"
      "  <testcase classname=\"2x1.\u00e9?????????????????\u20ac\" name=\"m "
      "(baseline)\">\n"
      "   <failure message=\"undefined, must be at least 0.8000: a&amp;b\"/>\n"
      "  </testcase>\n"
      " </testsuite>\n"
      "</testsuites>\n",
      checks_junit({{"2x1", "a<b>&\"c\"\x01", "m", "minimum", 0.9, 0.8, ""},
                    // No characters of XML, a ? for each byte that is none: a
                    // lone byte, a control, a surrogate, U+FFFE, two that are
                    // longer than they need be, and one beyond Unicode.
                    {"2x1",
                     "\u00e9\xff\x1b\xed\xa0\x80\xef\xbf\xbe\xe0\x80\x80"
                     "\xf0\x80\x80\x80\xf4\x90\x80\x80\u20ac",
                     "m", "baseline", nan, 0.8, "a&b"}},
                   {}));
}

TEST(ChecksText, HasTheFailuresLast) {
  std::string text;
  for (const FactList& list : check_lists(
           {{"2x1", "Global", "m", "minimum", 0.7, 0.8, ""},
            {"2x1", "Global", "m", "minimum", 0.9, 0.8, ""},
            {"2x1", "Global", "m", "minimum", std::nan(""), 0.8, "why"}})) {
    text += block_text(list);
  }
  EXPECT_EQ(
      " good 2x1 Global/m: 0.9000 >= 0.8000 (minimum)\n"
      " FAIL 2x1 Global/m: 0.7000 < 0.8000 (minimum)\n"
      " FAIL 2x1 Global/m: undefined (minimum 0.8000): why\n"
      " 1 of 3 checks passed\n",
      text);
}

// A number that is beyond its limit does not look equal to it.
TEST(ChecksText, HasDigitsThatTellTheNumberFromItsLimit) {
  const auto text = [](double value, double limit, MetricUnit unit) {
    return block_text(check_lists({{"2x1", "Global", "m", "minimum", value,
                                    limit, "", Bound::kLeast, unit}})[0]);
  };
  EXPECT_EQ(" FAIL 2x1 Global/m: 0.99239 < 0.99241 (minimum)\n",
            text(0.99239, 0.99241, MetricUnit::kFraction));
  EXPECT_EQ(" good 2x1 Global/m: 0.9924 >= 0.9924 (minimum)\n",
            text(0.99241, 0.99241, MetricUnit::kFraction));
  EXPECT_EQ(" FAIL 2x1 Global/m: 12.2 < 12.4 (minimum)\n",
            text(12.2, 12.4, MetricUnit::kCount));
  EXPECT_EQ(" FAIL 2x1 Global/m: undefined (minimum 0.5000): \n",
            text(std::nan(""), 0.5, MetricUnit::kFraction));
}

TEST(ChecksText, HasUnits) {
  std::string text;
  for (const FactList& list :
       check_lists({{"2x1", "Global", "m", "maximum", 12e9, 12000000001.0, "",
                     Bound::kMost, MetricUnit::kCount},
                    {"2x1", "Global", "m", "maximum", 2.6, 2.5, "",
                     Bound::kMost, MetricUnit::kGigahertz},
                    {"2x1", "Global", "m", "minimum", 12e9, 1, "",
                     Bound::kLeast, MetricUnit::kBytes},
                    {"2x1", "Global", "m", "minimum", 1e9, 1, "", Bound::kLeast,
                     MetricUnit::kBytesPerSecond}})) {
    text += block_text(list);
  }
  EXPECT_EQ(
      " good 2x1 Global/m: 12000000000 <= 12000000001 (maximum)\n"
      " good 2x1 Global/m: 12000000000 B >= 1 B (minimum)\n"
      " good 2x1 Global/m: 1000000000 B/s >= 1 B/s (minimum)\n"
      " FAIL 2x1 Global/m: 2.6000 GHz > 2.5000 GHz (maximum)\n"
      " 3 of 4 checks passed\n",
      text);
}

}  // namespace
}  // namespace poprt
