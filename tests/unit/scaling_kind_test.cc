// Which runs are strong scaling, which weak, and which may be a reference.
#include "compare/scaling_kind.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/checks.h"
#include "compare/difference_document.h"
#include "compare/figure.h"
#include "compare/reference.h"
#include "compare/same_work.h"
#include "compare/scaling_document.h"
#include "compare/scaling_table.h"
#include "compare/variants.h"
#include "document/render.h"
#include "exchange/formats.h"
#include "model/quantities.h"
#include "unit/has.h"
#include "unit/scaling_rows.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

using test::global_run;
using test::region;
using test::row;
using test::run;
using test::value;

constexpr int64_t kSecond = 1'000'000'000;

// A run that was started with these arguments, and counted so many useful
// instructions; none if it counted nothing.
struct Given {
  int64_t ranks;
  int64_t threads = 1;
  std::string arguments = "in.txt";
  double instructions = 0;
  std::string size = "";
  double useful_s = 10;
  double run_s = 10;
};

RunFile run_of(const Given& given) {
  RegionTotals global = region("Global", given.ranks * given.threads,
                               std::llround(given.run_s * 1e9),
                               std::llround(given.useful_s * 1e9));
  global.processes = given.ranks;
  if (given.instructions > 0) {
    set_amount(counter_amount("PAPI_TOT_INS"), std::llround(given.instructions),
               &global.amounts);
  }
  RunFile file = run(given.ranks, given.threads, {std::move(global)});
  file.report.context.command = {"./app", given.arguments};
  if (!given.size.empty()) {
    file.report.totals.metadata = {{"size", given.size, 0}};
  }
  return file;
}

std::vector<Configuration> runs_of(const std::vector<Given>& all) {
  std::vector<RunFile> runs;
  for (const Given& each : all) runs.push_back(run_of(each));
  return configurations_of(std::move(runs));
}

// "strong", "weak ranks", "unknown".
std::string kind_of(const ScalingChoice& choice) {
  return name_of(choice.scaling) +
         (choice.scaling == Scaling::kWeak ? " " + name_of(choice.load) : "");
}

std::string kind_of(const std::vector<Given>& all) {
  return kind_of(scaling_choice(runs_of(all)));
}

ScalingStudy study_of(const std::vector<Given>& all) {
  std::vector<Configuration> runs = runs_of(all);
  const ScalingChoice choice = scaling_choice(runs);
  return {std::move(runs), 0, choice.scaling, choice.load};
}

TEST(ScalingKind, OfTheSameCommandIsStrongWhateverTheTimes) {
  // One core that two ranks share: each is useful as long as one alone was.
  const ScalingStudy one_core =
      study_of({{.ranks = 1}, {.ranks = 2, .useful_s = 20.5}});
  EXPECT_EQ(Scaling::kStrong, one_core.scaling);
  EXPECT_DOUBLE_EQ(
      1, value(scaling_table(one_core, "Global", Model::kPop), "speedup", 1));
  // One input, and more useful time the more threads wait for a core.
  const ScalingStudy input =
      study_of({{.ranks = 2, .useful_s = 100, .run_s = 60},
                {.ranks = 2, .threads = 2, .useful_s = 190, .run_s = 80},
                {.ranks = 4, .threads = 2, .useful_s = 390, .run_s = 118}});
  EXPECT_EQ(Scaling::kStrong, input.scaling);
  EXPECT_DOUBLE_EQ(60. / 118, value(scaling_table(input, "Global", Model::kPop),
                                    "speedup", 2));
  EXPECT_EQ(
      "strong: the same command line and metadata (if each core had the same "
      "work: --scaling weak)",
      scaling_choice(input.configurations).how);
}

TEST(ScalingKind, OfTheSameCommandIsNotKnownIfInstructionsContradict) {
  EXPECT_EQ("strong", kind_of({{.ranks = 1, .instructions = 1e9},
                               {.ranks = 16, .instructions = 3e9}}));
  EXPECT_EQ("unknown", kind_of({{.ranks = 1, .instructions = 1e9},
                                {.ranks = 16, .instructions = 5e9}}));
  EXPECT_EQ("unknown", kind_of({{.ranks = 1, .instructions = 1e9},
                                {.ranks = 16, .instructions = 2e8}}));
  const ScalingChoice choice = scaling_choice(runs_of(
      {{.ranks = 1, .instructions = 1e9}, {.ranks = 4, .instructions = 4e9}}));
  EXPECT_EQ(Scaling::kUnknown, choice.scaling);
  EXPECT_EQ(
      "not known: the command line is the same, but useful instructions x 4.00 "
      "from 1 to 4 cores: an input file may have changed; --scaling strong or "
      "weak decides",
      choice.how);
  // Of two versions on as many cores, one may need more instructions.
  EXPECT_EQ("strong", kind_of({{.ranks = 1, .instructions = 1e9},
                               {.ranks = 1, .instructions = 3e9}}));
}

