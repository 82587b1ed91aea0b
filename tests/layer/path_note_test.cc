#include "clocks/path_note.h"

#include <gtest/gtest.h>

#include "measure/thread_path.h"

namespace poprt {
namespace {

constexpr uint64_t kRegion = 7;
constexpr int64_t kNothing[PathNote::kMostWithout] = {};

TEST(PathNote, BoundedPartsAddUp) {
  PathNote note;
  for (int64_t rank = 0; rank < 200; ++rank) {
    note.add(kRegion, rank, 10 + rank);
    note.all_ns += 10 + rank;
  }
  EXPECT_LE(note.count, PathNote::kMostParts);
  EXPECT_EQ(note.all_ns, note.sum_ns());
  // The largest one keeps its rank, the others are stated as a sum.
  ASSERT_NE(nullptr, note.find(kRegion, 199));
  EXPECT_EQ(209, note.find(kRegion, 199)->ns);
  ASSERT_NE(nullptr, note.find(kRegion, PathPart::kAnyRank));
}

TEST(PathNote, RegionsLoseTheirNamesLast) {
  PathNote note;
  for (uint64_t region = 1; region <= 100; ++region) {
    note.add(region, 0, static_cast<int64_t>(region));
  }
  EXPECT_LE(note.count, PathNote::kMostParts);
  EXPECT_EQ(100 * 101 / 2, note.sum_ns());
  EXPECT_NE(nullptr, note.find(100, PathPart::kAnyRank) == nullptr
                         ? note.find(100, 0)
                         : note.find(100, PathPart::kAnyRank));
  EXPECT_NE(nullptr, note.find(kPathOthers, PathPart::kAnyRank));
}

TEST(PathNote, WhatIsTakenAwayMakesNoPartNegative) {
  PathNote note;
  note.add(kRegion, 0, 70);
  note.add(kRegion, 1, 50);
  note.add(kPathMpi, 0, 30);
  note.add(kPathMpi, 0, -10);
  EXPECT_EQ(20, note.find(kPathMpi, 0)->ns);
  note.add(kPathMpi, 0, -25);
  EXPECT_EQ(0, note.find(kPathMpi, 0)->ns);
  EXPECT_EQ(65, note.find(kRegion, 0)->ns);
  note.add(kPathOthers, PathPart::kAnyRank, -70);
  EXPECT_EQ(nullptr, note.find(kPathOthers, PathPart::kAnyRank));
  EXPECT_EQ(0, note.find(kRegion, 0)->ns);
  EXPECT_EQ(45, note.find(kRegion, 1)->ns);
  EXPECT_EQ(45, note.sum_ns());
}

// Puts the note of a process into a message beside its clocks.
ClockMessage message_of(const PathNote& note, const uint64_t* keys,
                        int without) {
  ClockMessage message;
  message.entries[0] = {kGlobalKey, 0, 0, 0, note.all_ns};
  message.count = append_to(note, keys, without, message.entries, 1,
                            ClockMessage::kCapacity, &message.incomplete);
  return message;
}

TEST(PathNote, OfSeveralMessagesTheLongestPathIsKept) {
  const uint64_t keys[] = {kRegion};
  PathNote a;
  a.all_ns = 100;
  a.add(kRegion, 0, 70);
  a.add(kPathMpi, 0, 30);
  a.without_ns[0] = 30;
  PathNote b;
  b.all_ns = 110;
  b.add(kGlobalKey, 1, 110);
  b.without_ns[0] = 20;
  for (const bool first : {false, true}) {
    ClockMessage merged = message_of(first ? a : b, keys, 1);
    merge(merged, message_of(first ? b : a, keys, 1), ClockMessage::kCapacity);
    PathNote note;
    read_from(merged, keys, 1, &note);
    EXPECT_EQ(110, note.all_ns);
    EXPECT_EQ(1, note.count);
    ASSERT_NE(nullptr, note.find(kGlobalKey, 1));
    EXPECT_EQ(110, note.find(kGlobalKey, 1)->ns);
    EXPECT_EQ(30, note.without_ns[0]);  // each for itself
  }
}

TEST(PathNote, RanksOfPartsTravel) {
  PathNote a;
  for (int64_t rank = PathPart::kAnyRank; rank < 30; ++rank) {
    a.add(kRegion, rank, 1 + rank * rank);
  }
  a.all_ns = a.sum_ns();
  PathNote b;
  read_from(message_of(a, nullptr, 0), nullptr, 0, &b);
  EXPECT_EQ(a.count, b.count);
  for (int i = 0; i < a.count; ++i) {
    const PathPart* const part = b.find(kRegion, a.parts[i].rank);
    ASSERT_NE(nullptr, part);
    EXPECT_EQ(a.parts[i].ns, part->ns);
  }
}

TEST(PathNote, AShortMessageHasNoPartsAndSaysSo) {
  PathNote note;
  note.all_ns = 5;
  note.add(kRegion, 0, 5);
  ClockMessage message;
  const int stored =
      append_to(note, nullptr, 0, message.entries, 1, 5, &message.incomplete);
  EXPECT_EQ(1, stored);
  EXPECT_EQ(1, message.incomplete);
}

// Of two barriers, and the way between them.
TEST(ThreadPath, TimeInOpenMpIsThatOfTheConstruct) {
  constexpr uint64_t kFirst = 100;
  constexpr uint64_t kSecond = 101;
  ThreadPath path(true, 1);
  path.pass(5, kNothing, false);
  path.add(kRegion, 0, 5);
  path.given();
  path.set_construct(kFirst);
  path.pass(10, kNothing, true);
  path.add_openmp(0, 10);
  path.set_construct(kSecond);
  path.pass(20, kNothing, true);
  path.add_openmp(0, 20);
  EXPECT_EQ(10, path.note().find(kFirst, 0)->ns);
  EXPECT_EQ(20, path.note().find(kSecond, 0)->ns);
  // All of that was waiting.
  PathNote note = path.before_wait(0);
  EXPECT_EQ(5, note.sum_ns());
  EXPECT_EQ(0, note.find(kFirst, 0)->ns);
  EXPECT_EQ(0, note.find(kSecond, 0)->ns);
  // Only until the partner came.
  PathNote partner;
  partner.all_ns = 32;
  partner.add(kGlobalKey, 1, 32);
  path.merge(partner, 0);
  EXPECT_EQ(nullptr, path.note().find(kFirst, 0));
  EXPECT_EQ(3, path.note().find(kSecond, 0)->ns);
  EXPECT_EQ(35, path.note().sum_ns());
  note = path.before_wait(0);
  EXPECT_EQ(32, note.all_ns);
  EXPECT_EQ(32, note.sum_ns());
  EXPECT_EQ(0, note.find(kSecond, 0)->ns);
}

TEST(ThreadPath, ManyConstructsInOneWaitAddUp) {
  ThreadPath path(true, 1);
  path.given();
  for (uint64_t construct = 100; construct < 120; ++construct) {
    path.set_construct(construct);
    path.pass(10, kNothing, true);
    path.add_openmp(0, 10);
  }
  EXPECT_EQ(200, path.note().sum_ns());
  EXPECT_EQ(10, path.note().find(100, 0)->ns);
  EXPECT_LT(0, path.note().find(kPathOpenMp, 0)->ns);
  const PathNote note = path.before_wait(0);
  EXPECT_EQ(0, note.all_ns);
  for (int i = 0; i < note.count; ++i) EXPECT_EQ(0, note.parts[i].ns);
}

TEST(ThreadPath, PollsWeighWhenTheyTurnOutNotToHaveWaited) {
  ThreadPath path(false, 1);
  path.pass(4, kNothing, false);
  path.polled(4, 0);
  EXPECT_EQ(0, path.note().without_ns[0]);
  path.settle_polls(3, 1, 0);
  EXPECT_EQ(1, path.note().without_ns[0]);
}

TEST(ThreadPath, ALateClockCountsForTheEndOfItsCall) {
  ThreadPath path(true, 1);
  path.pass(10, kNothing, false);  // in MPI
  path.add(kPathMpi, 0, 10);
  const auto then = path.moment();
  path.pass(6, kNothing, false);
  path.add(kRegion, 0, 6);
  PathNote late;
  late.all_ns = 8;
  late.add(kGlobalKey, 1, 8);
  late.without_ns[0] = 5;
  path.merge_late(late, *then, 10, 0);
  EXPECT_EQ(16, path.note().all_ns);
  EXPECT_EQ(16, path.note().sum_ns());
  EXPECT_EQ(8, path.note().find(kGlobalKey, 1)->ns);
  EXPECT_EQ(6, path.note().find(kRegion, 0)->ns);
  EXPECT_EQ(2, path.note().find(kPathMpi, 0)->ns);
  EXPECT_EQ(5 + 2 + 6, path.note().without_ns[0]);
}

}  // namespace
}  // namespace poprt
