#include "measure/line_clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace poprt {
namespace {

TEST(LineClock, TakesALaterClockOnly) {
  LineClock clock;
  clock.set_open(true, 0);
  EXPECT_FALSE(clock.is_later(7, 7));
  EXPECT_TRUE(clock.is_later(9, 7));
  EXPECT_FALSE(clock.raise(9, 7));  // it does not rest
  EXPECT_EQ(9, clock.value().at(7));
  EXPECT_EQ(12, clock.value().at(10));
  EXPECT_FALSE(clock.raise(11, 10));
  EXPECT_EQ(12, clock.value().at(10));
  clock.set_open(false, 10);
  EXPECT_TRUE(clock.raise(13, 10));
  EXPECT_FALSE(clock.raise(13, 10));
  EXPECT_EQ(13, clock.value().at(10));
}

TEST(LineClock, OfManyThreadsTheLatestClockStays) {
  LineClock clock;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&clock, t] {
      for (int64_t i = 0; i < 10'000; ++i) clock.raise(4 * i + t, 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(4 * 9'999 + 3, clock.value().at(0));
}

TEST(LineClock, BecomesAnother) {
  LineClock com;
  com.set_open(true, 20);
  LineClock comp;
  comp.become(com);
  comp.raise(4, 15);
  EXPECT_EQ(4, comp.value().at(20));
  EXPECT_EQ(0, com.value().at(20));
}

}  // namespace
}  // namespace poprt
