// What mending a loss saves: both ends, other paths that take over, and numbers
// that are not known.
#include "model/gain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "model/quantities.h"
#include "model/ratio.h"
#include "report/sentences.h"
#include "sample_reports.h"

namespace poprt {
namespace {

constexpr double kMargin = 0.02;
constexpr double kNear = 1e-9;

const Metric& row(std::string_view key) {
  for (const Metric& metric : metrics_in(Model::kCriticalPath)) {
    if (metric.key == key) return metric;
  }
  ADD_FAILURE() << key;
  return all_metrics()[0];
}

// Of a run in which nothing is lost.
GainTimes times() {
  GainTimes t;
  t.processes = 4;
  t.run = t.cue = t.com = t.coo = t.coow = t.pl_cue = t.useful_max =
      t.useful_max_avg = t.useful_avg = t.occupied = t.balanced = t.unchained =
          1000;
  t.besides_work = t.in_tasks = t.uncertain = 0;
  return t;
}

void expect_gain(double low, double high, std::string_view key,
                 const GainTimes& t) {
  const auto gain = gain_of(row(key), t);
  ASSERT_TRUE(gain) << key;
  EXPECT_NEAR(std::fmax(0, low - kMargin), gain->low, kNear) << key;
  EXPECT_NEAR(high + kMargin, gain->high, kNear) << key;
}

TEST(Gain, OfEqualProcessesIsTheDifferenceToTheirAverage) {
  GainTimes t = times();
  t.useful_max_avg = 400;
  expect_gain(0.6, 0.6, "mpi_load_balance", t);
}

TEST(Gain, OfEqualProcessesIsLessWhereOneIsBusyBesides) {
  GainTimes t = times();
  t.useful_max_avg = 400;
  t.besides_work = 450;
  expect_gain(0.15, 0.15, "mpi_load_balance", t);
  t.besides_work = 600;
  expect_gain(0, 0, "mpi_load_balance", t);
}

TEST(Gain, OfEqualProcessesHasTwoEndsWhereTheyWaitForOneAnother) {
  GainTimes t = times();
  // Of the 1200 ms of the others' work 100 are on the path, of 1575 then
  // 131.25.
  t.occupied = t.useful_max = t.pl_cue = 900;
  t.useful_max_avg = 525;
  expect_gain(1 - 0.525 - 0.13125, 1 - 0.525, "mpi_load_balance", t);
}

TEST(Gain, OfEqualProcessesIsNotKnownWhereEachWaitsForTheOneBefore) {
  GainTimes t = times();
  t.run = t.cue = 360;
  t.occupied = t.useful_max = t.pl_cue = 300;
  t.useful_max_avg = 90;  // 20 ms of the others
  EXPECT_FALSE(gain_of(row("mpi_load_balance"), t));
}

TEST(Gain, OfProcessesThatDoNotWaitIsUpToTheOneOccupiedLongest) {
  GainTimes t = times();
  t.pl_cue = t.useful_max = 250;
  t.occupied = 500;
  expect_gain(0.5, 0.75, "mpi_serialisation_efficiency", t);
}

TEST(Gain, OfEqualThreadsIsThatOfTheProcessThatIsLongestThen) {
  GainTimes t = times();
  t.useful_avg = 650;
  t.balanced = t.unchained = 900;  // another process
  expect_gain(0.1, 0.1, "openmp_load_balance", t);
  t.unchained = 850;
  expect_gain(0.1, 0.15, "openmp_load_balance", t);
  t.in_tasks = 1;
  expect_gain(0.15, 0.15, "openmp_load_balance", t);
}

TEST(Gain, OfEqualThreadsIsThatOfAllProcessesWhereEachWaitsForTheOneBefore) {
  GainTimes t = times();
  t.occupied = t.useful_max = t.pl_cue = 250;
  t.useful_max_avg = 250;
  t.useful_avg = t.balanced = t.unchained = 125;
  expect_gain(0.5, 0.5, "openmp_load_balance", t);
}

TEST(Gain, OfThreadsThatDoNotWaitMayBalanceThemToo) {
  GainTimes t = times();
  t.useful_max = 500;
  t.unchained = 500;
  expect_gain(0.5, 0.5, "openmp_serialisation_efficiency", t);
  t.unchained = 300;
  expect_gain(0.5, 0.7, "openmp_serialisation_efficiency", t);
  t.in_tasks = 0.5;
  expect_gain(0.6, 0.7, "openmp_serialisation_efficiency", t);
  t.unchained = 950;  // of another process
  expect_gain(0.05, 0.05, "openmp_serialisation_efficiency", t);
}

TEST(Gain, OfBothLayersHoldsForAllThreads) {
  GainTimes t = times();
  t.useful_avg = 300;
  t.besides_work = 100;
  expect_gain(0.6, 0.6, "load_balance", t);
  t = times();
  t.useful_max = 400;
  t.unchained = 500;
  expect_gain(0.5, 0.6, "serialisation_efficiency", t);
  t = times();
  t.processes = 1;
  t.useful_avg = 300;
  expect_gain(0.7, 0.7, "load_balance", t);
}

TEST(Gain, WithoutRuntimesIsThatOfTheClocks) {
  GainTimes t = times();
  t.coo = 900;
  t.coow = 850;
  t.com = 700;
  t.cue = 600;
  expect_gain(0.3, 0.3, "mpi_transfer_efficiency", t);
  expect_gain(0.1, 0.15, "openmp_transfer_efficiency", t);
  expect_gain(0.4, 0.4, "transfer_efficiency", t);
  t.coow = kUndefined;
  expect_gain(0.1, 0.4, "openmp_transfer_efficiency", t);
  t.coo = 700;
  expect_gain(0.3, 0.4, "openmp_transfer_efficiency", t);
  expect_gain(0.1, 0.3, "mpi_transfer_efficiency", t);
  for (const char* const key :
       {"mpi_transfer_efficiency", "openmp_transfer_efficiency",
        "transfer_efficiency"}) {
    EXPECT_EQ(Gain::Kind::kBound, gain_of(row(key), t)->kind) << key;
  }
  EXPECT_EQ(Gain::Kind::kEstimate, gain_of(row("load_balance"), t)->kind);
}

TEST(Gain, IsWiderByWhatMayBelongAnywhere) {
  GainTimes t = times();
  t.useful_max_avg = 400;
  t.uncertain = 0.1;
  const auto gain = gain_of(row("mpi_load_balance"), t);
  ASSERT_TRUE(gain);
  EXPECT_NEAR(0.48, gain->low, kNear);
  EXPECT_NEAR(0.72, gain->high, kNear);
  // Not for that is it not known.
  t.uncertain = 0.19;
  EXPECT_TRUE(gain_of(row("mpi_load_balance"), t));
}

TEST(Gain, IsNotKnownWithoutItsNumbers) {
  EXPECT_FALSE(gain_of(row("parallel_efficiency"), times()));
  EXPECT_FALSE(gain_of(metrics_in(Model::kTalp)[0], times()));
  const struct {
    const char* key;
    double GainTimes::*number;
  } kNeeded[] = {
      {"mpi_load_balance", &GainTimes::besides_work},
      {"mpi_load_balance", &GainTimes::occupied},
      {"load_balance", &GainTimes::besides_work},
      {"openmp_load_balance", &GainTimes::balanced},
      {"openmp_load_balance", &GainTimes::unchained},
      {"mpi_serialisation_efficiency", &GainTimes::cue},
      {"mpi_serialisation_efficiency", &GainTimes::occupied},
      {"serialisation_efficiency", &GainTimes::unchained},
      {"openmp_serialisation_efficiency", &GainTimes::unchained},
      {"mpi_transfer_efficiency", &GainTimes::com},
      {"openmp_transfer_efficiency", &GainTimes::coo},
      {"transfer_efficiency", &GainTimes::run},
      {"transfer_efficiency", &GainTimes::uncertain},
  };
  for (const auto& each : kNeeded) {
    GainTimes t = times();
    ASSERT_TRUE(gain_of(row(each.key), t)) << each.key;
    t.*each.number = kUndefined;
    EXPECT_FALSE(gain_of(row(each.key), t)) << each.key;
  }
}

// Of a run of which all is known.
JobReport known_report() {
  JobReport report = test::hybrid_report();
  set_amount(kWaitedForCore.name, 0, &report.totals.resources);
  set_amount(kUnknownThreadsCpu.name, 0, &report.totals.resources);
  RegionTotals& global = report.regions[0].totals;
  for (const ProcessMaximum* const each : kProcessMaxima) {
    set_amount(each->name, global.all_ns, &global.amounts);
  }
  return report;
}

TEST(GainOfARun, IsThatOfTheLossThatTheFindingNames) {
  const JobReport report = known_report();
  const Situation situation = situation_of(report);
  ASSERT_TRUE(situation.loss);
  EXPECT_TRUE(situation.gain);
}

TEST(GainOfARun, IsNotKnownWithoutWhatMayBelongAnywhere) {
  JobReport report = known_report();
  std::erase_if(report.totals.resources, [](const Amount& amount) {
    return amount.name == kWaitedForCore.name;
  });
  EXPECT_TRUE(situation_of(report).loss);
  EXPECT_FALSE(situation_of(report).gain);
}

TEST(GainOfARun, IsNotKnownInFilesThatDoNotHaveTheLongestProcess) {
  JobReport report = known_report();
  std::erase_if(report.regions[0].totals.amounts, [](const Amount& amount) {
    return amount.name == kUnchained.name;
  });
  EXPECT_FALSE(situation_of(report).gain);
}

TEST(GainOfARun, IsNotThereWithARedLightOrWithoutALoss) {
  JobReport report = known_report();
  const auto core = static_cast<double>(job_core_ns(report));
  set_amount(kWaitedForCore.name, std::llround(0.5 * core),
             &report.totals.resources);
  EXPECT_FALSE(situation_of(report).gain);
  EXPECT_FALSE(situation_of(test::report_without_loss()).gain);
}

}  // namespace
}  // namespace poprt
