#include "measure/com_time.h"

#include <gtest/gtest.h>

#include <memory>

namespace poprt {
namespace {

// Stretches of a thread of which COM and COMP are kept from time 0 on.
class ComTimeTest : public testing::Test {
 protected:
  ComTimeTest() { com_.keep(); }

  ComTime::End end(int64_t now_ns) {
    const ComTime::End end =
        com_.end(timeline_, start_.get(), /*had_team=*/true, now_ns);
    com_.count(timeline_, now_ns, end.tail);
    timeline_.book(timeline_.since(), now_ns, 1);
    return end;
  }
  void turn_to(State state, int depth = 0) {
    timeline_.turn_to(state);
    timeline_.set_depth(depth);
  }
  int64_t com() const { return com_.time(kCom, timeline_); }
  int64_t comp() const { return com_.time(kComp, timeline_); }

  const std::unique_ptr<ComStart> start_ = std::make_unique<ComStart>();
  Timeline timeline_;
  ComTime com_{/*in_team=*/true};
};

TEST_F(ComTimeTest, OfAWaitWhatFollowsTheOtherCountsInCom) {
  turn_to(State::kOmp, 1);
  com_.has_waited(7);
  end(10);
  EXPECT_EQ(3, com());
  EXPECT_EQ(10, comp());
  EXPECT_EQ(3, com_.merge_tail_ns());
  // Said of that stretch only.
  end(20);
  EXPECT_EQ(13, com());
  EXPECT_EQ(0, com_.merge_tail_ns());
}

TEST_F(ComTimeTest, WhoCameBeforeTheWaitIsNotWaitedFor) {
  turn_to(State::kOmp, 1);
  end(10);
  com_.has_waited(4);
  end(15);
  EXPECT_EQ(15, com());
  com_.has_waited(40);  // a time stamp of another core
  end(20);
  EXPECT_EQ(15, com());
}

TEST_F(ComTimeTest, OfAWaitThatIsNotOverNothingCountsInCom) {
  turn_to(State::kOmp, 1);
  EXPECT_EQ(0, com_.tail(timeline_).com_ns);
  EXPECT_EQ(ComTail::kAll, com_.tail(timeline_).comp_ns);
  turn_to(State::kUseful);
  EXPECT_EQ(ComTail::kAll, com_.tail(timeline_).com_ns);
}

TEST(ComTime, BeginsInTheStretchInWhichTheProcessDoes) {
  const auto start = std::make_unique<ComStart>();
  start->ns = 6;
  Timeline timeline;
  timeline.turn_to(State::kUseful);
  ComTime com(true);
  // None does yet.
  ComTime::End end = com.end(timeline, nullptr, true, 3);
  EXPECT_FALSE(end.takes_over);
  EXPECT_EQ(0, end.tail.com_ns);
  // An event of before that is told now.
  EXPECT_FALSE(com.end(timeline, start.get(), true, 5).takes_over);
  end = com.end(timeline, start.get(), true, 10);
  EXPECT_TRUE(end.takes_over);
  EXPECT_TRUE(end.had_team);
  EXPECT_EQ(4, end.tail.com_ns);
  com.keep();
  EXPECT_FALSE(com.end(timeline, start.get(), true, 12).takes_over);
}

}  // namespace
}  // namespace poprt
