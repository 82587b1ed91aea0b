#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compare/assessment_document.h"
#include "document/render.h"
#include "report/findings.h"
#include "sample_reports.h"
#include "test_runs.h"

namespace poprt {
namespace {

ScalingStudy scaling_study() {
  return {configurations_of(
      {test::global_run(4, 1, 1000, 3200), test::global_run(8, 1, 700, 3200)})};
}

ScalingStudy hybrid_study() {
  std::vector<RunFile> runs;
  runs.emplace_back("hybrid.json", test::hybrid_report());
  return {configurations_of(std::move(runs))};
}

std::string markdown_of(const ScalingStudy& study, Model model) {
  return render_markdown(
      assessment_document(study, "strong: so", {{model}, {kGlobalRegion}}));
}

// The text between a section's heading and the next one.
std::string section_of(const std::string& text, const std::string& title) {
  const size_t begin = text.find("\n## " + title + "\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

// What the main finding says of the largest loss.
std::string finding_meaning(const JobReport& report) {
  const std::string sentence = main_finding(report)[1].sentence;
  const size_t begin = sentence.find("): ") + 3;
  return sentence.substr(begin, sentence.find('.', begin) - begin);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Assessment, HasAllPartsInOrderEachWithAPlaceForWords) {
  const std::string text = markdown_of(hybrid_study(), Model::kCriticalPath);
  size_t before = 0;
  for (const char* title :
       {"Background", "Application structure", "Focus of analysis",
        "Scalability", "Efficiencies", "Load balance", "Serial performance",
        "Communication", "Root causes", "Recommendations"}) {
    const size_t place = text.find(std::string("\n## ") + title + "\n");
    ASSERT_NE(std::string::npos, place) << title;
    EXPECT_LT(before, place) << title;
    before = place;
    EXPECT_TRUE(has(section_of(text, title), "\n> **To write:** ")) << title;
  }
}

TEST(Assessment, SaysHowTheProgramScales) {
  const std::string text =
      section_of(markdown_of(scaling_study(), Model::kPop), "Scalability");
  EXPECT_TRUE(has(text,
                  "From 4x1 to 8x1 (4 to 8 cores) the run time went from 1.000 "
                  "us to 700 ns: a speedup of 1.43, 71.4 % of the ideal."))
      << text;
  EXPECT_TRUE(
      has(text, "It is below 80.0 % of the ideal from 8x1 on (71.4 %)."))
      << text;
  EXPECT_TRUE(has(text, "| speedup, factor | 1.00 | 1.43 |")) << text;
}

TEST(Assessment, OfOneRunComparesNothing) {
  const std::string text = section_of(
      markdown_of(hybrid_study(), Model::kCriticalPath), "Scalability");
  EXPECT_TRUE(has(text, "There is no larger run to compare 4x4 with.")) << text;
}

// Of a region that is there and whose time is not known.
TEST(Assessment, SaysWhyTheShareOfARegionIsNotKnown) {
  const auto with_region = [](const char* name, int64_t unmeasured) {
    JobTotals totals = test::run(4, 1,
                                 {test::region("Global", 4, 1000, 3200),
                                  test::region(name, 4, 500, 1600)})
                           .report.totals;
    totals.regions = {test::region("Global", 4, 1000, 3200),
                      test::region(name, 4, 500, 1600)};
    totals.unmeasured_processes = unmeasured;
    RunContext context;
    context.program = "app";
    context.command = {"./app", name};
    return RunFile(name, make_report(std::move(context), std::move(totals)));
  };
  const std::string text = markdown_of(
      {configurations_of({with_region("solve", 1), with_region("other", 0)})},
      Model::kPop);
  EXPECT_TRUE(has(text, "no clocks: some processes of the job ran without"))
      << text;
  EXPECT_FALSE(has(text, "4x1b has no region solve")) << text;
  EXPECT_TRUE(has(text, "4x1a has no region solve")) << text;
}

TEST(Assessment, NamesTheLowestRowOfAPart) {
  const std::string text = markdown_of(hybrid_study(), Model::kCriticalPath);
  const std::string balance = section_of(text, "Load balance");
  EXPECT_TRUE(
      has(balance,
          "The lowest of them in 4x4 is OpenMP Load Balance: 73.3 %, which "
          "wants attention."))
      << balance;
  EXPECT_TRUE(has(balance, "| MPI Load Balance | 95.3 |") ||
              has(balance, "MPI Load Balance | 95.3 |"))
      << balance;
  EXPECT_FALSE(has(balance, "Transfer")) << balance;
  const std::string communication = section_of(text, "Communication");
  EXPECT_TRUE(has(communication, "Transfer")) << communication;
  EXPECT_FALSE(has(communication, "Load Balance |")) << communication;
}

TEST(Assessment, RecommendsByWhatEachRegionLost) {
  const std::string text = section_of(
      markdown_of(hybrid_study(), Model::kCriticalPath), "Recommendations");
  EXPECT_TRUE(has(text,
                  "OpenMP Load Balance of 4x4: 19.0 % of the job's core time. "
                  "It means that " +
                      finding_meaning(test::hybrid_report()) + "."))
      << text;
  EXPECT_TRUE(has(text, "Region CommSBN, MPI Transfer Efficiency of 4x4: "))
      << text;
}

TEST(Assessment, IsThereInEachFormatThatPeopleRead) {
  const Document document = assessment_document(
      scaling_study(), "strong: so", {{Model::kPop}, {kGlobalRegion}});
  EXPECT_TRUE(has(render_text(document), "\n Load balance\n ------------\n"));
  EXPECT_TRUE(has(render_text(document), "\n To write: "));
  EXPECT_TRUE(render_markdown(document).starts_with(
      "# Performance assessment of app\n"));
}

}  // namespace
}  // namespace poprt