// Also where the run with the fewest cores counted none.
TEST(ScalingKind, IsContradictedByAnyTwoRunsAndTheyAreNamed) {
  const auto how = [](const std::vector<Given>& all) {
    return scaling_choice(runs_of(all)).how;
  };
  const std::string why = "not known: the command line is the same, but ";
  EXPECT_EQ(0u, how({{.ranks = 1},
                     {.ranks = 4, .instructions = 1e9},
                     {.ranks = 16, .instructions = 4e9}})
                    .find(why + "useful instructions x 4.00 from 4 to 16 "));
  EXPECT_EQ(0u, how({{.ranks = 1, .instructions = 1e9},
                     {.ranks = 4, .instructions = 4e9},
                     {.ranks = 16}})
                    .find(why + "useful instructions x 4.00 from 1 to 4 "));
  EXPECT_EQ(0u, how({{.ranks = 1, .instructions = 1e9},
                     {.ranks = 4, .instructions = 4e9},
                     {.ranks = 16, .instructions = 1e9}})
                    .find(why + "useful instructions x 4.00 from 1 to 4 "));
  // No two of them grow with the cores.
  EXPECT_EQ("strong", kind_of({{.ranks = 1},
                               {.ranks = 4, .instructions = 1e9},
                               {.ranks = 16, .instructions = 1.5e9}}));
}

TEST(ScalingKind, NamesTwoRunsThatHadNoGrowthInCommon) {
  const std::string how =
      scaling_choice(
          runs_of({{.ranks = 1, .instructions = 1e9},
                   {.ranks = 4, .arguments = "other", .instructions = 2e9},
                   {.ranks = 16, .arguments = "more", .instructions = 1e9}}))
          .how;
  EXPECT_HAS(how, "useful instructions x 2.00 from 1 to 4 cores are neither");
}

TEST(ScalingKind, OfOtherArgumentsIsWhatInstructionsTell) {
  const auto kind = [](const Given& more, double instructions) {
    Given counted = more;
    counted.arguments = "other.txt";
    counted.instructions = instructions;
    return kind_of({{.ranks = 4, .instructions = 1e9}, counted});
  };
  EXPECT_EQ("strong", kind({.ranks = 16}, 1.09e9));
  EXPECT_EQ("weak cores", kind({.ranks = 16}, 3.7e9));
  EXPECT_EQ("weak cores", kind({.ranks = 16}, 4.3e9));
  EXPECT_EQ("unknown", kind({.ranks = 16}, 4.5e9));
  EXPECT_EQ("unknown", kind({.ranks = 16}, 1.2e9));
  EXPECT_EQ("weak ranks", kind({.ranks = 8, .threads = 4}, 2e9));
  EXPECT_EQ("weak cores", kind({.ranks = 8, .threads = 4}, 8e9));
  EXPECT_EQ("weak cores", kind({.ranks = 4, .threads = 4}, 4e9));
  // So alike that both fit.
  EXPECT_EQ(
      "unknown",
      kind_of(
          {{.ranks = 20, .instructions = 1e9},
           {.ranks = 21, .arguments = "other.txt", .instructions = 1.02e9}}));
  // On as many cores, strong and weak are the same.
  EXPECT_EQ("strong", kind({.ranks = 4}, 1e9));
  EXPECT_EQ("unknown", kind({.ranks = 4}, 2e9));
}

