// What mending a loss saves: both ends, other paths that take over, and numbers
// that are not known.
#include "model/gain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compare/checks.h"
#include "compare/difference_document.h"
#include "compare/scaling_document.h"
#include "document/format.h"
#include "document/render.h"
#include "model/divisions.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "model/situation.h"
#include "report/csv.h"
#include "report/gain.h"
#include "sample_reports.h"
#include "unit/has.h"
#include "unit/test_jobs.h"

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
  t.threads = 8;
  t.run = t.cue = t.com = t.coo = t.coow = t.pl_cue = t.busy_avg = t.busy_max =
      t.useful_max = t.useful_max_avg = t.useful_avg = t.occupied = t.balanced =
          t.unchained = 1000;
  t.besides_work = t.in_tasks = t.uncertain = 0;
  return t;
}

using Divisions = std::vector<std::vector<GainTimes>>;

std::optional<Gain> known(const FoundGain& found) {
  const Gain* const gain = std::get_if<Gain>(&found);
  return gain == nullptr ? std::nullopt : std::optional(*gain);
}
std::optional<NoGain> why_not(const FoundGain& found) {
  const NoGain* const reason = std::get_if<NoGain>(&found);
  return reason == nullptr ? std::nullopt : std::optional(*reason);
}

void expect_gain(double low, double high, std::string_view key,
                 const GainTimes& t, const Divisions& divisions = {}) {
  const auto gain = known(gain_of(row(key), t, {}, divisions));
  ASSERT_TRUE(gain) << key;
  EXPECT_NEAR(std::fmax(0, low - kMargin), gain->low, kNear) << key;
  EXPECT_NEAR(high + kMargin, gain->high, kNear) << key;
}

// One thread each.
GainTimes single_threads() {
  GainTimes t = times();
  t.threads = t.processes;
  return t;
}

TEST(Gain, OfEqualProcessesIsTheDifferenceToTheirAverage) {
  for (GainTimes t : {times(), single_threads()}) {
    t.busy_avg = 400;
    expect_gain(0.6, 0.6, "mpi_load_balance", t);
  }
}

TEST(Gain, OfEqualProcessesIsLessWhereOneIsBusyBesides) {
  GainTimes t = single_threads();
  t.busy_avg = 400;
  t.besides_work = 450;
  expect_gain(0.15, 0.15, "mpi_load_balance", t);
  t.besides_work = 600;
  expect_gain(0, 0, "mpi_load_balance", t);
  // Of several threads that may be work, too.
  t = times();
  t.busy_avg = 400;
  t.besides_work = 100;
  expect_gain(0.5, 0.6, "mpi_load_balance", t);
}

TEST(Gain, OfEqualProcessesHasTwoEndsWhereTheyWaitALittleForOneAnother) {
  GainTimes t = times();
  // Of the 1220 ms of the others' work 20 are on the path, of 1650 then 27.
  t.occupied = t.busy_max = t.pl_cue = 980;
  t.busy_avg = 550;
  expect_gain(1 - 0.55 - 0.02 * 1650 / 1220, 1 - 0.55, "mpi_load_balance", t);
}

std::optional<Gain> at_most(double high, std::string_view key,
                            const GainTimes& t,
                            const std::vector<GainTimes>& regions = {},
                            const Divisions& divisions = {}) {
  const auto gain = known(gain_of(row(key), t, regions, divisions));
  EXPECT_TRUE(gain) << key;
  if (!gain) return gain;
  EXPECT_EQ(Gain::Kind::kBound, gain->kind);
  EXPECT_EQ(0, gain->low);
  EXPECT_NEAR(high + kMargin, gain->high, kNear) << key;
  return gain;
}

