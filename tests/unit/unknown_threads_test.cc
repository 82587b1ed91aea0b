// What the report says of threads that are not measured.
#include "report/unknown_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "model/judge.h"
#include "model/quantities.h"
#include "report/findings.h"
#include "report/notes.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/sample_reports.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Without the breaks of its lines.
std::string finding_of(const JobReport& report) {
  std::string text;
  for (const Finding& each : main_finding(report)) text += each.sentence + " ";
  return text;
}

// Other threads used this share of the core time.
JobReport report_with(double share, int64_t alive = 0) {
  JobReport report = test::hybrid_report();
  const double core_ns = static_cast<double>(job_core_ns(report));
  set_amount(kUnknownThreadsCpu.name, static_cast<int64_t>(share * core_ns),
             &report.totals.resources);
  set_amount(kUnknownThreads.name, alive, &report.totals.resources);
  set_amount(kUserTime.name, 1, &report.totals.resources);
  return report;
}

bool notes_have(const JobReport& report, const std::string& line) {
  const auto notes = quality_notes(report);
  return !line.empty() &&
         std::find(notes.begin(), notes.end(), line) != notes.end();
}

TEST(UnknownThreads, ThatMostlySleepAreNotWorthAWord) {
  EXPECT_FALSE(have_unknown_threads_worked(test::hybrid_report()));
  EXPECT_FALSE(have_unknown_threads_worked(report_with(0.0099)));
  // A large share of a short run.
  JobReport brief = report_with(0.5);
  set_amount(kUnknownThreadsCpu.name, 10'000'000 * brief.totals.processes - 1,
             &brief.totals.resources);
  EXPECT_FALSE(have_unknown_threads_worked(brief));
}

TEST(UnknownThreads, AreNamedWithTheirTimeAndShare) {
  const JobReport report = report_with(0.0101);
  const std::string note = unknown_threads_note(report);
  EXPECT_TRUE(has(note, "threads unknown to OpenMP")) << note;
  EXPECT_FALSE(has(note, "still lived")) << note;
  EXPECT_TRUE(has(note, ". POPRT_THREADS=all measures those of")) << note;
  JobReport all = report;
  set_amount(kProgramThreads.name, 0, &all.totals.resources);
  EXPECT_FALSE(has(unknown_threads_note(all), "POPRT_THREADS"));
  EXPECT_TRUE(notes_have(report, note));
  EXPECT_TRUE(has(unknown_threads_note(report_with(0.5, 3)),
                  "; 3 of them still lived"));
  // As much as the useful time.
  JobReport same = report_with(0.5);
  set_amount(kUnknownThreadsCpu.name, global_region(same)->totals.useful_sum_ns,
             &same.totals.resources);
  EXPECT_TRUE(has(unknown_threads_note(same), "100.0 % as much as the useful"));
}

TEST(UnknownThreads, KeepTheReportFromJudgingWhereTheyDidMuch) {
  EXPECT_FALSE(has(finding_of(report_with(0.24)), "cannot be judged"));
  const JobReport much = report_with(0.26);
  EXPECT_TRUE(has(finding_of(much),
                  "cannot be judged: 20.6 % (limit 20 %) of all time that is "
                  "known of is that of threads which are not measured"));
  EXPECT_FALSE(has(finding_of(much), "The largest"));
  EXPECT_EQ("", next_step(much, "x.json"));
}

TEST(UnknownThreads, CountOnceIfTheyAreInMpiToo) {
  JobReport report = report_with(0.25);
  report.totals.quality.foreign_threads = 2;
  report.totals.quality.foreign_mpi_ns = job_core_ns(report) / 10;
  EXPECT_DOUBLE_EQ(0.2, unmeasured_threads_share(report));
  // They sleep in MPI.
  report.totals.quality.foreign_mpi_ns = job_core_ns(report);
  EXPECT_DOUBLE_EQ(0.5, unmeasured_threads_share(report));
}

TEST(UnknownThreads, AreNullWhereTheyAreNotKnown) {
  JobReport report = report_with(0.5, 3);
  const auto read_again = [&] {
    std::string complaint;
    const auto read = parse_run_file(to_json(report), "x.json", &complaint);
    EXPECT_TRUE(read) << complaint;
    return read ? read->totals.resources : std::vector<Amount>();
  };
  EXPECT_EQ(3, amount(read_again(), kUnknownThreads.name));
  test::forget(kUnknownThreads.name, &report.totals.resources);
  EXPECT_TRUE(has(to_json(report), "\"unknown_threads_sum\": null"));
  const std::vector<Amount> again = read_again();
  EXPECT_FALSE(has_amount(again, kUnknownThreads.name));
  EXPECT_TRUE(has_amount(again, kUserTime.name));
}

TEST(UnknownThreads, OfOpenMpThatIsNotSeenAreSaidToBeThat) {
  JobReport report = report_with(0.5);
  report.totals.has_openmp = false;
  report.totals.has_unseen_openmp = true;
  report.context.openmp_runtime.clear();
  EXPECT_TRUE(has(finding_of(report), "not measured (OpenMP is not seen)"));
  EXPECT_TRUE(has(unknown_threads_note(report), "libraries, OpenMP)"));
}

}  // namespace
}  // namespace poprt