TEST(ScalingKind, IsNotKnownWithoutAnySign) {
  const std::vector<Given> kRuns = {
      {.ranks = 1, .instructions = 1e9, .useful_s = 9},
      {.ranks = 4, .arguments = "large.txt", .useful_s = 36}};
  const ScalingChoice choice = scaling_choice(runs_of(kRuns));
  EXPECT_EQ(Scaling::kUnknown, choice.scaling);
  EXPECT_EQ(
      "not known: the command lines or metadata differ, and useful "
      "instructions were not counted in all runs; --scaling strong or weak "
      "decides",
      choice.how);
  // The command line of a run of another tool is not known.
  EXPECT_EQ(Scaling::kUnknown,
            scaling_choice(configurations_of({global_run(1, 1, 100, 90),
                                              global_run(4, 1, 105, 360)}))
                .scaling);
  EXPECT_EQ(Scaling::kStrong, scaling_choice(runs_of({{.ranks = 1}})).scaling);
}

TEST(ScalingKind, IsWhatTheProgramSays) {
  const auto kind = [](const std::string& size, const std::string& next) {
    return kind_of(
        {{.ranks = 2, .arguments = "a", .size = size},
         {.ranks = 8, .threads = 2, .arguments = "b", .size = next}});
  };
  EXPECT_EQ("strong", kind("1e6", "1000000"));
  EXPECT_EQ("weak metadata size", kind("1e6", "8e6"));
  EXPECT_EQ("weak metadata size", kind("1e6", "4.1e6"));  // as the ranks
  EXPECT_EQ("unknown", kind("100", "200"));  // the length of an edge?
  EXPECT_EQ("unknown", kind("1e6", "1.05e6"));
  EXPECT_EQ("unknown", kind("small", "small"));
  // It comes before the command line and the instructions.
  EXPECT_EQ("weak metadata size",
            kind_of({{.ranks = 1, .instructions = 1e9, .size = "10"},
                     {.ranks = 4, .instructions = 1e9, .size = "40"}}));
}

TEST(ScalingKind, AsTheUserSaysHasTheLoadThatTheRunsTell) {
  const auto load = [](const std::vector<Given>& all) {
    return name_of(weak_scaling(runs_of(all)).load);
  };
  const Given more = {.ranks = 4, .threads = 4, .useful_s = 40};
  EXPECT_EQ("cores", load({{.ranks = 1}, more}));
  // Threads were added to the same work.
  EXPECT_EQ("ranks", load({{.ranks = 1}, {.ranks = 1, .threads = 4}, more}));
  Given counted = more;
  counted.instructions = 4.1e9;
  EXPECT_EQ("ranks", load({{.ranks = 1, .instructions = 1e9}, counted}));
  counted.size = "50";
  EXPECT_EQ("ranks",
            load({{.ranks = 1, .instructions = 1e9, .size = "10"}, counted}));
  counted.size = "40";
  EXPECT_EQ("metadata size",
            load({{.ranks = 1, .instructions = 1e9, .size = "10"}, counted}));
}

const std::vector<Given> kUnknown = {
    {.ranks = 2, .arguments = "a", .useful_s = 16},
    {.ranks = 4, .arguments = "b", .useful_s = 30}};

TEST(UnknownScaling, ComparesNoWork) {
  const ScalingStudy study = study_of(kUnknown);
  const auto rows = scaling_table(study, "Global", Model::kPop);
  for (const ScalingRow& each : rows) {
    const bool is_known = each.cells[1].values.count > 0;
    const std::string key = each.metric.key;
    EXPECT_NE("load_increase_factor", key);
    if (key == "run_time_ns" || key == "parallel_efficiency") {
      EXPECT_TRUE(is_known) << key;
    }
    for (const char* const of_work :
         {"speedup", "speedup_efficiency", "global_efficiency",
          "computation_scaling", "instruction_scaling"}) {
      if (key != of_work) continue;
      EXPECT_FALSE(is_known) << key;
      EXPECT_HAS(each.cells[0].reason, "--scaling");
    }
  }
  EXPECT_EQ(0u, row(rows, "speedup").cells[0].values.count);
}

