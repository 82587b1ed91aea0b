// Why a thread waits: the examples of docs/metrics.md, and what always holds.
#include "openmp/loss_parts.h"

#include <gtest/gtest.h>

#include <random>

namespace poprt {
namespace {

struct Parts {
  int64_t imbalance, mpi, serialised, scheduling, not_started;
  int64_t accelerator = 0;
  friend bool operator==(const Parts&, const Parts&) = default;
};

// U, V, M, S, N, A, X.
Parts between(const Amounts& own, const Amounts& last) {
  const LossParts parts = parts_of(own, last);
  int64_t imbalance = last.busy_ns() - own.busy_ns();
  for (const int64_t ns : parts.ns) imbalance -= ns;
  return {imbalance,
          parts.ns[kSourceMpi],
          parts.ns[kSourceSerialised],
          parts.ns[kSourceScheduling],
          parts.ns[kSourceNotStarted],
          parts.ns[kSourceAccelerator]};
}

TEST(LossParts, AreWhatTheLastOneDidMore) {
  EXPECT_EQ((Parts{150, 0, 0, 0, 0}), between({{50}}, {{200}}));
  EXPECT_EQ((Parts{0, 300, 0, 0, 0}), between({{100}}, {{100, 0, 300}}));
  EXPECT_EQ((Parts{100, 100, 0, 0, 0}), between({{100}}, {{200, 0, 100}}));
  EXPECT_EQ((Parts{0, 50, 0, 0, 0}), between({{150}}, {{100, 0, 100}}));
  EXPECT_EQ((Parts{0, 0, 100, 0, 0}), between({{}}, {{0, 60, 0, 40}}));
  EXPECT_EQ((Parts{0, 0, 0, 70, 30}), between({{}}, {{0, 0, 0, 0, 30, 0, 70}}));
  EXPECT_EQ((Parts{40, 0, 0, 0, 0, 60}),
            between({{10}}, {{50, 0, 0, 0, 0, 60}}));
  // In proportion: 100 useful and 100 in MPI more, 50 waiting less.
  EXPECT_EQ((Parts{75, 75, 0, 0, 0}),
            between({{0, 0, 0, 50}}, {{100, 0, 100}}));
}

TEST(LossParts, OfWhoCameLastAreNone) {
  EXPECT_EQ((Parts{0, 0, 0, 0, 0}), between({{10, 0, 90}}, {{100}}));
}

TEST(LossParts, AreNotMoreThanTheWaitHoweverLong) {
  constexpr int64_t kYear = 31'536'000'000'000'000;
  const Amounts last{
      {kYear / 3, kYear / 7, kYear, kYear / 11, 5, 7, kYear / 13}};
  const Parts parts = between({{kYear / 2}}, last);
  EXPECT_GE(parts.imbalance, 0);
  EXPECT_GT(parts.mpi, kYear / 2);
}

TEST(LossParts, AreOfTheOneWithTheMostWorkIfSeveralComeLast) {
  EXPECT_TRUE(came_later(Amounts{{50}}, {{40}}));
  EXPECT_TRUE(came_later(Amounts{{50}}, {{40, 0, 10}}));
  EXPECT_FALSE(came_later(Amounts{{40, 0, 10}}, {{50}}));
  EXPECT_FALSE(came_later(Amounts{{50}}, {{50}}));
}

TEST(LossParts, OfUsualAmountsAreTheSame) {
  constexpr int64_t kBegin = 1000;
  std::mt19937_64 random(1);
  const auto amounts = [&]() {
    Amounts did;
    for (const Doing doing : {kDoingUseful, kDoingNotStarted, kDoingRuntime}) {
      did.ns[doing] = static_cast<int64_t>(random() % 5) * 1'000'003;
    }
    return did;
  };
  const auto usual = [](const Amounts& did) {
    return UsualAmounts{kBegin + did.busy_ns(), did.ns[kDoingUseful],
                        did.ns[kDoingNotStarted]};
  };
  for (int i = 0; i < 1000; ++i) {
    const Amounts own = amounts();
    const Amounts last = amounts();
    const LossParts all = parts_of(own, last);
    const UsualParts parts = parts_of(usual(own), usual(last), kBegin);
    ASSERT_EQ(all.ns[kSourceScheduling], parts.scheduling_ns);
    ASSERT_EQ(all.ns[kSourceNotStarted], parts.not_started_ns);
    if (came_later(usual(own), usual(last))) {
      ASSERT_TRUE(came_later(own, last));
    }
  }
}

}  // namespace
}  // namespace poprt
