// The longest path: combining what processes know of it, and what is said of
// it.
#include "report/longest_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "document/render.h"
#include "model/construct_kind.h"
#include "model/quantities.h"
#include "report/report_document.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

uint64_t key_of(const std::string& name) {
  return text_hash(name.data(), name.size());
}

LongestPath path_of(int64_t length_ns, std::vector<PathShare> parts) {
  return {length_ns, std::move(parts), {}};
}

TEST(LongestPath, IsThatOfTheProcessWhereItIsLongest) {
  const LongestPath a = path_of(100, {{PathShare::kUseful, "", 0, 0, 100}});
  const LongestPath b = path_of(120, {{PathShare::kMpi, "", 0, 1, 120}});
  for (const LongestPath& both : {combine(a, b), combine(b, a)}) {
    EXPECT_EQ(120, both.length_ns);
    ASSERT_EQ(1u, both.parts.size());
    EXPECT_EQ(PathShare::kMpi, both.parts[0].what);
  }
  const LongestPath none;
  EXPECT_EQ(120, combine(none, b).length_ns);
  EXPECT_EQ(120, combine(b, none).length_ns);
}

TEST(LongestPath, OfEquallyLongOnesItIsAlwaysTheSame) {
  const LongestPath a = path_of(100, {{PathShare::kUseful, "", 0, 0, 100}});
  const LongestPath b = path_of(100, {{PathShare::kUseful, "", 0, 1, 100}});
  EXPECT_EQ(combine(a, b).parts[0].rank, combine(b, a).parts[0].rank);
}

TEST(LongestPath, OfOneProcessIsOfItsRank) {
  LongestPath path =
      path_of(100, {{PathShare::kUseful, "", 7, 0, 50},
                    {PathShare::kUseful, "", 7, PathShare::kSeveralRanks, 20},
                    {PathShare::kOthers, "", 0, PathShare::kSeveralRanks, 30}});
  give_only_rank(&path);
  ASSERT_EQ(2u, path.parts.size());
  EXPECT_EQ(70, path.parts[0].ns);
  EXPECT_EQ(30, path.parts[1].ns);
  for (const PathShare& part : path.parts) EXPECT_EQ(0, part.rank);
}

TEST(LongestPath, OfAJobIsAsLongAsItsClock) {
  LongestPath path = path_of(100, {{PathShare::kUseful, "", 0, 0, 100}});
  reach(100, &path);
  EXPECT_EQ(1u, path.parts.size());
  reach(107, &path);
  EXPECT_EQ(107, path.length_ns);
  ASSERT_EQ(2u, path.parts.size());
  EXPECT_EQ(PathShare::kOthers, path.parts[1].what);
  EXPECT_EQ(7, path.parts[1].ns);
  LongestPath length_only = path_of(100, {});
  reach(107, &length_only);
  EXPECT_EQ(107, length_only.length_ns);
  EXPECT_TRUE(length_only.parts.empty());
  LongestPath not_followed;
  reach(107, &not_followed);
  EXPECT_EQ(0, not_followed.length_ns);
}

TEST(LongestPath, EachRegionLeftOutHasALongestPathOfItsOwn) {
  const LongestPath a = {100, {}, {{"assemble", 60}, {"solve", 90}}};
  const LongestPath b = {110, {}, {{"assemble", 70}, {"solve", 80}}};
  const LongestPath both = combine(a, b);
  ASSERT_EQ(2u, both.without.size());
  EXPECT_EQ(70, both.without[0].run_ns);
  EXPECT_EQ(90, both.without[1].run_ns);
}

// 120.3 s, of which 71.2 are in "assemble": 60 on rank 17 and the rest on 4.
JobReport report() {
  JobTotals job = test::job_of(
      test::mpi_process(90, 120),
      {test::combined("Global",
                      {test::mpi_process(90, 120), test::mpi_process(90, 120)},
                      {90, 90, 90, 120, 120}),
       test::combined("assemble",
                      {test::mpi_process(60, 70), test::mpi_process(60, 70)},
                      {60, 60, 60, 70, 70})});
  job.processes = 32;
  job.has_mpi = true;
  constexpr int64_t kTenths = 100'000'000;
  job.path = path_of(
      1203 * kTenths,
      {{PathShare::kMpi, "", 0, 4, 91 * kTenths},
       {PathShare::kUseful, "", key_of("assemble"), 4, 112 * kTenths},
       {PathShare::kUseful, "", key_of("assemble"), 17, 600 * kTenths},
       {PathShare::kUseful, "", 0, 4, 390 * kTenths},
       {PathShare::kUseful, "", key_of("unheard of"), 4, 10 * kTenths}});
  job.path.without = {{"assemble", 801 * kTenths}, {"gone", 1203 * kTenths}};
  return make_report({}, std::move(job));
}

