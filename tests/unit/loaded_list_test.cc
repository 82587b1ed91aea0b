// Which objects of the loader's list were there before.
#include "base/loaded_list.h"

#include <gtest/gtest.h>

#include <string>

namespace poprt {
namespace {

constexpr size_t kNew = kNewObject;

std::vector<LoadedAt> objects_at(const std::vector<uintptr_t>& bases) {
  std::vector<LoadedAt> objects;
  for (const uintptr_t base : bases) objects.push_back({base, nullptr});
  return objects;
}

std::vector<size_t> numbers(const std::vector<uintptr_t>& before,
                            const std::vector<uintptr_t>& now,
                            size_t unloaded) {
  return numbers_before(objects_at(before), objects_at(now), unloaded);
}

using Numbers = std::vector<size_t>;

TEST(LoadedList, AllAreNewAtFirst) {
  EXPECT_EQ((Numbers{kNew, kNew}), numbers({}, {1, 2}, 0));
}

TEST(LoadedList, WhatIsLoadedComesBehindWhatWasThere) {
  EXPECT_EQ((Numbers{0, 1, kNew, kNew}), numbers({5, 3}, {5, 3, 4, 1}, 0));
}

TEST(LoadedList, WhatIsUnloadedIsPassedOver) {
  EXPECT_EQ((Numbers{0, 2, 3}), numbers({1, 2, 3, 4}, {1, 3, 4}, 1));
  EXPECT_EQ((Numbers{0, 2, kNew}), numbers({1, 2, 3}, {1, 3, 2}, 1));
}

// The last one may be another library, for which there was room.
TEST(LoadedList, AnObjectAtThePlaceOfAnUnloadedOneIsNew) {
  EXPECT_EQ((Numbers{0, 1, kNew}), numbers({1, 2, 3}, {1, 2, 3}, 1));
  EXPECT_EQ((Numbers{0, kNew, kNew}), numbers({1, 2, 3}, {1, 2, 3}, 2));
  EXPECT_EQ((Numbers{kNew, kNew, kNew}), numbers({1, 2, 3}, {1, 2, 3}, 9));
}

TEST(LoadedList, OtherDynamicSectionsAreOtherObjects) {
  const int sections[2] = {};
  EXPECT_EQ((Numbers{kNew}),
            numbers_before({{1, &sections[0]}}, {{1, &sections[1]}}, 0));
}

TEST(LoadedList, WhatIsKnownIsTakenAlong) {
  std::vector<std::string> known = {"a", "b", "c"};
  take_along({0, 2, kNew}, &known);
  EXPECT_EQ((std::vector<std::string>{"a", "c", ""}), known);
}

}  // namespace
}  // namespace poprt