TEST(UnknownScaling, IsSaid) {
  const ScalingStudy study = study_of(kUnknown);
  const ScalingOptions options = {.models = {Model::kPop},
                                  .regions = {"Global"}};
  const std::string text = render_text(scaling_document(study, "why", options));
  EXPECT_HAS(text, " Scaling    why\n");
  EXPECT_HAS(text,
             "From 2x1 to 4x1 Parallel Efficiency went from 80.0 % to "
             "75.0 %.");
  const auto json = nlohmann::json::parse(scaling_json(study, "why", options));
  EXPECT_EQ("unknown", json["scaling"]);
  EXPECT_TRUE(json["load"].is_null());
  const auto& metrics = json["tables"][0]["metrics"];
  EXPECT_TRUE(metrics["speedup"][1]["median"].is_null());
  EXPECT_TRUE(metrics["run_time_ns"][1]["median"].is_number());
  EXPECT_HAS(scaling_csv(study, options),
             "\n4,4,1,2x1,unknown,Global,pop,speedup,,,,4x1,amber,,,\n");
  const std::string files = basic_analysis_files({run_of(kUnknown[0]).report,
                                                  run_of(kUnknown[1]).report},
                                                 Scaling::kUnknown)
                                .front()
                                .text;
  EXPECT_HAS(files, "\"Global efficiency\";NaN;NaN\n");
}

TEST(ScalingFindings, SayWhereNothingChanged) {
  const Findings all = scaling_findings(
      study_of({{.ranks = 2, .useful_s = 16},
                {.ranks = 2, .arguments = "other", .useful_s = 15.9999}}),
      Model::kPop);
  ASSERT_EQ(1u, all.findings.size());
  EXPECT_EQ("From 2x1a to 2x1b Parallel Efficiency stayed at 80.0 %.",
            all.findings[0].sentence);
}

// Its threads are not seen.
RunFile with_unknown_openmp(RunFile file) {
  file.report.totals.has_unseen_openmp = true;
  file.report.totals.has_openmp = false;
  return file;
}

TEST(UnknownOpenMp, IsNoReference) {
  // Two ranks of a core each, as far as is seen.
  const ScalingStudy study = {
      configurations_of({with_unknown_openmp(run_of({.ranks = 1})),
                         run_of({.ranks = 2, .useful_s = 18}),
                         run_of({.ranks = 4, .useful_s = 20})}),
      1, Scaling::kStrong};
  EXPECT_EQ("1x?, 2x1, 4x1", names_of(study.configurations));
  EXPECT_EQ(1u, first_reference(study.configurations));
  EXPECT_EQ((std::vector<std::string>{"no run is compared with 1x?: its OpenMP "
                                      "is not known, nor how many cores it "
                                      "had"}),
            reference_notes(study.configurations));
  const auto rows = scaling_table(study, "Global", Model::kPop);
  EXPECT_DOUBLE_EQ(1, value(rows, "speedup", 0));
  for (const char* const key :
       {"speedup_efficiency", "computation_scaling", "global_efficiency"}) {
    EXPECT_EQ(
        "the OpenMP threads of this run, and so its cores and work, are not "
        "known",
        row(rows, key).cells[0].reason)
        << key;
  }
  const ScalingOptions options = {.models = {Model::kPop},
                                  .regions = {"Global"}};
  EXPECT_HAS(scaling_csv(study, options),
             "\n1,,1,2x1,strong,Global,pop,speedup_efficiency,,,,1x?");
  const auto json = nlohmann::json::parse(scaling_json(study, "", options));
  EXPECT_TRUE(json["configurations"][0]["threads"].is_null());
  EXPECT_TRUE(json["configurations"][0]["no_reference"].is_string());
  EXPECT_TRUE(json["configurations"][1]["no_reference"].is_null());
  const Figure figure = figure_kind("speedup")->figure(study, options);
  EXPECT_TRUE(std::isnan(figure.series.front().values[0]));
  EXPECT_EQ(nullptr, why_not_drawn(*figure_kind("speedup"), figure));
  // BasicAnalysis's first column is the reference, if it may be.
  const std::string files =
      basic_analysis_files({study.configurations[0].runs[0].report,
                            study.configurations[1].runs[0].report,
                            study.configurations[2].runs[0].report},
                           Scaling::kStrong)
          .front()
          .text;
  EXPECT_HAS(files, "\"-- Computation scalability\";NaN;100.000000;90.0");
}

