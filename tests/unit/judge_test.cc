// The light: each cause alone, at both sides of its limits, and not known.
#include "model/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/device_amounts.h"
#include "model/plausible.h"
#include "model/quantities.h"
#include "report/csv.h"
#include "report/findings.h"
#include "report/light.h"
#include "report/report_document.h"
#include "report/table.h"
#include "sample_reports.h"
#include "unit/has.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

void set(const Resource& resource, double value, JobReport* report) {
  set_amount(resource.name, std::llround(value), &report->totals.resources);
}

// Of which all is known, and nothing speaks against it.
JobReport good_report() {
  JobReport report = test::hybrid_report();
  test::know_all(&report.totals.resources);
  return report;
}

// Gives the report this value of the cause.
using Setter = std::function<void(double, JobReport*)>;

std::map<std::string, Setter> setters() {
  const auto core = [](const JobReport& report) {
    return static_cast<double>(job_core_ns(report));
  };
  const auto of_core = [=](const Resource& resource) {
    return [=](double share, JobReport* report) {
      set(resource, share * core(*report), report);
    };
  };
  return {
      {"waited_for_core", of_core(kWaitedForCore)},
      {"unmeasured_threads",
       [=](double share, JobReport* report) {
         set(kUnknownThreadsCpu, share / (1 - share) * core(*report), report);
       }},
      {"devices", of_core(kTargetOnHost)},
      {"overhead",
       [=](double share, JobReport* report) {
         report->totals.quality.overhead_max_ns = 0;
         report->totals.quality.overhead_ns =
             std::llround(share * core(*report));
       }},
      {"lost_clocks",
       [](double share, JobReport* report) {
         Quality& quality = report->totals.quality;
         quality.lost_clocks = std::llround(share * 100'000);
         quality.clock_messages = 100'000 - quality.lost_clocks;
       }},
      {"unwrapped_calls",
       [](double count, JobReport* report) {
         for (int i = 0; i < count; ++i) {
           report->totals.unwrapped_calls.push_back(
               {"MPIX_Call" + std::to_string(i), 1});
         }
       }},
      {"closure_error",
       [](double share, JobReport* report) {
         report->totals.quality.closure_error_ns = std::llround(
             share * run_time_ns(*report, *global_region(*report)));
       }},
      {"missing_ranks",
       [](double share, JobReport* report) {
         report->totals.processes = 1000;
         report->totals.unmeasured_processes =
             std::llround(1000 * share / (1 - share));
       }},
      {"run_time_s",
       [](double seconds, JobReport* report) {
         report->regions[0].totals.all_ns = std::llround(seconds * 1e9);
       }},
  };
}

// The light, and that this cause alone made it.
Light light_by(const std::string& key, const JobReport& report) {
  const Judgement judgement = judge(report);
  if (judgement.causes.empty()) return Light::kGreen;
  EXPECT_EQ(1u, judgement.causes.size()) << key;
  EXPECT_EQ(key, judgement.causes[0].cause.key);
  EXPECT_EQ(judgement.light, judgement.causes[0].light);
  return judgement.light;
}

TEST(Judge, IsGreenWhereNothingIsWrong) {
  const JobReport report = good_report();
  EXPECT_EQ(Light::kGreen, judge(report).light);
  EXPECT_TRUE(judge(report).causes.empty());
  EXPECT_EQ("green: nothing stands against these numbers.",
            light_list(report).facts.at(0).text);
}

TEST(Judge, TurnsAmberAndRedBeyondTheLimitsOfEachCause) {
  for (const Cause& cause : all_causes()) {
    const auto all = setters();
    const auto setter = all.find(cause.key);
    if (setter == all.end()) continue;
    SCOPED_TRACE(cause.key);
    const auto light_at = [&](double value) {
      JobReport report = good_report();
      setter->second(value, &report);
      return light_by(cause.key, report);
    };
    const double little = cause.less_is_worse ? -0.001 : 0.001;
    if (cause.amber > 0) {
      EXPECT_EQ(Light::kGreen, light_at(cause.amber - little));
    }
    EXPECT_EQ(Light::kAmber, light_at(cause.amber + little));
    if (cause.less_is_worse || cause.red == Cause::kNever) continue;
    EXPECT_EQ(Light::kAmber, light_at(cause.red - little));
    EXPECT_EQ(Light::kRed, light_at(cause.red + little));
  }
}

// Others wait for the thread where poprt takes most.
TEST(Judge, LooksAtTheThreadWhereOverheadIsMost) {
  JobReport report = good_report();
  Quality& quality = report.totals.quality;
  quality.overhead_max_ns = report.regions[0].totals.all_ns / 4;
  quality.overhead_ns = quality.overhead_max_ns;
  EXPECT_EQ(Light::kRed, light_by("overhead", report));
  EXPECT_NEAR(0.25, judge(report).causes[0].value, 1e-6);
  EXPECT_NEAR(0.25 / static_cast<double>(report.totals.threads),
              overhead_share(report), 1e-6);
}

TEST(Judge, CountsChildProcessesAsNotMeasured) {
  JobReport report = good_report();
  set(kUnknownThreadsCpu, 0.25 * static_cast<double>(job_core_ns(report)),
      &report);
  set(kChildrenCpu, 0.25 * static_cast<double>(job_core_ns(report)), &report);
  EXPECT_NEAR(1.0 / 3, unmeasured_threads_share(report), 1e-9);
}

TEST(Judge, TurnsAmberWhereANumberIsNotKnown) {
  for (const Resource* const each :
       {&kWaitedForCore, &kUnknownThreadsCpu, &kChildrenCpu}) {
    JobReport report = good_report();
    test::forget(each->name, &report.totals.resources);
    const Judgement judgement = judge(report);
    ASSERT_EQ(1u, judgement.causes.size());
    EXPECT_EQ(Light::kAmber, judgement.light);
    EXPECT_TRUE(std::isnan(judgement.causes[0].value));
    EXPECT_HAS(light_list(report).facts[0].text, "not known: how long");
  }
  JobReport old = good_report();
  test::forget(kDeviceProcesses.name, &old.totals.resources);
  EXPECT_EQ(Light::kAmber, light_by("devices", old));
  // A little time in MPI of other threads does not tell of the rest.
  JobReport partly = good_report();
  test::forget(kUnknownThreadsCpu.name, &partly.totals.resources);
  partly.totals.quality.foreign_mpi_ns = 1000;
  EXPECT_EQ(Light::kAmber, light_by("unmeasured_threads", partly));
  EXPECT_TRUE(std::isnan(judge(partly).causes[0].value));
  partly.totals.quality.foreign_mpi_ns = job_core_ns(partly);
  EXPECT_EQ(0.5, judge(partly).causes[0].value);
  JobReport accelerated = good_report();
  set(kDeviceProcesses, 1, &accelerated);
  EXPECT_EQ(Light::kAmber, light_by("devices", accelerated));
  JobReport gcc = good_report();
  gcc.totals.has_unseen_openmp = true;
  EXPECT_EQ(Light::kAmber, light_by("unmeasured_openmp", gcc));
}

TEST(Judge, NamesTheCallsThatAreNotMeasured) {
  JobReport report = good_report();
  report.totals.unread_programs = 1;
  EXPECT_EQ(Light::kAmber, light_by("unwrapped_calls", report));
  // What is known is said.
  report.totals.unwrapped_calls = {{"MPIX_Comm_agree", 1}, {"mpix_x_", 2}};
  EXPECT_EQ(Light::kAmber, light_by("unwrapped_calls", report));
  EXPECT_HAS(light_list(report).facts[0].text,
             "poprt does not measure: 2 (MPIX_Comm_agree, mpix_x_).");
  // Of a program without MPI they are none.
  report.totals.has_mpi = false;
  EXPECT_EQ(Light::kGreen, light_by("unwrapped_calls", report));
}

TEST(Judge, OfAnImportedRunKnowsLittle) {
  JobReport report = test::hybrid_report();
  report.context.imported_from = "TALP 3.5";
  const std::string text = light_list(report).facts[0].text;
  EXPECT_EQ(Light::kAmber, judge(report).light);
  EXPECT_TRUE(text.starts_with("amber: another tool measured this run"))
      << text;
  // Nothing can be done about it here.
  EXPECT_LACKS(text, "POPRT_");
}

TEST(Judge, IsAmberWhereRanksDidNotEndAndRedWhereMostAreMissing) {
  JobReport report = good_report();
  report.context.endings = {{"MPI_Abort(3)", "0-2", 3, 5, 9}};
  EXPECT_EQ(Light::kAmber, light_by("not_ended", report));
  report.context.endings.push_back({"left nothing", "3", 1, 0, 0});
  EXPECT_EQ(Light::kAmber, judge(report).light);
  EXPECT_DOUBLE_EQ(0.25, judge(report).causes[0].value);
  report.context.endings[1].processes = 4;
  EXPECT_EQ(Light::kRed, judge(report).light);
}

TEST(Judge, IsInCsvAndGivesNoGradesWhereItIsRed) {
  const auto csv = [](const JobReport& report) {
    return to_csv(report, "f", {Model::kPop}, {});
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  JobReport report = good_report();
  EXPECT_TRUE(has(csv(report), ",Global,quality,light,,,,,green\n"));
  EXPECT_TRUE(has(csv(report), ",poor\n")) << csv(report);
  set_amount(kWaitedForCore.name, job_core_ns(report) / 2,
             &report.totals.resources);
  EXPECT_TRUE(has(csv(report), ",Global,quality,light,,,,,red\n"));
  EXPECT_TRUE(has(csv(report), ",Global,quality,waited_for_core,0.5,,,,red\n"))
      << csv(report);
  EXPECT_FALSE(has(csv(report), ",poor\n"));
}

TEST(Judge, IsRedWhereValuesWereOutOfRange) {
  JobReport report = good_report();
  report.regions[0].metrics.pop.load_balance = 1.2;
  report.totals.quality.notes.clear();
  note_out_of_range(&report);
  EXPECT_EQ(Light::kRed, light_by("out_of_range", report));
}

// Numbers as they are rounded say nothing else than the light.
TEST(Judge, ShowsNumbersThatAreBeyondTheirLimits) {
  const auto words = [](const char* key, double value) {
    JobReport report = good_report();
    setters().at(key)(value, &report);
    const Judgement judgement = judge(report);
    EXPECT_EQ(1u, judgement.causes.size()) << key;
    return words_of(report, judgement.causes.at(0));
  };
  EXPECT_EQ(0u, words("waited_for_core", 0.05001)
                    .find("for 5.001 % (limit 5 %) of the core time"));
  EXPECT_EQ(0u, words("waited_for_core", 0.2001)
                    .find("for 20.01 % (limit 20 %) of the core time"));
  EXPECT_EQ(
      "the states of a thread differ from its elapsed time by less than 0.1 % "
      "of the run time",
      words("closure_error", 0.0001));
  EXPECT_EQ("nothing is known of 1 of 1001 ranks",
            words("missing_ranks", 1 / 1001.));
  EXPECT_EQ("nothing is known of 99000 of 100000 ranks (limit 50 %)",
            words("missing_ranks", 0.99));
  EXPECT_EQ("the run is short (0.999999900 s, limit 1 s)",
            words("run_time_s", 0.9999999));
}

// A red light names no loss, and gives no grade.
TEST(Judge, OfARedRunNamesNoLoss) {
  JobReport report = good_report();
  const auto marks = [&] {
    int count = 0;
    for (const Model model : kModels) {
      for (const TableRow& row : model_table(report, model, {}).rows) {
        for (const TableCell& cell : row.cells) {
          count += cell.grade != Grade::kNone;
        }
      }
    }
    return count;
  };
  EXPECT_GT(marks(), 0);
  EXPECT_NE("", next_step(report, "x.json"));
  set(kWaitedForCore, 0.893 * static_cast<double>(job_core_ns(report)),
      &report);
  EXPECT_EQ(0, marks());
  for (const Model model : kModels) {
    for (const TableColumn& column : model_table(report, model, {}).columns) {
      EXPECT_NE("lost", column.name);
    }
  }
  EXPECT_EQ("", next_step(report, "x.json"));
  EXPECT_FALSE(main_cause(report, report.regions[1]));
  const std::vector<Finding> findings = main_finding(report);
  ASSERT_EQ(1u, findings.size());
  EXPECT_EQ(
      "This run cannot be judged: for 89.3 % (limit 20 %) of the core time "
      "threads could have run but had no core.",
      findings[0].sentence);
  EXPECT_EQ("", findings[0].metric);
}

}  // namespace
}  // namespace poprt
