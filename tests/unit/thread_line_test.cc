#include "measure/thread_line.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

TEST(ThreadLine, IsThePrimaryThreadInNoTeam) {
  ThreadLine line;
  EXPECT_FALSE(line.is_line());
  line.set_primary(0);
  EXPECT_TRUE(line.is_primary());
  EXPECT_TRUE(line.is_line());
  line.set_depth(1);
  EXPECT_FALSE(line.is_line());
  line.set_depth(0);
  EXPECT_TRUE(line.is_line());
}

TEST(ThreadLine, IsNeverAnotherThread) {
  ThreadLine line;
  line.set_depth(1);
  line.is_alone(1);
  EXPECT_FALSE(line.is_line());
  line.set_depth(0);
  EXPECT_FALSE(line.is_line());
}

TEST(ThreadLine, GoesThroughTeamsOfOne) {
  ThreadLine line;
  line.set_primary(0);
  line.set_depth(1);
  line.is_alone(1);
  EXPECT_TRUE(line.is_line());
  line.set_depth(2);
  EXPECT_FALSE(line.is_line());
  line.is_alone(2);
  EXPECT_TRUE(line.is_line());
  // Left and entered again: it is not known yet.
  line.set_depth(1);
  EXPECT_TRUE(line.is_line());
  line.set_depth(2);
  EXPECT_FALSE(line.is_line());
}

TEST(ThreadLine, EndsAtATeamOfTwo) {
  ThreadLine line;
  line.set_primary(0);
  line.set_depth(1);
  line.set_depth(2);
  line.is_alone(2);
  EXPECT_FALSE(line.is_line());
  line.set_depth(1);
  EXPECT_FALSE(line.is_line());
}

}  // namespace
}  // namespace poprt
