#include "document/distinct_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "document/format.h"
#include "unit/has.h"

namespace poprt {
namespace {

using Names = std::vector<std::string>;

std::string kernel(const std::string& name, int number,
                   const std::string& end = "Vector<double>&)") {
  return "void solver::detail::" + name + "_kernel<double, " +
         std::to_string(number) +
         ", Layout::ColumnMajor>(Matrix<double, Layout::ColumnMajor>&, " + end;
}

Names checked(const Names& names, size_t width) {
  Names shown = distinct_names(names, width);
  EXPECT_EQ(names.size(), shown.size());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(),
            std::set<std::string>(shown.begin(), shown.end()).size());
  for (const std::string& name : shown) EXPECT_LE(columns(name), width) << name;
  return shown;
}

TEST(DistinctNames, KeepWhatTellsThemApart) {
  Names names = {"Global"};
  for (const char* const each : {"assemble", "solve", "smooth"}) {
    for (int i = 0; i < 20; ++i) names.push_back(kernel(each, i));
  }
  for (const size_t width : {5, 8, 17, 31, 60}) checked(names, width);
  const Names shown = checked(names, 8);
  EXPECT_EQ("Global", shown[0]);
  EXPECT_HAS(shown[11], "10");
  EXPECT_HAS(checked(names, 31)[21], "solve_kernel");
}

TEST(DistinctNames, AreShortenedAsAlwaysIfThatTellsThemApart) {
  EXPECT_EQ(
      (Names{"short", "a lo..end", "anot..end"}),
      checked({"short", "a long name with an end", "another name with an end"},
              9));
  EXPECT_EQ((Names{"void..e>&)"}), checked({kernel("solve", 1)}, 10));
}

TEST(DistinctNames, AreNotToldApartByTheMarkOfACutName) {
  const Names shown =
      checked({kernel("solve", 1, "Vec~3d6c29fc"),
               kernel("solve", 2, "Vec~c86cbcc3"), kernel("solve", 3)},
              24);
  for (const std::string& name : shown) {
    EXPECT_EQ(std::string::npos, name.find('~')) << name;
    EXPECT_LACKS(name, "Vector");
  }
  // Nothing else does: it stays.
  checked({kernel("a", 1, "~00000001"), kernel("a", 1, "~00000002")}, 20);
}

TEST(DistinctNames, DifferInAnyRoomAndAlphabet) {
  const std::string a(40, 'a');
  checked({a, a + "b", "b" + a, a, a.substr(20) + "b" + a.substr(20)}, 8);
  checked({"\u9818\u57df\u9818\u57df\u9818\u57df\u4e00",
           "\u9818\u57df\u9818\u57df\u9818\u57df\u4e8c"},
          8);
  checked({}, 8);
}

}  // namespace
}  // namespace poprt