TEST(LongestPath, TheReportSaysWhatTheRunWaitedFor) {
  EXPECT_EQ(
      "of 120.3 s, the run waited 71.20 s for `assemble`, mostly on rank 17; "
      "halving it saves at most 35.60 s",
      path_sentence(report()));
}

TEST(LongestPath, TheReportSaysHowLongTheRunWouldBeWithoutARegion) {
  const auto sentences = without_sentences(report());
  ASSERT_EQ(2u, sentences.size());
  EXPECT_EQ(
      "`assemble` the run would take 80.10 s instead of 120.3 s (all else "
      "equal)",
      sentences[0]);
  EXPECT_EQ(
      "`gone` never came up: no region of this name was opened, or "
      "POPRT_REGIONS leaves it out",
      sentences[1]);
}

TEST(LongestPath, TablesAddUpToTheRunTime) {
  for (const size_t most : {size_t{1}, size_t{2}, kRankedPathParts}) {
    for (const Table& table :
         {path_table(report(), most), path_rank_table(report(), most)}) {
      double sum_ns = 0;
      for (const TableRow& row : table.rows) sum_ns += row.cells[0].value;
      EXPECT_DOUBLE_EQ(120.3e9, sum_ns) << table.title << most;
      EXPECT_LE(table.rows.size(), most + 1);
    }
  }
  const Table table = path_table(report(), kRankedPathParts);
  ASSERT_EQ(4u, table.rows.size());
  EXPECT_EQ("assemble", table.rows[0].label);
  EXPECT_EQ("17", table.rows[0].cells[2].text);
  EXPECT_EQ("others", table.rows[3].label);
}

TEST(LongestPath, OfRanksAloneNoRegionIsSaid) {
  JobReport ranks = report();
  for (PathShare& part : ranks.totals.path.parts) part.region = "";
  EXPECT_EQ(
      "of 120.3 s, the run waited 110.2 s for useful work, mostly on rank 17; "
      "halving it saves at most 55.10 s",
      path_sentence(ranks));
  EXPECT_EQ("useful", path_table(ranks, 8).rows[0].label);
  EXPECT_TRUE(std::isnan(heaviest_path_share(ranks)));
}

TEST(LongestPath, OfAProgramWithoutRegionsTheReportSaysSo) {
  JobReport plain = report();
  plain.regions.resize(1);
  EXPECT_TRUE(path_sentence(plain).ends_with(
      "35.60 s. The program has no regions (poprt.h), which would tell its "
      "parts apart"));
}

TEST(LongestPath, TheHeaviestPartIsANumberOfTheRun) {
  EXPECT_DOUBLE_EQ(712.0 / 1203, heaviest_path_share(report()));
}

constexpr char kModule[] = "/app/solver";

TEST(LongestPath, ConstructsHaveOneKeyForEachKindAndPlace) {
  std::set<uint64_t> keys;
  for (int kind = 0; kind < kSiteKinds; ++kind) {
    for (const uint64_t offset : {uint64_t{0}, (uint64_t{1} << 36) - 1}) {
      const SiteKind site = static_cast<SiteKind>(kind);
      const uint64_t key = construct_key(site, kModule, offset);
      EXPECT_NE(0u, key);
      EXPECT_TRUE(keys.insert(key).second);
      const ConstructKey is = construct_of_key(key);
      EXPECT_STREQ(name_of(site), is.construct);
      EXPECT_EQ(mark_of_module(kModule), is.mark);
      EXPECT_EQ(offset, is.offset);
    }
  }
  EXPECT_EQ(0u, construct_key(SiteKind::kTask, "", 1));
  EXPECT_EQ(0u, construct_key(SiteKind::kTask, kModule, uint64_t{1} << 36));
  EXPECT_EQ(nullptr, construct_of_key(0).construct);
  EXPECT_EQ(nullptr, construct_of_key(~uint64_t{0}).construct);
}

