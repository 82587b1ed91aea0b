// What a program takes from its libraries.
#include "base/imports.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <string>
#include <vector>

// Defined and called here, and seen by the loader.
extern "C" __attribute__((visibility("default"), noinline)) int
poprt_test_defined() {
  return getenv("POPRT_TEST") == nullptr ? 0 : 1;
}

namespace poprt {
namespace {

TEST(Imports, AreWhatTheImageNamesAndDoesNotDefine) {
  std::map<std::string, const void*> names;
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* found) {
        for (const Import& each : imports(*image)) {
          static_cast<std::map<std::string, const void*>*>(found)->insert(
              {each.name, *each.place});
        }
        return 1;  // the first one is the program
      },
      &names);
  EXPECT_EQ(0, poprt_test_defined());
  // Bound, as it was called.
  ASSERT_TRUE(names.contains("getenv"));
  Dl_info where;
  EXPECT_NE(0, dladdr(names["getenv"], &where));
  EXPECT_STREQ("getenv", where.dli_sname);
  EXPECT_TRUE(names.contains("dl_iterate_phdr"));
  EXPECT_FALSE(names.contains("poprt_test_defined"));
  EXPECT_FALSE(names.contains(""));
}

TEST(Exported, IsWhatOthersMayTake) {
  std::vector<const void*> found;
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* all) {
        const void* const its = exported(*image, "gnu_get_libc_version");
        if (its != nullptr) {
          static_cast<std::vector<const void*>*>(all)->push_back(its);
        }
        EXPECT_EQ(nullptr, exported(*image, "poprt_no_such_function"));
        return 0;
      },
      &found);
  EXPECT_EQ(
      std::vector<const void*>({dlsym(RTLD_DEFAULT, "gnu_get_libc_version")}),
      found);
  EXPECT_EQ(nullptr, exported(dl_phdr_info{}, "any"));
}

TEST(Imports, OfAnImageWithoutTablesAreNone) {
  EXPECT_TRUE(imports(dl_phdr_info{}).empty());
}

}  // namespace
}  // namespace poprt
