// POPRT_REGIONS=include:s*,exclude:setup (CMakeLists.txt) as a program meets
// it.
#include <gtest/gtest.h>

#include "measure/events.h"
#include "oracle/rank.h"
#include "poprt.h"

namespace poprt {
namespace {

TEST(SelectedRegions, AreMeasuredAndNoOthers) {
  for (const char* name : {"solve", "setup", "exchange", "Global"}) {
    pop_region_start(name);
    pop_region_start(name);
    pop_region_stop(name);
    pop_region_stop(name);
    POP_REGION_SCOPE(name);
    pop_region_enter(pop_region_find(name));
    pop_region_leave(pop_region_find(name));
  }
  EXPECT_LT(0, pop_region_find("solve"));
  EXPECT_EQ(-1, pop_region_find("setup"));
  EXPECT_EQ(-1, pop_region_find("exchange"));
  const JobTotals job = measured_process().totals(now_ns(), "node");
  ASSERT_EQ(2u, job.regions.size());
  EXPECT_EQ(2, oracle::find(job, "solve")->visits);
  EXPECT_EQ(1, oracle::find(job, "Global")->visits);
  EXPECT_EQ(0, job.quality.stops_without_start);
  EXPECT_EQ(0, job.quality.regions_dropped);
}

TEST(SelectedRegions, AreStillCheckedForMisuse) {
  pop_region_stop("solve");
  pop_region_stop("setup");
  EXPECT_EQ(
      1,
      measured_process().totals(now_ns(), "node").quality.stops_without_start);
}

}  // namespace
}  // namespace poprt