TEST(Gain, OfEqualProcessesIsABoundWhereTheyWorkInTurn) {
  GainTimes t = single_threads();
  t.occupied = t.busy_max = 970;
  t.busy_avg = 600;
  at_most(0.4, "mpi_load_balance", t);
  t.occupied = 1000;
  t.pl_cue = 970;
  at_most(0.4, "mpi_load_balance", t);
  t.pl_cue = 1000;
  t.busy_max = 1000;
  expect_gain(0.4, 0.4, "mpi_load_balance", t);
  // A region shows it, whether regions divide the run or not.
  GainTimes in_turn = single_threads();
  in_turn.occupied = in_turn.pl_cue = in_turn.busy_max = 500;
  in_turn.busy_avg = 400;
  at_most(0.4, "mpi_load_balance", t, {in_turn});
  in_turn.run = in_turn.cue = in_turn.coo = 600;
  GainTimes unequal = single_threads();
  unequal.run = unequal.cue = unequal.coo = unequal.pl_cue = unequal.occupied =
      unequal.busy_max = 400;
  unequal.busy_avg = 250;
  EXPECT_EQ(2u, at_most(0.35, "mpi_load_balance", t, {},
                        Divisions{{in_turn, unequal}})
                    ->regions);
}

TEST(Gain, OfEqualProcessesIsNotKnownWhereEachWaitsForTheOneBefore) {
  GainTimes t = times();
  t.run = t.cue = 360;
  t.occupied = t.busy_max = t.pl_cue = 300;
  t.busy_avg = 90;  // 20 ms of the others
  EXPECT_EQ(NoGain::kDependsOnOrder,
            why_not(gain_of(row("mpi_load_balance"), t)));
}

TEST(Gain, OfEqualProcessesIsNoneWhereTheyHaveTheSame) {
  GainTimes t = times();
  // One after the other: 2 of 4 processes have 2.5 ms more than the average.
  t.occupied = t.busy_max = t.pl_cue = 250;
  t.busy_avg = 247.5;
  const double above = 4 * 247.5 * (1 - 247.5 / 250) / 1000;
  expect_gain(-above, above, "mpi_load_balance", t);
}

// The bundled example: a region in which rank 0 has more work, and one in which
// each rank waits for the one before it.
TEST(Gain, IsTheSumOverRegionsThatDivideTheRun) {
  GainTimes unequal = times();
  unequal.run = unequal.cue = unequal.coo = unequal.occupied =
      unequal.busy_max = unequal.pl_cue = 1050;
  unequal.busy_avg = 712.5;
  GainTimes chain = times();
  chain.run = chain.cue = chain.coo = 400;
  chain.occupied = chain.busy_max = chain.pl_cue = chain.busy_avg = 100;
  GainTimes whole = times();
  whole.run = whole.cue = whole.coo = 1450;
  whole.occupied = whole.busy_max = whole.pl_cue = 1150;
  whole.busy_avg = 812.5;
  EXPECT_EQ(NoGain::kDependsOnOrder,
            why_not(gain_of(row("mpi_load_balance"), whole)));
  const double gain = 337.5 / 1450;
  expect_gain(gain, gain, "mpi_load_balance", whole, {{unequal, chain}});
  EXPECT_EQ(2u, known(gain_of(row("mpi_load_balance"), whole, {},
                              Divisions{{unequal, chain}}))
                    ->regions);
  // Without what is only in one of them, as far as it overlaps or is outside.
  whole.run = 1460;
  expect_gain(337.5 / 1460, 347.5 / 1460, "mpi_load_balance", whole,
              {{unequal, chain}});
  whole.run = 1440;
  expect_gain(327.5 / 1440, 337.5 / 1440, "mpi_load_balance", whole,
              {{unequal, chain}});
  // A region of which not all is known tells nothing.
  chain.besides_work = kUndefined;
  EXPECT_FALSE(known(gain_of(row("mpi_load_balance"), whole, {},
                             Divisions{{unequal, chain}})));
}

TEST(Gain, OfWaitsIsThatOfTheRunAsAWhole) {
  GainTimes t = times();
  t.pl_cue = t.useful_max = 250;
  t.occupied = 400;
  GainTimes half = times();
  half.run = 500;
  EXPECT_EQ(0u, known(gain_of(row("mpi_serialisation_efficiency"), t, {},
                              Divisions{{half, half}}))
                    ->regions);
}

TEST(Gain, ThatIsAllOfTheRunIsNone) {
  GainTimes t = times();
  for (const char* const key :
       {"mpi_transfer_efficiency", "openmp_transfer_efficiency",
        "transfer_efficiency"}) {
    t.cue = t.com = t.coow = 5;
    EXPECT_EQ(NoGain::kAllOfTheRun, why_not(gain_of(row(key), t))) << key;
    t.cue = t.com = t.coow = 50;
    EXPECT_TRUE(known(gain_of(row(key), t))) << key;
    t.cue = t.com = t.coow = 500;
    t.uncertain = 0.4;
    EXPECT_TRUE(known(gain_of(row(key), t))) << key;
    t.uncertain = 0.48;
    EXPECT_EQ(NoGain::kUncertain, why_not(gain_of(row(key), t))) << key;
    t.uncertain = 0;
  }
}

