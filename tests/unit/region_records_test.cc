#include "measure/region_records.h"

#include <gtest/gtest.h>

#include <set>

namespace poprt {
namespace {

void set_open(RegionRecords& records, int slot, bool open) {
  records.at(slot).open.store(open);
  if (!open) records.note_change(records.at(slot));
  records.split_anew(!open);
}

std::set<const RegionRecord*> running(RegionRecords& records) {
  std::set<const RegionRecord*> all;
  records.for_each_running([&](int place, RegionRecord& r) {
    EXPECT_EQ(&r, records.find(records.split().running.slot(place)));
    all.insert(&r);
  });
  return all;
}

TEST(RegionRecords, StayWhereTheyAre) {
  RegionRecords records;
  EXPECT_EQ(nullptr, records.find(0));
  records.need(1);
  const RegionRecord* const first = records.find(0);
  records.need(100);
  EXPECT_EQ(100, records.count());
  EXPECT_EQ(first, records.find(0));
  EXPECT_EQ(nullptr, records.find(100));
  records.need(3);
  EXPECT_EQ(100, records.count());
  int next = 0;
  records.for_each(100, [&](int slot, const RegionRecord& r) {
    EXPECT_EQ(next++, slot);
    EXPECT_EQ(records.find(slot), &r);
  });
  EXPECT_EQ(100, next);
}

TEST(RegionRecords, AFewAllRun) {
  RegionRecords records;
  for (int count = 1; count <= kAlwaysRunning; ++count) {
    records.need(count);
    EXPECT_EQ(count, records.quick_count());
    EXPECT_EQ(static_cast<size_t>(count), running(records).size());
    EXPECT_EQ(RegionSplit::kNothing, records.split().resting);
  }
}

TEST(RegionRecords, OfManyThoseThatAreOpenRun) {
  RegionRecords records;
  records.need(9);
  // Nothing runs: there is nothing to be quick with.
  EXPECT_EQ(0, records.quick_count());
  for (const int slot : {0, 8, 4, 6}) set_open(records, slot, true);
  EXPECT_EQ(9, records.quick_count());
  EXPECT_EQ((std::set<const RegionRecord*>{records.find(0), records.find(8),
                                           records.find(4), records.find(6)}),
            running(records));
  // More than an object has room for.
  set_open(records, 2, true);
  EXPECT_EQ(0, records.quick_count());
  EXPECT_EQ(RegionList::none_like_it(), records.split().running);
  set_open(records, 4, false);
  EXPECT_EQ(9, records.quick_count());
  records.never_split();
  set_open(records, 2, false);
  EXPECT_EQ(0, records.quick_count());
}

TEST(RegionRecords, EachChangeOfWhatRestsHasANumberThatNobodyElseGives) {
  RegionRecords one;
  RegionRecords other;
  std::set<uint64_t> seen;
  for (RegionRecords* const records : {&one, &other}) {
    records->need(5);
    set_open(*records, 0, true);
    EXPECT_TRUE(seen.insert(records->split().resting).second);
    set_open(*records, 1, true);  // what rests else is the same
    EXPECT_FALSE(seen.insert(records->split().resting).second);
    set_open(*records, 1, false);
    EXPECT_TRUE(seen.insert(records->split().resting).second);
    records->note_later(records->at(3), {0, 1, 0, 0, 0});
    EXPECT_TRUE(seen.insert(records->split().resting).second);
    EXPECT_EQ(records->changes(), records->at(3).changed);
    records->note_later(records->at(3), {0, 0, 0, 0, 0});  // is not later
    EXPECT_FALSE(seen.insert(records->split().resting).second);
  }
}

// While there is no quick way nobody notes which records change.
TEST(RegionRecords, AllHaveChangedWhenTheQuickWayBegins) {
  RegionRecords records;
  records.need(5);
  set_open(records, 0, true);
  set_open(records, 0, false);
  ASSERT_EQ(0, records.quick_count());
  const uint64_t before = records.changes();
  set_open(records, 1, true);
  ASSERT_EQ(5, records.quick_count());
  records.for_each(5, [&](int slot, const RegionRecord& r) {
    EXPECT_LT(before, r.changed) << slot;
    EXPECT_EQ(records.changes(), r.changed) << slot;
  });
}

TEST(RegionRecords, WhoMergesTheSameAgreesOnItsNumber) {
  RegionRecords giver;
  RegionRecords taker;
  for (RegionRecords* const records : {&giver, &taker}) {
    records->need(5);
    set_open(*records, 0, true);
  }
  giver.at(3).clock[kGlobalAll].set(70);
  giver.note_later(giver.at(3), {0, 0, 0, 0, 71});
  SyncClock sync;
  SyncClock::Storing storing(sync, giver.split());
  giver.for_each(5, [&](int slot, const RegionRecord& r) {
    storing.store(slot, r.clocks({}));
  });
  storing.publish(5);

  taker.merge(sync, 5, {});
  EXPECT_EQ(70, taker.at(3).clock[kGlobalAll].get());
  EXPECT_EQ(taker.changes(), taker.at(3).changed);
  EXPECT_EQ(giver.split().resting, taker.split().resting);
  EXPECT_TRUE(sync.is_split(taker.split()));
}

TEST(RegionRecords, WhoHasSomethingLaterDoesNotAgree) {
  RegionRecords giver;
  RegionRecords taker;
  // The giver's number is the larger one, which both would take.
  for (RegionRecords* const records : {&taker, &giver}) {
    records->need(5);
    set_open(*records, 0, true);
  }
  taker.at(2).clock[kGlobalCoo].set(1);
  SyncClock sync;
  const auto give = [&] {
    SyncClock::Storing storing(sync, giver.split());
    giver.for_each(5, [&](int slot, const RegionRecord& r) {
      storing.store(slot, r.clocks({}));
    });
    storing.publish(5);
  };
  give();
  const uint64_t before = taker.split().resting;
  taker.merge(sync, 5, {});
  EXPECT_EQ(before, taker.split().resting);
  EXPECT_EQ(1, taker.at(2).clock[kGlobalCoo].get());

  // Then it has what neither had before.
  giver.note_later(giver.at(3), {0, 0, 0, 0, 7});
  giver.at(3).clock[kGlobalAll].set(7);
  give();
  taker.merge(sync, 5, {});
  EXPECT_EQ(7, taker.at(3).clock[kGlobalAll].get());
  EXPECT_NE(before, taker.split().resting);
  EXPECT_NE(giver.split().resting, taker.split().resting);
}

}  // namespace
}  // namespace poprt
