#include "measure/counter_readings.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

// One counter, whose value is set by the test.
struct OneCounter final : CounterSource {
  int size() const override { return 1; }
  const char* name(int) const override { return "ONE"; }
  void* begin() override { return this; }
  void end(void*) override {}
  bool read(void*, int64_t* values) override {
    values[0] = value;
    return true;
  }
  int64_t value = 0;
};

TEST(CounterReadings, PartsOfAReadingAddUp) {
  OneCounter source;
  const Counting counting{&source, 0, {}};
  CounterReadings readings(counting);
  source.value = 7;
  ASSERT_TRUE(readings.read(/*useful=*/true, /*ns=*/90));
  EXPECT_EQ(90, readings.counted(0));
  EXPECT_EQ(7, readings.counted(1));
  for (const int account : {0, 1}) {
    EXPECT_EQ(readings.counted(account), readings.inside(account, 0, 31) +
                                             readings.inside(account, 31, 59));
  }
}

// Another thread has closed the region before the reading before this one.
TEST(CounterReadings, APartBeforeTheReadingIsTakenOffToTheNanosecond) {
  OneCounter source;
  const Counting counting{&source, 0, {}};
  CounterReadings readings(counting);
  source.value = 180;
  ASSERT_TRUE(readings.read(/*useful=*/true, /*ns=*/90));
  EXPECT_EQ(-31, readings.inside(0, 0, -31));
  EXPECT_EQ(-62, readings.inside(1, 0, -31));
}

}  // namespace
}  // namespace poprt