LongestPath with_barrier(std::vector<std::string> modules,
                         const std::string& module = kModule) {
  LongestPath path =
      path_of(100, {{PathShare::kUseful, "",
                     construct_key(SiteKind::kBarrier, module, 0x1234), 3, 70},
                    {PathShare::kOpenMp, "", 0, 2, 20},
                    {PathShare::kMpi, "", 0, 3, 10}});
  path.modules = std::move(modules);
  return path;
}

// The process whose path it is may not have been at the construct.
TEST(LongestPath, ConstructsHaveNamesIfAnyProcessKnowsTheirFile) {
  LongestPath known;
  known.modules = {"/app/other", kModule};
  LongestPath path = combine(known, with_barrier({"/app/other"}));
  EXPECT_EQ(known.modules, path.modules);
  name_parts({}, &path);
  const PathShare& part = path.parts[0];
  EXPECT_EQ(PathShare::kOpenMp, part.what);
  EXPECT_EQ("barrier", part.construct);
  EXPECT_EQ(kModule, part.module);
  EXPECT_EQ(0x1234u, part.offset);
  EXPECT_EQ(3, part.rank);
}

TEST(LongestPath, AConstructOfTwoPossibleFilesIsOneOfTheOthers) {
  std::map<uint32_t, std::string> by_mark;
  std::string module;
  std::string twin;
  for (int i = 0; twin.empty(); ++i) {
    module = "/app/" + std::to_string(i);
    std::string& other = by_mark[mark_of_module(module)];
    if (!other.empty()) twin = other;
    other = module;
  }
  for (const std::vector<std::string>& modules :
       {std::vector<std::string>{twin, module}, std::vector<std::string>{}}) {
    LongestPath path = with_barrier(modules, module);
    name_parts({}, &path);
    EXPECT_EQ(PathShare::kOthers, path.parts[0].what);
    EXPECT_EQ("", path.parts[0].construct);
    EXPECT_EQ(70, path.parts[0].ns);
  }
}

TEST(LongestPath, ConstructsAreShownWithTheirPlaces) {
  JobTotals job = test::job_of(test::mpi_process(90, 120), {});
  job.has_mpi = job.has_openmp = true;
  job.processes = 4;
  job.path = with_barrier({kModule});
  const JobReport report = make_report(
      {}, std::move(job), [](const std::vector<ConstructTotals>& places) {
        return std::vector<std::string>(places.size(), "solver.c:80 (solve)");
      });
  const Table table = path_table(report, kRankedPathParts);
  ASSERT_EQ(3u, table.rows.size());
  EXPECT_EQ("barrier solver.c:80 (solve)", table.rows[0].label);
  EXPECT_EQ("in OpenMP, other constructs", table.rows[1].label);
  EXPECT_TRUE(path_sentence(report).starts_with(
      "of 100 ns, the run waited 70 ns for OpenMP (without waiting): barrier "
      "solver.c:80 (solve), all of it on rank 3"))
      << path_sentence(report);
}

TEST(LongestPath, ARedLightNamesNoGain) {
  JobReport run = report();
  const auto has_path = [&] {
    return render_text(report_document(run, {Model::kPop}, ""))
               .find(" Path ") != std::string::npos;
  };
  EXPECT_TRUE(has_path());
  set_amount(kWaitedForCore.name, job_core_ns(run), &run.totals.resources);
  EXPECT_FALSE(has_path());
}

TEST(LongestPath, WithoutTheOptionNothingIsSaid) {
  JobReport none = report();
  none.totals.path = {};
  EXPECT_TRUE(path_table(none, 8).rows.empty());
  EXPECT_TRUE(path_rank_table(none, 8).rows.empty());
  EXPECT_EQ("", path_sentence(none));
  EXPECT_TRUE(without_sentences(none).empty());
  EXPECT_TRUE(std::isnan(heaviest_path_share(none)));
}

}  // namespace
}  // namespace poprt
