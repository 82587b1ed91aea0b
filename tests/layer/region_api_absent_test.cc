// include/poprt.h in a program without the library.
#include <gtest/gtest.h>

#include <cstring>

#include "poprt.h"

namespace {

// More calls than the header needs to be sure that no library is loaded.
constexpr int kTimes = 200;

TEST(WithoutTheLibrary, NothingHappens) {
  pop_region_metrics_t metrics;
  std::memset(&metrics, 0x55, sizeof metrics);
  const pop_region_metrics_t before = metrics;
  for (int i = 0; i < kTimes; ++i) {
    POP_REGION_FUNCTION();
    pop_region_start("solve");
    pop_region_stop(nullptr);
    EXPECT_EQ(0, pop_region_find("solve"));
    pop_region_enter(0);
    pop_region_leave(4711);
    pop_metadata("key", "value");
    EXPECT_EQ(0, pop_region_metrics("solve", &metrics));
    EXPECT_EQ(0, pop_region_metrics_job("solve", nullptr));
    EXPECT_STREQ("", pop_version());
  }
  EXPECT_EQ(0, std::memcmp(&before, &metrics, sizeof metrics));
}

}  // namespace
