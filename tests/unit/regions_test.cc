#include "measure/regions.h"

#include <gtest/gtest.h>

#include <memory>

namespace poprt {
namespace {

TEST(Regions, OpenAndCloseWithTheirClocksAndThenTheEpoch) {
  Regions regions(8, false);
  Region& r = regions.at(regions.add("r", 1));
  const uint32_t before = regions.epoch().value();
  regions.set_open(r, true, 10, {7, 7});
  EXPECT_EQ(before, regions.epoch().value());
  regions.changed();
  EXPECT_NE(before, regions.epoch().value());
  EXPECT_EQ(10, r.changed_ns());
  regions.set_open(r, false, 30, {17, 17});
  EXPECT_EQ(20, r.elapsed().at(99));
  EXPECT_EQ(10, ComKeeper::com_ns(r, {99, 99}));
}

TEST(Regions, AWindowIsNoRegionOfTheProgram) {
  Regions regions(8, false);
  Region& r = regions.at(regions.add("", 1));
  const uint32_t before = regions.epoch().value();
  regions.set_window_open(r, true, 10, {10, 10});
  EXPECT_NE(before, regions.epoch().value());
  EXPECT_EQ(program_epoch(before), program_epoch(regions.epoch().value()));
}

TEST(Regions, KeepCompBeforeTheLinesTimesDiffer) {
  Regions regions(8, false);
  Region& early = regions.at(regions.add("early", 1));
  regions.set_open(early, true, 10, {10, 10});
  EXPECT_FALSE(regions.com().has_comp());
  EXPECT_FALSE(regions.sends_more());
  Region& late = regions.at(regions.add("late", 2));
  regions.set_open(late, true, 30, {25, 30});
  EXPECT_TRUE(regions.com().has_comp());
  EXPECT_TRUE(regions.sends_more());
  EXPECT_EQ(15, ComKeeper::com_ns(early, {25, 30}));
  EXPECT_EQ(20, regions.com().comp_ns(early, {25, 30}));
  EXPECT_EQ(0, regions.com().comp_ns(late, {25, 30}));
  EXPECT_EQ(1, regions.com().comp_ns(late, {25, 31}));
}

TEST(Regions, CallThreadsThatAreToKeepCom) {
  Regions regions(8, false);
  SeenEpoch seen(regions.epoch());
  regions.keep_com_in_threads(std::make_unique<ComStart>(), 10, {10, 10});
  EXPECT_TRUE(regions.com().has_comp());
  EXPECT_FALSE(seen.is_quiet_now());
  EXPECT_FALSE(seen.has_changed(regions.epoch().value()));
}

TEST(Regions, OnlyTheFirstOnesTravel) {
  Regions regions(2, false);
  EXPECT_EQ(0, regions.travelling().of(regions.count()));
  for (uint64_t key = 1; key <= 2; ++key) regions.add("r", key);
  EXPECT_FALSE(regions.travelling().is_full());
  regions.add("r", 3);
  EXPECT_TRUE(regions.travelling().is_full());
  EXPECT_EQ(2, regions.travelling().of(regions.count()));
  EXPECT_TRUE(regions.travelling().is_in_full_table(1));
  EXPECT_FALSE(regions.travelling().is_in_full_table(2));
}

TEST(TravellingRegions, WhatHadNoRoomOnceIsIncomplete) {
  TravellingRegions travelling(100);
  EXPECT_FALSE(travelling.is_in_full_table(3));
  travelling.lose_clock(50);
  travelling.lose_clock(70);
  EXPECT_EQ(50, travelling.complete());
  EXPECT_TRUE(travelling.is_full());
  EXPECT_TRUE(travelling.is_in_full_table(49));
  EXPECT_FALSE(travelling.is_in_full_table(50));
}

TEST(Regions, CommonIdleTimeIsThatOfOpenRegions) {
  Regions regions(8, false);
  Region& r = regions.at(regions.add("r", 1));
  regions.add_common_idle(100);
  regions.set_open(r, true, 10, {10, 10});
  regions.add_common_idle(30);
  EXPECT_EQ(30, regions.common_idle(r).idle_ns);
  // Of an instance that began before it was opened, and of one after that.
  regions.add_common_idle(4);
  regions.lose_common_idle(9, 4);
  regions.lose_common_idle(10, 5);
  EXPECT_EQ(30, regions.common_idle(r).idle_ns);
  regions.set_open(r, false, 20, {20, 20});
  regions.add_common_idle(7);
  EXPECT_EQ(30, regions.common_idle(r).idle_ns);
}

}  // namespace
}  // namespace poprt