TEST(Gain, ThatMayBeAnythingIsNone) {
  GainTimes t = times();
  t.busy_avg = 400;
  t.uncertain = 0.24;
  EXPECT_EQ(NoGain::kUncertain, why_not(gain_of(row("mpi_load_balance"), t)));
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
  t.threads = 8;
  t.occupied = t.useful_max = t.pl_cue = t.busy_avg = t.busy_max = 250;
  t.useful_max_avg = 250;
  t.useful_avg = t.balanced = t.unchained = 125;
  expect_gain(0.5, 0.5, "openmp_load_balance", t);
}

// 4 x 2: 400 ms of one thread on all ranks; then a chain of ranks, in which one
// thread has 60 ms and the other one 20.  Of what the others save in all, 660
// ms, 60 are on the path.
TEST(Gain, OfEqualThreadsIsAtLeastWhatMustBeOnThePath) {
  GainTimes t = times();
  t.threads = 8;
  t.run = t.cue = t.coo = 640;
  t.occupied = t.useful_max = t.pl_cue = t.useful_max_avg = 460;
  t.busy_avg = t.busy_max = 460;
  t.useful_avg = t.balanced = t.unchained = 240;
  expect_gain(280.0 / 640, 320.0 / 640, "openmp_load_balance", t);
}

TEST(Gain, OfEqualThreadsIsABoundWhereNotTheSameOneIsBusyAtAllTimes) {
  GainTimes t = times();
  t.useful_avg = 650;
  t.balanced = t.unchained = 600;
  expect_gain(0.4, 0.4, "openmp_load_balance", t);
  t.useful_max = 970;
  at_most(0.4, "openmp_load_balance", t);
}

TEST(Gain, OfThreadsThatDoNotWaitMayBalanceThemToo) {
  GainTimes t = times();
  t.processes = 1;
  t.threads = 2;
  t.useful_max = 500;
  t.unchained = 500;
  expect_gain(0.5, 0.5, "openmp_serialisation_efficiency", t);
  t.unchained = 300;
  expect_gain(0.5, 0.7, "openmp_serialisation_efficiency", t);
  t.in_tasks = 0.5;
  expect_gain(0.6, 0.7, "openmp_serialisation_efficiency", t);
  t.unchained = 950;
  expect_gain(0.05, 0.05, "openmp_serialisation_efficiency", t);
  // Of several processes another one may take over.
  t.processes = 2;
  t.unchained = 500;
  at_most(0.5, "openmp_serialisation_efficiency", t);
}

TEST(Gain, OfBothLayersHoldsForAllThreads) {
  GainTimes t = times();
  t.useful_avg = 300;
  t.besides_work = 100;
  expect_gain(0.6, 0.7, "load_balance", t);
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
    EXPECT_EQ(Gain::Kind::kBound, known(gain_of(row(key), t))->kind) << key;
  }
  EXPECT_EQ(Gain::Kind::kEstimate,
            known(gain_of(row("load_balance"), t))->kind);
}

TEST(Gain, IsWiderByWhatMayBelongAnywhere) {
  GainTimes t = times();
  t.busy_avg = 400;
  t.uncertain = 0.1;
  const auto gain = known(gain_of(row("mpi_load_balance"), t));
  ASSERT_TRUE(gain);
  EXPECT_NEAR(0.48, gain->low, kNear);
  EXPECT_NEAR(0.72, gain->high, kNear);
  // Not for that is it not known.
  t.uncertain = 0.19;
  EXPECT_TRUE(known(gain_of(row("mpi_load_balance"), t)));
}

TEST(Gain, IsNotKnownWithoutItsNumbers) {
  EXPECT_FALSE(known(gain_of(row("parallel_efficiency"), times())));
  EXPECT_FALSE(known(gain_of(metrics_in(Model::kTalp)[0], times())));
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
    ASSERT_TRUE(known(gain_of(row(each.key), t))) << each.key;
    t.*each.number = kUndefined;
    EXPECT_EQ(NoGain::kNotMeasured, why_not(gain_of(row(each.key), t)))
        << each.key;
  }
}

