#include "clocks/clock_entry.h"

#include <gtest/gtest.h>

#include <set>

namespace poprt {
namespace {

constexpr uint64_t kRegion = 0x0123'4567'89AB'CDEF;
constexpr EntryKind kOfOneClock[] = {EntryKind::kCompOfRegion,
                                     EntryKind::kCoowOfRegion,
                                     EntryKind::kAllWithoutRegion};

TEST(ClockEntry, SaysWhatKindItIsAndOfWhichRegion) {
  EXPECT_EQ(EntryKind::kRegionClocks, ClockEntry().kind());
  EXPECT_EQ(EntryKind::kRegionClocks, (ClockEntry{kRegion, 1, 2, 3, 4}).kind());
  for (const EntryKind kind : kOfOneClock) {
    const ClockEntry entry = ClockEntry::of(kind, kRegion, 70);
    EXPECT_EQ(kind, entry.kind());
    EXPECT_FALSE(entry.is_region());
    EXPECT_EQ(kRegion, entry.its_region());
    EXPECT_EQ(70, entry.clock_ns());
  }
}

TEST(ClockEntry, EachKindOfARegionIsAnEntryOfItsOwn) {
  std::set<uint64_t> seen = {kRegion};
  for (const EntryKind kind : kOfOneClock) {
    EXPECT_TRUE(seen.insert(ClockEntry::of(kind, kRegion, 1).region).second);
  }
}

TEST(ClockEntry, RaisingKeepsTheKindAndTheLaterClock) {
  for (const EntryKind kind : kOfOneClock) {
    ClockEntry entry = ClockEntry::of(kind, kRegion, 70);
    entry.raise(ClockEntry::of(kind, kRegion, 90));
    entry.raise(ClockEntry::of(kind, kRegion, 80));
    EXPECT_EQ(ClockEntry::of(kind, kRegion, 90), entry);
  }
}

TEST(PathEntry, ComesBackFromAMessage) {
  for (const int number : {0, 1, PathEntry::kMost - 1}) {
    for (const int64_t rank : {-1, 0, 1, 1'000'000'000}) {
      const PathEntry part = {kRegion, number, 1'000, ~uint64_t{5}, rank, 30};
      const ClockEntry entry = part.entry();
      EXPECT_EQ(EntryKind::kPathPart, entry.kind());
      const PathEntry back = PathEntry::of(entry);
      EXPECT_EQ(kRegion, back.path);
      EXPECT_EQ(number, back.number);
      EXPECT_EQ(1'000, back.all_ns);
      EXPECT_EQ(~uint64_t{5}, back.what);
      EXPECT_EQ(rank, back.rank);
      EXPECT_EQ(30, back.ns);
      ClockEntry twice = entry;
      twice.raise(entry);
      EXPECT_EQ(entry, twice);
    }
  }
}

}  // namespace
}  // namespace poprt
