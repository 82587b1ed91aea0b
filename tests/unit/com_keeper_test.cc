#include "measure/com_keeper.h"

#include <gtest/gtest.h>

#include <memory>

namespace poprt {
namespace {

// A region that is open from 10 ns on.
struct Com {
  Com() { region().set_open(true, 10, {10, 10}, false, 0); }
  Region& region() { return table.at(slot); }

  RegionTable table;
  int slot = table.add("r", 1);
  ComKeeper keeper;
};

TEST(ComKeeper, SaysWhetherAClockMayChangeAnything) {
  Com com;
  EXPECT_FALSE(com.keeper.may_raise_com(com.region(), 20, {30, 30}));
  EXPECT_TRUE(com.keeper.may_raise_com(com.region(), 21, {30, 30}));
  com.keeper.begin_comp(com.table);
  EXPECT_TRUE(com.keeper.may_raise_com(com.region(), 20, {30, 30}));
}

TEST(ComKeeper, ThreadsTakeOverWhatTheProcessHas) {
  Com com;
  EXPECT_EQ(nullptr, com.keeper.start());
  com.keeper.begin_comp(com.table);
  com.keeper.keep_in_threads(std::make_unique<ComStart>(), 60, {30, 40},
                             com.table);
  const ComStart* const start = com.keeper.start();
  ASSERT_NE(nullptr, start);
  EXPECT_EQ(60, start->ns);
  ASSERT_EQ(1, start->regions);
  EXPECT_EQ(20, start->com_ns[0]);
  EXPECT_EQ(30, start->comp_ns[0]);
}

TEST(ComKeeper, IsForThreadsWithMpiAndOneThatWorksAlone) {
  ComKeeper keeper;
  EXPECT_FALSE(keeper.is_for_threads(true));
  keeper.note_alone();
  EXPECT_FALSE(keeper.is_for_threads(false));
  EXPECT_TRUE(keeper.is_for_threads(true));
}

}  // namespace
}  // namespace poprt
