#include "devices/pending_launches.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace poprt {
namespace {

Launch launch_of(uint64_t id, int64_t time_ns, uint64_t stream = 0) {
  Launch launch;
  launch.id = id;
  launch.stream = stream;
  launch.time_ns = time_ns;
  return launch;
}

TEST(PendingLaunches, TheOldestIsKnownInWhateverOrderTheyEnd) {
  PendingLaunches pending;
  ASSERT_TRUE(pending.has_memory());
  EXPECT_EQ(PendingLaunches::kNone, pending.oldest_ns());
  for (uint64_t id = 1; id <= 4; ++id) {
    EXPECT_TRUE(pending.add(launch_of(id, 10 * static_cast<int64_t>(id)), 7));
  }
  // Another thread was later to tell.
  EXPECT_TRUE(pending.add(launch_of(5, 15), 8));
  EXPECT_EQ(10, pending.oldest_ns());
  pending.remove(pending.find(2));
  EXPECT_EQ(10, pending.oldest_ns());
  pending.remove(pending.find(1));
  EXPECT_EQ(15, pending.oldest_ns());
  EXPECT_EQ(8, pending.find(5)->set);
  pending.remove(pending.find(5));
  EXPECT_EQ(30, pending.oldest_ns());
  EXPECT_EQ(nullptr, pending.find(1));
  EXPECT_EQ(2, pending.count());
}

TEST(PendingLaunches, AreFoundAmongMany) {
  PendingLaunches pending;
  std::mt19937_64 random(1);
  std::set<uint64_t> known;
  for (int i = 0; i < 50'000; ++i) {
    const uint64_t id = random() % 5000 * 64;
    PendingLaunches::Entry* const entry = pending.find(id);
    ASSERT_EQ(known.contains(id), entry != nullptr) << id;
    if (entry != nullptr) {
      ASSERT_EQ(id, entry->launch.id);
      pending.remove(entry);
      known.erase(id);
    } else if (pending.count() < PendingLaunches::kMost) {
      ASSERT_TRUE(pending.add(launch_of(id, i), 0));
      known.insert(id);
    }
  }
  EXPECT_EQ(static_cast<int>(known.size()), pending.count());
}

TEST(PendingLaunches, OfOneStreamAreOverUntilATime) {
  PendingLaunches pending;
  for (uint64_t id = 1; id <= 6; ++id) {
    pending.add(launch_of(id, static_cast<int64_t>(id), id % 2), 0);
  }
  std::vector<uint64_t> over;
  const auto note = [&over](const PendingLaunches::Entry& entry) {
    over.push_back(entry.launch.id);
  };
  const uint64_t stream = 1;
  pending.remove_until(&stream, 4, note);
  EXPECT_EQ((std::vector<uint64_t>{1, 3}), over);
  EXPECT_EQ(2, pending.oldest_ns());
  pending.remove_until(nullptr, PendingLaunches::kNone, note);
  EXPECT_EQ((std::vector<uint64_t>{1, 3, 2, 4, 5, 6}), over);
  EXPECT_EQ(0, pending.count());
}

// Nothing behind the first of them is final while they are pending.
TEST(PendingLaunches, BeyondTheBoundAreCounted) {
  PendingLaunches pending;
  for (uint64_t id = 0; id < PendingLaunches::kMost; ++id) {
    ASSERT_TRUE(pending.add(launch_of(id, static_cast<int64_t>(id)), 0));
  }
  EXPECT_FALSE(pending.add(launch_of(100'000, 70'000), 0));
  EXPECT_FALSE(pending.add(launch_of(100'001, 80'000), 0));
  EXPECT_EQ(nullptr, pending.find(100'000));
  pending.remove_until(nullptr, 60'000, [](const auto&) {});
  EXPECT_EQ(70'000, pending.oldest_ns());
  pending.remove_unknown();
  EXPECT_EQ(70'000, pending.oldest_ns());
  pending.remove_unknown();
  EXPECT_EQ(PendingLaunches::kNone, pending.oldest_ns());
  pending.remove_unknown();  // of an operation that was never announced
  EXPECT_EQ(0, pending.beyond());
}

}  // namespace
}  // namespace poprt
