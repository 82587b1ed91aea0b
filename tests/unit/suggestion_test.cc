#include "command/suggestion.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

TEST(EditDistance, CountsExchangedNeighboursOnce) {
  EXPECT_EQ(0u, edit_distance("", ""));
  EXPECT_EQ(3u, edit_distance("", "abc"));
  EXPECT_EQ(0u, edit_distance("Scale", "sCALE"));
  EXPECT_EQ(1u, edit_distance("--versoin", "--version"));
  EXPECT_EQ(1u, edit_distance("ba", "ab"));
  EXPECT_EQ(2u, edit_distance("abcd", "badc"));
  EXPECT_EQ(3u, edit_distance("kitten", "sitting"));
}

TEST(DidYouMean, IsOnlyWhatIsNear) {
  EXPECT_EQ(" Did you mean \"scale\"?",
            did_you_mean("sclae", {"report", "scale", "schema"}));
  EXPECT_EQ("", did_you_mean("frobnicate", {"report", "scale"}));
  EXPECT_EQ("", did_you_mean("x", {"report", "scale"}));
  EXPECT_EQ("", did_you_mean("x", {}));
  EXPECT_EQ("", did_you_mean(std::string(1000, 'x'), {"x"}));
  EXPECT_EQ(" Did you mean \"solve\"?", did_you_mean("slove", {"solve"}));
  EXPECT_EQ(" Did you mean \"load_balance\"?",
            did_you_mean_metric("laod_balance"));
  EXPECT_EQ(" Did you mean \"MPI Transfer Efficiency\"?",
            did_you_mean_metric("MPI Trasnfer Efficiency"));
}

}  // namespace
}  // namespace poprt