// How much of its work it did is not known.
TEST(KilledRun, IsNoReferenceAndHasNoSpeedup) {
  RunFile killed = run_of({.ranks = 1});
  killed.report.context.endings = {{"killed", "0", 1, 1, 1}};
  RunFile killed_later = run_of({.ranks = 4, .useful_s = 20});
  killed_later.report.context.endings = {{"killed", "0-3", 4, 1, 1}};
  const ScalingStudy study = {
      configurations_of(
          {killed, run_of({.ranks = 2, .useful_s = 18}), killed_later}),
      1, Scaling::kStrong};
  EXPECT_EQ(1u, first_reference(study.configurations));
  EXPECT_EQ(1u, largest_like(study.configurations, 1));
  EXPECT_EQ("no run is compared with 1x1: it did not come to its end",
            reference_notes(study.configurations).at(0));
  const auto rows = scaling_table(study, "Global", Model::kPop);
  for (const char* const key : {"speedup", "speedup_efficiency",
                                "computation_scaling", "global_efficiency"}) {
    EXPECT_FALSE(std::isnan(value(rows, key, 1))) << key;
    EXPECT_EQ(
        "the run did not come to its end: how much work it did is not known",
        row(rows, key).cells[2].reason)
        << key;
  }
  EXPECT_FALSE(std::isnan(value(rows, "parallel_efficiency", 2)));
  const WorkOfTwo work =
      work_of_two(study.configurations[1], study.configurations[2], {});
  EXPECT_FALSE(work.is_comparable);
  EXPECT_TRUE(work.note.ends_with("not all runs came to their end."));
}

RunFile killed_run(const Given& given) {
  RunFile killed = run_of(given);
  killed.path = "killed";
  killed.report.context.endings = {{"killed", "0", given.ranks, 1, 1}};
  return killed;
}

// What is known of it are lower bounds.
TEST(KilledRun, IsInNoMedianOfRunsThatCameToTheirEnd) {
  const auto all = configurations_of({run_of({.ranks = 4, .run_s = 18}),
                                      killed_run({.ranks = 4, .run_s = 2}),
                                      killed_run({.ranks = 8})});
  ASSERT_EQ(2u, all.size());
  EXPECT_EQ(1u, all[0].runs.size());
  EXPECT_TRUE(has_ended(all[0]));
  ASSERT_EQ(1u, all[0].left_out.size());
  EXPECT_EQ("killed", all[0].left_out[0].path);
  EXPECT_EQ("", why_no_reference(all[0]));
  EXPECT_EQ(
      "killed: left out of 4x1, because it did not come to its end and others "
      "did.",
      light_notes(all)[0]);
  EXPECT_FALSE(has_ended(all[1]));
  EXPECT_TRUE(all[1].left_out.empty());
}

// A medians' repetition is left out, but not out of the light.
TEST(KilledRun, ThatIsLeftOutStillFailsTheCheckOfTheLight) {
  RunFile killed = killed_run({.ranks = 4, .run_s = 2});
  killed.report.context.endings = {{"killed", "0", 3, 0, 0},
                                   {"killed", "0", 1, 1, 1}};
  ASSERT_TRUE(is_red(killed.report));
  const auto all =
      configurations_of({run_of({.ranks = 4, .run_s = 18}), std::move(killed)});
  ASSERT_EQ(1u, all.size());
  EXPECT_FALSE(is_red(all[0]));
  const std::vector<Check> checks = check_light(all[0]);
  ASSERT_LE(1u, checks.size());
  EXPECT_EQ("quality.missing_ranks", checks[0].metric);
  EXPECT_HAS(checks_junit(checks, all), "4x1.quality.light\" value=\"red\"");
}

// ... nor is what it says of its work.
TEST(KilledRun, TellsByItsMetadataWhatItsWorkWas) {
  std::vector<RunFile> runs = {run_of({.ranks = 4, .size = "45"}),
                               killed_run({.ranks = 8, .size = "90"}),
                               killed_run({.ranks = 16, .size = "180"})};
  EXPECT_EQ("weak metadata size",
            kind_of(scaling_choice(configurations_of(runs))));
  runs = {run_of({.ranks = 4, .arguments = "a", .instructions = 1e9}),
          killed_run({.ranks = 8, .arguments = "b", .instructions = 2e9})};
  EXPECT_EQ(
      "not known: the command lines or metadata differ, and only one run came "
      "to its end; --scaling strong or weak decides",
      scaling_choice(configurations_of(runs)).how);
}

