#include "devices/clock_offset.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

TEST(ClockOffset, EachMomentNarrowsTheBounds) {
  ClockOffset clock;
  EXPECT_FALSE(clock.is_known());
  EXPECT_EQ(0, clock.learn(1000, 5000, 5100));
  ASSERT_TRUE(clock.is_known());
  EXPECT_EQ(50, clock.error_ns());
  EXPECT_EQ(5050, clock.to_host(1000));
  EXPECT_EQ(0, clock.learn(1200, 5280, 5400));  // 4080 to 4200
  EXPECT_EQ(4090 + 2000, clock.to_host(2000));
  EXPECT_EQ(10, clock.error_ns());
  EXPECT_EQ(0, clock.jumps());
}

// By half a thousandth of what passes.
TEST(ClockOffset, BoundsWidenAsTimePasses) {
  ClockOffset clock;
  clock.learn(0, 1000, 1000);
  EXPECT_EQ(0, clock.error_ns());
  // Between: the clock may have drifted by 1000 ns.
  EXPECT_EQ(0, clock.learn(2'000'000, 2'000'900, 2'001'900));
  EXPECT_EQ(0, clock.jumps());
  EXPECT_EQ(2'001'400, clock.to_host(2'000'000));
}

TEST(ClockOffset, AJumpBeginsAnew) {
  ClockOffset clock;
  clock.learn(1000, 2000, 2010);
  EXPECT_EQ(500'000, clock.learn(501'100, 2100, 2110));
  EXPECT_EQ(1, clock.jumps());
  EXPECT_EQ(2005, clock.to_host(1000));
  EXPECT_EQ(2205, clock.to_host(501'200));
  EXPECT_EQ(0, clock.learn(501'200, 2200, 2210));
}

TEST(ClockOffset, TheFirstOfManyJumpsAreForgotten) {
  ClockOffset clock;
  for (int64_t i = 0; i < 2 * ClockOffset::kMost; ++i) {
    clock.learn(1'000'000 * (i + 1), 100 * i, 100 * i);
  }
  EXPECT_EQ(2 * ClockOffset::kMost - 1, clock.jumps());
  constexpr int64_t kLast = 2 * ClockOffset::kMost - 1;
  EXPECT_EQ(100 * kLast, clock.to_host(1'000'000 * (kLast + 1)));
  EXPECT_EQ(100 * (kLast - 3), clock.to_host(1'000'000 * (kLast - 2)));
  // As the oldest that is known.
  EXPECT_EQ(100 * ClockOffset::kMost - 1'000'000 * ClockOffset::kMost,
            clock.to_host(1'000'000));
}

}  // namespace
}  // namespace poprt
