// What the main finding may say: nothing that another model of the same run
// contradicts, nothing about a layer that the program does not have, and
// nothing if too much of the time is in no metric.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/agreement.h"
#include "model/metric_table.h"
#include "model/quantities.h"
#include "report/advice.h"
#include "report/core_time.h"
#include "report/findings.h"
#include "report/light.h"
#include "report/table.h"
#include "share_of_cases.h"
#include "unit/as_text.h"
#include "unit/finding_jobs.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

using test::clocks_of;
using test::Job;
using test::kMs;
using test::moving_data;
using test::process;
using test::ProcessTimes;
using test::report_of;
using test::waiting_for_openmp;

constexpr int kTries = 2000 / kShare;

// The main finding without its line breaks.
std::string finding_of(const JobReport& report) {
  std::string text;
  for (const char c : finding_text(report)) {
    if (c != ' ' && c != '\n') {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(MainFinding, DoesNotBlameMpiForTheWaitForOpenMp) {
  const JobReport report = report_of(waiting_for_openmp());
  // The trap: in the critical-path model the transfer is by far the largest
  // loss.
  EXPECT_EQ(
      "57.0",
      percent(report.regions[0].losses.critical_path.mpi_transfer_efficiency));
  const std::string text = finding_of(report);
  EXPECT_FALSE(has(text, "moving data")) << text;
  EXPECT_FALSE(has(text, "is MPI Transfer")) << text;
  EXPECT_TRUE(has(text, "The largest loss, 57.0 %, is Transfer (43.0)"))
      << text;
  EXPECT_TRUE(has(text,
                  "MPI Transfer Efficiency lost 57.0 % by the critical path, "
                  "but 0.0 % by the multiplicative model"))
      << text;
  EXPECT_TRUE(
      has(text, "Sure is what the bars show: MPI (28.5 %), OpenMP imbalance"))
      << text;
  EXPECT_TRUE(has(next_step(report, "x.json"), "explain transfer_efficiency"));
  const auto cause = main_cause(report, report.regions[0]);
  ASSERT_TRUE(cause.has_value());
  EXPECT_TRUE(has(advice(report, report.regions[0], *cause), "do not agree"));
}

// The time that calls waited is measured, so it tells which model is right.
TEST(MainFinding, BelievesTheWaitRatherThanTheTransfer) {
  Job job = waiting_for_openmp();
  job.waiting_ns = 56 * kMs;
  const JobReport report = report_of(job);
  const std::string text = finding_of(report);
  EXPECT_TRUE(has(text, "Sure is what the bars show: waiting in MPI (28.0 %)"))
      << text;
  const Table table =
      model_table(report, Model::kCriticalPath, {.view = View::kLoss});
  ASSERT_EQ(1u, table.notes.size());
  EXPECT_TRUE(has(table.notes[0],
                  "Believe the latter: 98.2 % of the time in MPI was waiting "
                  "for partners that were late, which no faster communication "
                  "makes shorter."))
      << table.notes[0];
}

// The time in MPI is transfer, and the models agree.
TEST(MainFinding, BlamesTransferWhereNobodyWaits) {
  Job job = moving_data();
  job.waiting_ns = 0;
  EXPECT_TRUE(has(finding_of(report_of(job)), "is MPI Transfer (50.0)"));
  job.waiting_ns = 90 * kMs;
  EXPECT_TRUE(has(finding_of(report_of(job)), "is Transfer (50.0)"));
}

TEST(MainFinding, DoesNotBlameMpiForUnequalWorkWithoutTimeInMpi) {
  // The second rank spends in OpenMP the time by which it has less work.
  const JobReport report =
      report_of({{process(100, 95, 0), process(100, 15, 0)},
                 clocks_of(95, 95, 100, 95, 100)});
  EXPECT_EQ("40.0",
            percent(report.regions[0].losses.critical_path.mpi_load_balance));
  const std::string text = finding_of(report);
  EXPECT_TRUE(has(text, "is Load Balance (57.9)")) << text;
  EXPECT_FALSE(has(text, "is MPI Load Balance (")) << text;
}

TEST(MainFinding, DoesNotBlameOpenMpForAThreadThatIsInMpi) {
  // One thread communicates, the other computes.
  ProcessTimes both;
  both.elapsed = both.parallel = 100 * kMs;
  both.threads = {{0, 10 * kMs, 0, 90 * kMs}, {0, 100 * kMs, 0, 0}};
  const JobReport report =
      report_of({{both, both}, clocks_of(100, 100, 100, 100, 100)});
  EXPECT_EQ(
      "45.0",
      percent(report.regions[0].losses.critical_path.openmp_load_balance));
  const std::string text = finding_of(report);
  EXPECT_FALSE(has(text, "is OpenMP Load Balance (")) << text;
  EXPECT_TRUE(has(text, "is Load Balance (55.0)")) << text;
  EXPECT_TRUE(has(text, "what the bars show: MPI (45.0 %).")) << text;
}

TEST(MainFinding, NamesNoRegionThatLostNothing) {
  Job job = moving_data();
  job.others = {test::combined("io", {process(10, 10, 0)},
                               clocks_of(10, 10, 10, 10, 10))};
  EXPECT_FALSE(has(finding_of(report_of(job)), "Region"));
}

TEST(MainFinding, CannotJudgeWhereThreadsAreUnknown) {
  Job job = {{process(1000, 980, 20), process(1000, 980, 20)},
             clocks_of(980, 980, 980, 1000, 1000)};
  EXPECT_TRUE(has(finding_of(report_of(job)), "The largest gains now"));
  job.quality.foreign_threads = 6;
  job.quality.foreign_mpi_ns = 14000 * kMs;
  const JobReport report = report_of(job);
  const std::string text = finding_of(report);
  EXPECT_TRUE(
      has(text, "This run cannot be judged: 87.5 % (limit 20 %) of all"))
      << text;
  EXPECT_FALSE(has(text, "The largest")) << text;
  EXPECT_EQ("", next_step(report, "x.json"));
  // A few calls of a helper thread do not suppress the finding.
  job.quality.foreign_mpi_ns = 50 * kMs;
  EXPECT_TRUE(has(finding_of(report_of(job)), "The largest gains now"));
  // Where they did more, useful time is not all that there is.
  job.quality.foreign_mpi_ns = 200 * kMs;
  EXPECT_FALSE(has(finding_of(report_of(job)), "The largest gains now"));
}

TEST(MainFinding, CannotJudgeAnOpenMpThatTellsNothing) {
  Job job = {{process(1000, 980, 20)}, clocks_of(980, 980, 980, 1000, 1000)};
  job.openmp = false;
  job.unseen = true;
  const std::string good = finding_of(report_of(job));
  EXPECT_FALSE(has(good, "The largest gains")) << good;
  const auto light = [&] { return light_list(report_of(job)).facts[0].text; };
  EXPECT_TRUE(has(light(), "tells tools nothing")) << light();
  job.processes = moving_data().processes;
  job.clocks = moving_data().clocks;
  const std::string bad = finding_of(report_of(job));
  EXPECT_TRUE(has(bad, "is MPI Transfer (50.0)")) << bad;
  EXPECT_TRUE(has(light(), "tells tools nothing")) << light();
}

// The row that "is LABEL (" names, by the labels of the model.
std::string named_in(const std::string& text) {
  const size_t begin = text.find(" %, is ");
  if (begin == std::string::npos) return "";
  const size_t end = text.find(" (", begin);
  return text.substr(begin + 7, end - begin - 7);
}

Job random_job(std::mt19937* random) {
  Job job;
  job.processes = test::random_processes(random);
  job.clocks = test::random_clocks(job.processes, random);
  return job;
}

TEST(MainFinding, NamesNoLayerThatAnotherModelDeniesInRandomJobs) {
  std::mt19937 random(5);
  int named = 0;
  int denied = 0;
  for (int i = 0; i < kTries; ++i) {
    const JobReport report = report_of(random_job(&random));
    const std::string text = finding_of(report);
    const std::string row = named_in(text);
    const Metrics& lost = report.regions[0].losses;
    double claimed = 0;
    for (const Metric& m : all_metrics()) {
      const std::string label = m.label;
      const bool is_named = label == row || label == row + " Efficiency";
      if (m.model == Model::kCriticalPath && is_named) {
        claimed = m.value(lost);
      }
    }
    denied += has(text, "do not agree") ? 1 : 0;
    if (row.starts_with("MPI")) {
      ++named;
      EXPECT_GE(2 * lost.multiplicative.mpi_parallel_efficiency, claimed)
          << text;
      EXPECT_GE(2 * lost.additive.process_efficiency, claimed) << text;
      if (row == "MPI Transfer") {
        EXPECT_GE(2 * lost.multiplicative.mpi_transfer_efficiency, claimed)
            << text;
      }
    } else if (row.starts_with("OpenMP")) {
      ++named;
      EXPECT_GE(2 * lost.multiplicative.openmp_parallel_efficiency, claimed)
          << text;
      EXPECT_GE(2 * lost.additive.thread_efficiency, claimed) << text;
    }
    EXPECT_FALSE(has(text, "nan") || has(text, "(-")) << text;
  }
  EXPECT_LT(kTries / 10, named);
  EXPECT_LT(kTries / 20, denied);
}

TEST(MainFinding, NamesNoLayerThatTheProgramDoesNotHave) {
  std::mt19937 random(6);
  for (int i = 0; i < kTries; ++i) {
    Job job = random_job(&random);
    job.imported = i % 3 == 0 ? "TALP 3.5.3" : "";
    job.openmp = false;
    job.processes.resize(1);
    EXPECT_FALSE(has(finding_of(report_of(job)), "OpenMP"));
    job.mpi = false;
    job.openmp = true;
    const std::string text = finding_of(report_of(job));
    EXPECT_FALSE(has(text, "MPI") && !has(text, "OpenMP")) << text;
    EXPECT_FALSE(has(text, "is in MPI") || has(text, " MPI ")) << text;
  }
}

// Every row of a layer, in every model.
TEST(Agreement, IsOfferedOnlyWhereThereIsAnotherLayerToBlame) {
  JobReport report = report_of(waiting_for_openmp());
  const auto denials = [&] {
    int found = 0;
    for (const Metric& m : all_metrics()) {
      found += denial_of(report, report.regions[0], m) ? 1 : 0;
    }
    return found;
  };
  EXPECT_LT(0, denials());
  report.totals.has_openmp = false;
  EXPECT_EQ(0, denials());
  report.totals.has_openmp = true;
  report.context.imported_from = "TALP 3.5.3";
  EXPECT_EQ(0, denials());
}

// MPI-IO is measured: no model can contradict it.
TEST(Agreement, IsOfferedOnlyForModelsThatSplitALossBetweenLayers) {
  JobReport report = report_of(waiting_for_openmp());
  report.regions[0].losses.io.mpi_io_efficiency = 1;
  report.regions[0].losses.io.posix_io_efficiency = 1;
  for (const Metric& m : metrics_in(Model::kIo)) {
    EXPECT_FALSE(denial_of(report, report.regions[0], m)) << m.key;
  }
}

TEST(Agreement, FindsTheRowOfBothLayers) {
  for (const Metric& m : all_metrics()) {
    const std::string key = row_of_both_layers(m).key;
    const std::string own = m.key;
    const size_t prefix = own.starts_with("mpi_")      ? 4
                          : own.starts_with("openmp_") ? 7
                                                       : 0;
    if (m.model == Model::kCriticalPath) {
      EXPECT_EQ(own.substr(prefix), key);
      EXPECT_EQ(Layer::kAny, row_of_both_layers(m).layer) << own;
    }
  }
}

// What a bar is called is not what a loss is called, and both are the same
// time.
TEST(LossInBars, MpiHasTheThreadsThatIdleMeanwhile) {
  ProcessTimes both;
  both.elapsed = 100 * kMs;
  both.threads = {{60 * kMs, 0, 40 * kMs, 0}, {}};
  const JobReport report =
      report_of({{both, both}, clocks_of(60, 60, 60, 100, 100)});
  EXPECT_TRUE(has(finding_of(report),
                  "The largest loss, 40.0 %, is MPI Transfer (60.0): time goes "
                  "into moving data and into MPI itself. "))
      << finding_of(report);
  EXPECT_EQ(
      "In the bars MPI Transfer is part of MPI (20.0 %) and idle while rank is "
      "in MPI (20.0 %).",
      loss_among_bars(report));
  std::string bars;
  for (const Bar& bar : core_time_bars(report).bars) {
    if (bar.tenths > 0) bars += fmt::format("{} {}; ", bar.key, bar.tenths);
  }
  EXPECT_EQ("useful 300; mpi 200; openmp_serial 300; openmp_idle_in_mpi 200; ",
            bars);
}

TEST(LossInBars, SaysThatThereIsARest) {
  // Half of the loss of MPI is time in which no thread was in MPI.
  Job job = moving_data();
  for (ProcessTimes& each : job.processes)
    each.threads[0].mpi_outside = 30 * kMs;
  const JobReport report = report_of(job);
  EXPECT_EQ(
      "In the bars MPI Transfer is MPI (30.0 %); the rest is among the others.",
      loss_among_bars(report));
}

TEST(Agreement, ComparesTheThreadsTimes) {
  const LayerTimes times =
      layer_times(report_of(waiting_for_openmp()).regions[0]);
  EXPECT_DOUBLE_EQ(0.285, times.mpi);
  EXPECT_DOUBLE_EQ(0.285, times.openmp);
  EXPECT_EQ(0, times.idle_during_mpi);
  EXPECT_EQ(0, times.absent);
}

}  // namespace
}  // namespace poprt
