// What a program takes from its libraries.
#include "base/imports.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <set>
#include <string>

// Defined and called here, and seen by the loader.
extern "C" __attribute__((visibility("default"), noinline)) int
poprt_test_defined() {
  return getenv("POPRT_TEST") == nullptr ? 0 : 1;
}

namespace poprt {
namespace {

TEST(Imports, AreWhatTheImageNamesAndDoesNotDefine) {
  std::set<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* found) {
        for (const char* const name : imports(*image)) {
          static_cast<std::set<std::string>*>(found)->insert(name);
        }
        return 1;  // the first one is the program
      },
      &names);
  EXPECT_EQ(0, poprt_test_defined());
  EXPECT_TRUE(names.contains("getenv"));
  EXPECT_TRUE(names.contains("dl_iterate_phdr"));
  EXPECT_FALSE(names.contains("poprt_test_defined"));
  EXPECT_FALSE(names.contains(""));
}

TEST(Imports, OfAnImageWithoutTablesAreNone) {
  EXPECT_TRUE(imports(dl_phdr_info{}).empty());
}

}  // namespace
}  // namespace poprt
