// Calls of which most have no time stamps.
#include "measure/untimed_calls.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

// Times two calls, so that there is a usual time, and one of kEach is left.
void time_two(UntimedCalls& calls, int64_t first_ns, int64_t second_ns) {
  for (const int64_t ns : {first_ns, second_ns}) {
    ASSERT_TRUE(calls.take(0));
    calls.add(ns);
  }
}

TEST(UntimedCalls, OneInEachIsTimed) {
  UntimedCalls calls;
  time_two(calls, 30, 30);
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 1; i < UntimedCalls::kEach; ++i) EXPECT_FALSE(calls.take(100));
    EXPECT_TRUE(calls.take(100));
    calls.add(30);
  }
}

TEST(UntimedCalls, OthersTakeAsLongAsTheShorterOfTheLastTwo) {
  for (const auto& [first, second] : {std::pair{30, 5000}, {5000, 30}}) {
    UntimedCalls calls;
    time_two(calls, first, second);
    EXPECT_FALSE(calls.take(100));
    EXPECT_FALSE(calls.take(100));
    EXPECT_EQ(2 * 30, calls.settle(100));
    EXPECT_EQ(0, calls.settle(100));
  }
}

// What was before another event is in its time already.
TEST(UntimedCalls, OnlyThoseSinceTheLastEventCount) {
  UntimedCalls calls;
  time_two(calls, 30, 40);
  EXPECT_FALSE(calls.take(100));
  EXPECT_EQ(0, calls.settle(200));
  EXPECT_FALSE(calls.take(200));
  EXPECT_FALSE(calls.take(300));
  EXPECT_EQ(30, calls.settle(300));
}

TEST(UntimedCalls, NothingIsKnownBeforeTwoWereTimed) {
  UntimedCalls calls;
  EXPECT_TRUE(calls.take(0));
  calls.add(40);
  EXPECT_EQ(0, calls.settle(0));
  EXPECT_TRUE(calls.take(0));
}

// The program has left a timed call by siglongjmp().
TEST(UntimedCalls, ACallThatDoesNotReturnIsNotTheLastOneThatIsTimed) {
  UntimedCalls calls;
  time_two(calls, 30, 30);
  for (int i = 1; i < UntimedCalls::kEach; ++i) EXPECT_FALSE(calls.take(100));
  EXPECT_TRUE(calls.take(100));
  EXPECT_TRUE(calls.take(100));
  calls.add(30);
  EXPECT_FALSE(calls.take(100));
}

}  // namespace
}  // namespace poprt
