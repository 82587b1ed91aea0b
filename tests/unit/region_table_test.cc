#include "measure/region_table.h"

#include <gtest/gtest.h>

#include <string>

#include "measure/pointer_table.h"

namespace poprt {
namespace {

TEST(RegionTable, FindsRegionsByKeyAndKeepsTheirSlots) {
  RegionTable table;
  EXPECT_EQ(-1, table.find(7));
  for (int slot = 0; slot < kMaxRegions; ++slot) {
    // Many of them begin their search at the same place.
    EXPECT_EQ(slot, table.add("r", static_cast<uint64_t>(slot % 4 * 1024 +
                                                         slot / 4 + 1)));
  }
  EXPECT_EQ(kMaxRegions, table.count());
  const Region* const first = &table.at(0);
  EXPECT_EQ(-1, table.add("more", 1 << 20));
  EXPECT_EQ(-1, table.find(1 << 20));
  EXPECT_EQ(first, &table.at(0));
  for (int slot = 0; slot < kMaxRegions; ++slot) {
    EXPECT_EQ(slot, table.find(table.at(slot).key()));
  }
}

TEST(PointerTable, GivesEachObjectOneNumber) {
  const int items[4] = {};
  PointerTable<int, 3> table;
  EXPECT_EQ(-1, table.find(items[0]));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(i, table.add(items[i]));
  }
  EXPECT_EQ(3, table.count());
  EXPECT_EQ(-1, table.add(items[3]));
  EXPECT_EQ(3, table.count());
  EXPECT_EQ(2, table.find(items[2]));
  EXPECT_EQ(&items[1], table.at(1));
}

}  // namespace
}  // namespace poprt