TEST(KilledRun, HasLowerBoundsInTables) {
  const ScalingStudy study = {
      configurations_of({run_of({.ranks = 4, .useful_s = 30}),
                         killed_run({.ranks = 8, .useful_s = 40})}),
      0, Scaling::kStrong};
  const Table table = scaling_values(study, "Global", Model::kPop,
                                     {.models = {Model::kPop}, .regions = {}});
  const auto is_least = [&](const Table& of, std::string_view key, size_t i) {
    const auto found = std::ranges::find(of.rows, key, &TableRow::key);
    return found != of.rows.end() && found->cells[i].is_least;
  };
  for (const char* const key : {"run_time_ns", "parallel_efficiency"}) {
    EXPECT_FALSE(is_least(table, key, 0)) << key;
    EXPECT_TRUE(is_least(table, key, 1)) << key;
  }
  EXPECT_FALSE(is_least(table, "speedup", 1));
  const auto json = nlohmann::json::parse(scaling_json(
      study, "", {.models = {Model::kPop}, .regions = {"Global"}}));
  const auto& time = json["tables"][0]["metrics"]["run_time_ns"];
  EXPECT_FALSE(time[0].contains("bound"));
  EXPECT_EQ("at_least", time[1]["bound"]);

  // How far they are from others is not known.
  const Comparison pair = {
      {{study.configurations[0], study.configurations[1]}}, {}, {}};
  const auto all =
      changes(pair.pairs[0].a, pair.pairs[0].b, kGlobalRegion, Model::kPop);
  for (const Change& each : all) {
    if (each.a.count == 0 || each.b.count == 0) continue;
    EXPECT_EQ(each.is_least_b, std::isnan(each.difference)) << each.metric.key;
    EXPECT_FALSE(each.is_least_a);
  }
  EXPECT_EQ(0u, work_of_two(test::only({run_of({.ranks = 8})}),
                            study.configurations[1], {})
                    .note.find("whether the runs of 8x1 on both sides did the "
                               "same work is not known"));
  const Document document =
      difference_document(pair, {"a", "b", {Model::kPop}, {kGlobalRegion}});
  const std::string text = render_text(document);
  EXPECT_HAS(text, ">=10.00 s\n");
  EXPECT_HAS(text, ">=50.0 x\n");
}

// Its instructions are a lower bound, and contradict nothing.
TEST(KilledRun, TellsNothingOfTheKindOfScalingByItsInstructions) {
  RunFile killed = run_of({.ranks = 16, .instructions = 1e8});
  killed.report.context.endings = {{"killed", "0-15", 16, 1, 1}};
  const std::vector<Configuration> all =
      configurations_of({run_of({.ranks = 1, .instructions = 1e9}),
                         run_of({.ranks = 4, .instructions = 1e9}), killed});
  EXPECT_EQ("strong", kind_of(scaling_choice(all)));
  RunFile other = killed;
  other.report.context.command = {"./app", "other.txt"};
  EXPECT_EQ("strong", kind_of(scaling_choice(configurations_of(
                          {all[0].runs[0], all[1].runs[0], other}))));
  EXPECT_EQ(
      "strong",
      kind_of(scaling_choice(configurations_of({all[0].runs[0], killed}))));
}

TEST(UnknownOpenMp, IsNoRepetitionOfWhatIsKnown) {
  const auto all = configurations_of(
      {with_unknown_openmp(run_of({.ranks = 2})), run_of({.ranks = 2})});
  EXPECT_EQ("2x1, 2x?", names_of(all));
  EXPECT_EQ(0u, largest_like(all, 0));
}

TEST(UnknownOpenMp, LeavesNothingToCompareWithIfAllRunsHaveIt) {
  const auto all =
      configurations_of({with_unknown_openmp(run_of({.ranks = 1})),
                         with_unknown_openmp(run_of({.ranks = 2}))});
  EXPECT_EQ(std::nullopt, first_reference(all));
  const ScalingChoice choice = scaling_choice(all);
  EXPECT_EQ("not known: no run may be the reference", choice.how);
  const ScalingStudy study = {all, 0, choice.scaling, choice.load};
  EXPECT_EQ("", reference_name(study));
  EXPECT_EQ("no run may be the reference",
            row(scaling_table(study, "Global", Model::kPop), "speedup")
                .cells[1]
                .reason);
  const ScalingOptions options = {.models = {Model::kPop},
                                  .regions = {"Global"}};
  const auto json = nlohmann::json::parse(scaling_json(study, "", options));
  EXPECT_TRUE(json["reference"].is_null());
  EXPECT_EQ(0u, scaling_findings(study, Model::kPop).findings.size());
}

