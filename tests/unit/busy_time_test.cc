#include "devices/busy_time.h"

#include <gtest/gtest.h>

#include "devices/busy_intervals.h"

namespace poprt {
namespace {

TEST(BusyIntervals, AreAUnionInWhateverOrderTheyCome) {
  BusyIntervals intervals;
  ASSERT_TRUE(intervals.has_memory());
  intervals.add(50, 60);
  intervals.add(10, 20);
  intervals.add(30, 40);
  EXPECT_EQ(3, intervals.count());
  intervals.add(20, 25);  // touches
  EXPECT_EQ(3, intervals.count());
  intervals.add(24, 52);  // joins all
  ASSERT_EQ(1, intervals.count());
  EXPECT_EQ(10, intervals.first_after(0)->begin_ns);
  EXPECT_EQ(60, intervals.first_after(0)->end_ns);
  intervals.add(12, 13);  // is inside
  EXPECT_EQ(1, intervals.count());
  EXPECT_EQ(0, intervals.bridged_ns());
}

TEST(BusyIntervals, ForgetWhatEndsAtATimeOrBefore) {
  BusyIntervals intervals;
  intervals.add(10, 20);
  intervals.add(30, 40);
  EXPECT_EQ(10, intervals.first_after(19)->begin_ns);
  EXPECT_EQ(30, intervals.first_after(20)->begin_ns);
  EXPECT_EQ(1, intervals.count());
  EXPECT_EQ(nullptr, intervals.first_after(40));
  intervals.add(5, 6);
  EXPECT_EQ(5, intervals.first_after(0)->begin_ns);
}

// Any number of them, if those at the front are forgotten.
TEST(BusyIntervals, NeedNoGapsWhileTheyAreForgotten) {
  BusyIntervals intervals;
  for (int64_t i = 0; i < 20 * BusyIntervals::kMost; ++i) {
    intervals.add(100 * i, 100 * i + 50);
    intervals.first_after(100 * (i - BusyIntervals::kMost / 2));
    ASSERT_FALSE(intervals.is_full());
  }
  EXPECT_EQ(0, intervals.bridged_ns());
}

// The shortest gaps go first, and all that goes is counted.
TEST(BusyIntervals, LoseTheShortestGapsWhenThereAreTooMany) {
  BusyIntervals intervals;
  int64_t time_ns = 0;
  int64_t busy_ns = 0;
  for (int i = 0; i < BusyIntervals::kMost + 1; ++i) {
    EXPECT_EQ(i == BusyIntervals::kMost, intervals.is_full());
    intervals.add(time_ns, time_ns + 10);
    busy_ns += 10;
    time_ns += 10 + (i % 2 == 0 ? 500 : 100'000);
  }
  EXPECT_EQ(BusyIntervals::kMost / 2 * 500, intervals.bridged_ns());
  EXPECT_EQ(BusyIntervals::kMost / 2 + 1, intervals.count());
  int64_t length_ns = 0;
  int64_t until_ns = 0;
  while (const auto* first = intervals.first_after(until_ns)) {
    length_ns += first->end_ns - first->begin_ns;
    until_ns = first->end_ns;
  }
  EXPECT_EQ(busy_ns + intervals.bridged_ns(), length_ns);
}

TEST(BusyTime, KernelsHideCopiesAndTheseGraphs) {
  BusyTime busy;
  ASSERT_TRUE(busy.has_memory());
  busy.add(Busy::kGraphs, 0, 100);
  busy.add(Busy::kCopies, 20, 60);
  busy.add(Busy::kKernels, 30, 40);
  busy.add(Busy::kKernels, 50, 70);
  struct {
    int64_t end_ns;
    std::optional<Busy> busy;
  } const expected[] = {{20, Busy::kGraphs},  {30, Busy::kCopies},
                        {40, Busy::kKernels}, {50, Busy::kCopies},
                        {70, Busy::kKernels}, {100, Busy::kGraphs},
                        {120, std::nullopt}};
  int64_t from_ns = 0;
  for (const auto& each : expected) {
    const BusyTime::Piece piece = busy.next(from_ns, 120);
    EXPECT_EQ(each.end_ns, piece.end_ns);
    EXPECT_EQ(each.busy, piece.busy);
    from_ns = piece.end_ns;
  }
}

TEST(BusyTime, APieceEndsWhereItIsAskedTo) {
  BusyTime busy;
  busy.add(Busy::kKernels, 0, 100);
  EXPECT_EQ(40, busy.next(10, 40).end_ns);
  EXPECT_EQ(Busy::kKernels, busy.next(40, 90).busy);
}

}  // namespace
}  // namespace poprt
