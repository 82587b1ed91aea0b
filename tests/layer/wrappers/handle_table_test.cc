#include "wrappers/handle_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace poprt::mpi {
namespace {

TEST(HandleTable, FindsNothingInAnEmptyTable) {
  HandleTable<int> table;
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(nullptr, table.find(0));
  table.erase(0);
  EXPECT_TRUE(table.empty());
}

TEST(HandleTable, InsertReplaces) {
  HandleTable<int> table;
  int a = 0;
  int b = 0;
  table.insert(7, &a);
  table.insert(7, &b);
  EXPECT_EQ(&b, table.find(7));
  table.erase(7);
  EXPECT_EQ(nullptr, table.find(7));
  EXPECT_TRUE(table.empty());
}

// Keys as MPI libraries make them: small numbers, numbers with a high prefix,
// addresses; and few enough that keys are used again.
uintptr_t key_of_kind(int kind, unsigned number) {
  switch (kind) {
    case 0:
      return number;
    case 1:
      return 0x98000000u + number;
    default:
      return uintptr_t{0x7f0000000000} + uintptr_t{number} * 64;
  }
}

TEST(HandleTable, BehavesAsAMap) {
  for (int kind = 0; kind < 3; ++kind) {
    for (unsigned keys : {3u, 40u, 3000u}) {
      SCOPED_TRACE(testing::Message() << "kind " << kind << ", keys " << keys);
      std::mt19937 random(keys);
      HandleTable<int> table;
      std::map<uintptr_t, int*> map;
      std::vector<int> values(100);
      for (int i = 0; i < 30000; ++i) {
        const uintptr_t key = key_of_kind(kind, random() % keys);
        if (random() % 2 == 0) {
          int* const value = &values[random() % values.size()];
          table.insert(key, value);
          map[key] = value;
        } else {
          table.erase(key);
          map.erase(key);
        }
        const uintptr_t asked = key_of_kind(kind, random() % keys);
        const auto found = map.find(asked);
        ASSERT_EQ(found == map.end() ? nullptr : found->second,
                  table.find(asked));
        ASSERT_EQ(map.empty(), table.empty());
      }
      for (const auto& [key, value] : map) ASSERT_EQ(value, table.find(key));
    }
  }
}

}  // namespace
}  // namespace poprt::mpi