TEST(ScalingText, HasTheUnitOfEachRowAndMarksWaiting) {
  ScalingStudy study = study_of({{.ranks = 1}, {.ranks = 2}});
  const auto wait = [&](size_t i, int64_t ns) {
    JobTotals& totals = study.configurations[i].runs[0].report.totals;
    set_amount(kWaitedForCore.name, ns, &totals.resources);
  };
  wait(0, kSecond * 4 / 10);
  wait(1, kSecond * 19);
  const Table table = scaling_values(study, "Global", Model::kPop,
                                     {.models = {Model::kPop}, .regions = {}});
  std::vector<std::string> labels;
  for (const TableRow& each : table.rows) {
    if (each.depth == 0) labels.push_back(each.label);
    if (each.key != "waited_for_core_share") continue;
    EXPECT_EQ(Grade::kNone, each.cells[0].grade);
    EXPECT_EQ(Grade::kPoor, each.cells[1].grade);
  }
  EXPECT_EQ(
      (std::vector<std::string>{"light", "runs", "run time, s",
                                "speedup, factor", "speedup / ideal, %",
                                "Global Efficiency", "waited for a core, %"}),
      labels);
  EXPECT_EQ("amber", table.rows[0].cells[0].text);
  EXPECT_EQ("red", table.rows[0].cells[1].text);
  wait(1, 0);
  EXPECT_EQ("runs", scaling_values(study, "Global", Model::kPop,
                                   {.models = {Model::kPop}, .regions = {}})
                        .rows[0]
                        .key);
}

WorkOfTwo work_of(const Given& a, const Given& b,
                  std::optional<Scaling> said = std::nullopt) {
  return work_of_two(runs_of({a}).front(), runs_of({b}).front(), said);
}

void expect_alike(Scaling scaling, const WorkOfTwo& work) {
  EXPECT_EQ(scaling, work.choice.scaling) << work.choice.how;
  EXPECT_TRUE(work.is_comparable) << work.note;
  EXPECT_EQ("", work.note);
}

TEST(WorkOfTwo, IsTheSameOfTheSameCommand) {
  expect_alike(Scaling::kStrong, work_of({4}, {4}));
  // Other ranks and threads, on either side.
  expect_alike(Scaling::kStrong, work_of({4, 2}, {16, 4}));
  expect_alike(Scaling::kStrong, work_of({16, 4}, {4, 2}));
}

TEST(WorkOfTwo, IsNotKnownOfOtherArguments) {
  const WorkOfTwo work = work_of({4, 1, "a.txt"}, {4, 1, "b.txt"});
  EXPECT_FALSE(work.is_comparable);
  EXPECT_EQ(
      "whether 4x1 (app a.txt) and 4x1 (app b.txt) did the same work is not "
      "known: the command lines or metadata differ, and useful instructions "
      "were not counted in all runs; --scaling strong or weak decides.",
      work.note);
  // Instructions tell.
  expect_alike(Scaling::kStrong,
               work_of({4, 1, "a.txt", 1e9}, {4, 1, "b.txt", 1.02e9}));
  expect_alike(Scaling::kWeak,
               work_of({4, 1, "a.txt", 1e9}, {8, 1, "b.txt", 2e9}));
  EXPECT_FALSE(
      work_of({4, 1, "a.txt", 1e9}, {4, 1, "b.txt", 3e9}).is_comparable);
  // The user does, and the program's metadata.
  for (const Scaling said : {Scaling::kStrong, Scaling::kWeak}) {
    expect_alike(said, work_of({4, 1, "a.txt"}, {8, 1, "b.txt"}, said));
  }
  expect_alike(Scaling::kStrong,
               work_of({4, 1, "a.txt", 0, "100"}, {8, 1, "b.txt", 0, "100"}));
  expect_alike(Scaling::kWeak,
               work_of({4, 1, "a.txt", 0, "100"}, {8, 1, "b.txt", 0, "200"}));
  EXPECT_FALSE(work_of({4, 1, "a.txt", 0, "100"}, {8, 1, "b.txt", 0, "130"})
                   .is_comparable);
}

