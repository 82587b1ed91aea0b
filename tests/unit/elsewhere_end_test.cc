#include "measure/elsewhere_end.h"

#include <gtest/gtest.h>

#include <thread>

namespace poprt {
namespace {

TEST(ElsewhereEnd, IsTakenOnceWithWhatWasSaid) {
  ElsewhereEnd elsewhere;
  elsewhere.may_end(10, State::kUseful);
  EXPECT_TRUE(elsewhere.end(10, 30, 7));
  const auto end = elsewhere.take();
  ASSERT_TRUE(end);
  EXPECT_EQ(30, end->ns);
  EXPECT_EQ(7u, end->epoch);
  EXPECT_EQ(State::kUseful, end->after);
  EXPECT_FALSE(elsewhere.is_open());
  EXPECT_FALSE(elsewhere.take());
}

TEST(ElsewhereEnd, IsOnlyOfTheStretchThatMayEnd) {
  ElsewhereEnd elsewhere;
  EXPECT_FALSE(elsewhere.end(0, 5, 0));  // none may
  elsewhere.may_end(10, State::kOmp);
  EXPECT_FALSE(elsewhere.end(9, 20, 0));  // one of before
  EXPECT_FALSE(elsewhere.take());         // the thread was first
  EXPECT_FALSE(elsewhere.end(10, 20, 0));
}

TEST(ElsewhereEnd, AtTheStartOfMeasurementIsOne) {
  ElsewhereEnd elsewhere;
  elsewhere.may_end(0, State::kOmp);
  EXPECT_TRUE(elsewhere.end(0, 0, 0));
  EXPECT_TRUE(elsewhere.take());
}

TEST(ElsewhereEnd, OfTwoThreadsOneIsFirst) {
  ElsewhereEnd elsewhere;
  for (int64_t ns = 1; ns < 2000; ++ns) {
    elsewhere.may_end(ns, State::kOmp);
    bool said = false;
    std::thread other([&] { said = elsewhere.end(ns, ns + 1, 0); });
    const bool taken = elsewhere.take().has_value();
    other.join();
    ASSERT_EQ(said, taken);
  }
}

}  // namespace
}  // namespace poprt