// Of 4 processes of 2 threads: a run time, and the useful time of all threads.
RegionReport region(const char* name, int64_t ns, int64_t useful_ns) {
  RegionReport report;
  RegionTotals& totals = report.totals;
  totals.name = name;
  totals.processes = 4;
  totals.threads = 8;
  totals.all_ns = ns;
  totals.elapsed_weighted_ns = 8 * ns;
  totals.useful_sum_ns = useful_ns;
  totals.omp_sum_ns = 8 * ns - useful_ns;
  return report;
}

std::vector<std::string> names_of(const Division& division) {
  std::vector<std::string> names;
  for (const RegionReport* const each : division) {
    names.push_back(each->totals.name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Divisions, AreOfRegionsThatFollowOneAnotherAndAreAllOfTheRun) {
  JobReport report;
  report.regions = {region("Global", 1000, 4000), region("main", 990, 3970),
                    region("solve", 700, 3000), region("kernel", 650, 2900),
                    region("setup", 270, 950)};
  ASSERT_EQ(1u, divisions_of(report).size());
  EXPECT_EQ((Names{"solve", "setup"}), names_of(divisions_of(report)[0]));
  // Together they are longer than the run: both are waited for at once.
  report.regions[4].totals.all_ns = 330;
  EXPECT_TRUE(divisions_of(report).empty());
  // Too much is outside of them.
  report.regions[4] = region("setup", 240, 950);
  EXPECT_TRUE(divisions_of(report).empty());
  report.regions[4] = region("setup", 270, 950);
  ASSERT_EQ(1u, divisions_of(report).size());
  // A state in which they were for longer than the run: they overlap.
  report.regions[4].totals.mpi_sum_ns = 100;
  EXPECT_TRUE(divisions_of(report).empty());
  report.regions[4] = region("setup", 270, 950);
  report.regions[4].totals.processes = 3;
  EXPECT_TRUE(divisions_of(report).empty());
  report.regions[4].totals.processes = 4;
  report.regions[4].clocks_complete = false;
  EXPECT_TRUE(divisions_of(report).empty());
  report.regions[4].clocks_complete = true;
  report.regions[0].clocks_complete = false;
  EXPECT_TRUE(divisions_of(report).empty());
}

TEST(Divisions, AreLookedForInManyRegions) {
  JobReport report;
  report.regions = {region("Global", 4000, 4000)};
  for (int i = 0; i < 40; ++i) {
    report.regions.push_back(region("part", 100, 100));
  }
  EXPECT_TRUE(divisions_of(report).empty());  // 12 are not all of it
  report.regions.push_back(region("rest", 2800, 2800));
  EXPECT_FALSE(divisions_of(report).empty());
}

// Of a run of which all is known.
JobReport known_report() {
  JobReport report = test::hybrid_report();
  test::know_all(&report.totals.resources);
  RegionTotals& global = report.regions[0].totals;
  for (const ProcessMaximum* const each : kProcessMaxima) {
    set_amount(each->name, global.all_ns, &global.amounts);
  }
  return report;
}

TEST(GainOfARun, IsThatOfTheLossThatTheFindingNames) {
  const JobReport report = known_report();
  const Situation situation = *situation_of(report);
  ASSERT_TRUE(situation.loss);
  EXPECT_TRUE(situation.gain);
}

TEST(GainOfARun, IsNotKnownWithoutWhatMayBelongAnywhere) {
  JobReport report = known_report();
  test::forget(kWaitedForCore.name, &report.totals.resources);
  EXPECT_TRUE(situation_of(report)->loss);
  EXPECT_FALSE(situation_of(report)->gain);
}

TEST(GainOfARun, IsNotKnownInFilesThatDoNotHaveTheLongestProcess) {
  JobReport report = known_report();
  test::forget(kUnchained.name, &report.regions[0].totals.amounts);
  EXPECT_FALSE(situation_of(report)->gain);
}

TEST(GainOfARun, IsNotThereWithARedLightOrWithoutALoss) {
  JobReport report = known_report();
  const auto core = static_cast<double>(job_core_ns(report));
  set_amount(kWaitedForCore.name, std::llround(0.5 * core),
             &report.totals.resources);
  EXPECT_FALSE(situation_of(report)->gain);
  EXPECT_FALSE(situation_of(test::report_without_loss())->gain);
}

// Each has what the run file has.
struct Outputs {
  explicit Outputs(const JobReport& report)
      : side(configurations_of({RunFile("run.json", report)}).front()),
        csv(to_csv(report, "f", {Model::kPop}, {})),
        junit(checks_junit({}, {side})),
        difference(difference_csv({{{side, side}}, {}, {}},
                                  {"a", "b", {Model::kPop}, {kGlobalRegion}})),
        notes(render_markdown(
            difference_document({{{side, side}}, {}, {}},
                                {"a", "b", {Model::kPop}, {kGlobalRegion}}))),
        scaling(scaling_csv({{side}, 0, Scaling::kStrong},
                            {{Model::kPop}, {kGlobalRegion}})),
        json(scaling_json({{side}, 0, Scaling::kStrong}, "",
                          {{Model::kPop}, {kGlobalRegion}})) {}
  Configuration side;
  std::string csv, junit, difference, notes, scaling, json;
};

TEST(GainOfARun, IsInEachOutput) {
  const JobReport report = known_report();
  const Situation s = *situation_of(report);
  const Outputs out(report);
  const std::string loss = std::string("critical_path.") + s.loss->metric.key;
  const std::string low = csv_number(s.gain->low);
  const std::string high = csv_number(s.gain->high);
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_HAS(text, part) << part << " in\n" << text;
  };
  const std::string first = "f,4,16,Global,gain,";
  has(out.csv, first + "metric,,,,," + loss + "\n");
  has(out.csv, first + "lost," +
                   csv_number(s.loss->metric.value(s.global.losses)) +
                   ",,,,\n");
  has(out.csv, first + "low," + low + ",,,,\n");
  has(out.csv, first + "high," + high + ",,,,\n");
  has(out.csv, first + "kind,,,,," + key_of(s.gain->kind) + "\n");
  has(out.csv, first + "basis,,,,," + key_of(s.gain->basis) + "\n");
  has(out.junit, "<property name=\"4x4.quality.light\" value=\"green\"/>");
  has(out.junit, "<property name=\"4x4.finding.metric\" value=\"" + loss);
  has(out.junit, "<property name=\"4x4.finding.gain.low\" value=\"" + low);
  has(out.difference, "light_b,loss_a,gain_low_a,gain_high_a,loss_b,");
  const std::string fields = "," + loss + "," + low + "," + high;
  has(out.difference, fields + fields + ",strong\n");
  has(out.notes, "B 4x4: the largest loss is ");
  has(out.notes, gain_words(*s.gain));
  has(out.scaling, "light,loss,gain_low,gain_high\n");
  has(out.scaling, fields + "\n");
  has(out.json, "\"low\": " + low.substr(0, 5));
  has(out.json, "\"reason\": null");
}

TEST(GainOfARun, ThatIsNotKnownIsNoneInEachOutput) {
  JobReport report = known_report();
  report.regions[0].totals.amounts.clear();
  const Outputs out(report);
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_HAS(text, part) << part << " in\n" << text;
  };
  has(out.csv, ",gain,low,,,,,\n");
  has(out.csv, ",gain,reason,,,,,not_measured\n");
  has(out.junit, ".finding.gain.reason\" value=\"not_measured\"/>");
  EXPECT_LACKS(out.junit, "gain.low");
  has(out.difference, ",,,strong\n");
  has(out.json, "\"reason\": \"not_measured\"");
}

TEST(GainOfARun, ThatCannotBeJudgedIsInNoOutput) {
  JobReport report = known_report();
  const auto core = static_cast<double>(job_core_ns(report));
  set_amount(kWaitedForCore.name, std::llround(0.5 * core),
             &report.totals.resources);
  const Outputs out(report);
  for (const std::string& text : {out.csv, out.junit, out.notes}) {
    EXPECT_LACKS(text, "critical_path.");
    EXPECT_LACKS(text, "the largest loss");
  }
  EXPECT_HAS(out.json, "\"finding\": null");
  EXPECT_HAS(out.scaling, "red,,,\n");
}

}  // namespace
}  // namespace poprt