// Nor where one of the runs, or both, cannot be judged.
TEST(WorkOfTwo, IsNotKnownOfOtherArgumentsOfRedRuns) {
  const auto red = [](RunFile file) {
    set_amount(kWaitedForCore.name, 19 * kSecond,
               &file.report.totals.resources);
    return test::only({std::move(file)});
  };
  const RunFile a = run_of({4, 1, "a.txt"});
  const RunFile b = run_of({4, 1, "b.txt"});
  ASSERT_TRUE(is_red(red(a)));
  for (const auto& [first, second] : {std::pair(red(a), test::only({b})),
                                      {test::only({a}), red(b)},
                                      {red(a), red(b)}}) {
    const WorkOfTwo work = work_of_two(first, second, std::nullopt);
    EXPECT_FALSE(work.is_comparable);
    EXPECT_HAS(work.note, "is not known: the command ");
  }
  expect_alike(Scaling::kStrong,
               work_of_two(red(a), test::only({a}), std::nullopt));
  // Nothing is compared with a red run.
  for (const Check& check : check_baseline(
           test::only({a}), red(a), {kGlobalRegion}, {Model::kPop}, 0.05)) {
    if (check.metric != "computation_scaling") continue;
    EXPECT_FALSE(is_made(check));
    EXPECT_EQ("no run is compared with 4x1: it cannot be judged", check.reason);
  }
}

TEST(WorkOfTwo, IsNotKnownWhereInstructionsContradictTheCommand) {
  for (const auto& [a, b] :
       {std::pair(Given{4, 1, "a", 1e9}, Given{16, 1, "a", 4e9}),
        {Given{16, 1, "a", 4e9}, Given{4, 1, "a", 1e9}}}) {
    const WorkOfTwo work = work_of(a, b);
    EXPECT_FALSE(work.is_comparable);
    EXPECT_HAS(work.note, "an input file may have");
  }
}

TEST(WorkOfTwo, IsNotKnownOfAnotherProgram) {
  RunFile other = run_of({4});
  other.report.context.command = {"./other", "in.txt"};
  other.report.context.program = "other";
  EXPECT_FALSE(
      work_of_two(runs_of({{4}}).front(), test::only({other}), std::nullopt)
          .is_comparable);
}

TEST(WorkOfTwo, IsAssumedWhereACommandIsNotKnown) {
  RunFile other = run_of({4});
  other.report.context.command.clear();
  const WorkOfTwo work =
      work_of_two(runs_of({{4}}).front(), test::only({other}), std::nullopt);
  EXPECT_TRUE(work.is_comparable);
  EXPECT_EQ(Scaling::kUnknown, work.choice.scaling);
  EXPECT_HAS(work.note,
             "that the runs of 4x1 on both sides did the same "
             "work is assumed");
}

// Unlike work is neither better nor worse for taking longer, and says so.
TEST(WorkOfTwo, ThatIsNotKnownIsNotComparedSilently) {
  const std::vector<Configuration> a = runs_of({{4, 1, "a.txt"}});
  Given longer = {4, 1, "b.txt"};
  longer.useful_s = 20;
  longer.run_s = 20;
  const std::vector<Configuration> b = runs_of({longer});
  const Comparison pairs = comparison_of(a, b);
  DifferenceOptions options = {"a", "b", {Model::kPop}, {kGlobalRegion}};
  const auto text = [&] {
    return render_text(difference_document(pairs, options));
  };
  EXPECT_LACKS(text(), "% worse");
  EXPECT_HAS(text(), "are not called better or worse");
  EXPECT_HAS(difference_csv(pairs, options), ",unknown\n");
  options.scaling = Scaling::kStrong;
  EXPECT_HAS(text(), "% worse");
  EXPECT_LACKS(text(), "not known");
  EXPECT_HAS(difference_csv(pairs, options), ",strong\n");

  const auto has_scaling = [&](std::optional<Scaling> said) {
    const auto checks =
        check_baseline(b[0], a[0], {kGlobalRegion}, {Model::kPop}, 0.05,
                       work_of_two(a[0], b[0], said));
    EXPECT_FALSE(checks.empty());
    return std::ranges::any_of(checks, [](const Check& check) {
      return check.metric == "computation_scaling" && !passed(check);
    });
  };
  EXPECT_FALSE(has_scaling(std::nullopt));
  EXPECT_TRUE(has_scaling(Scaling::kStrong));
}

}  // namespace
}  // namespace poprt
