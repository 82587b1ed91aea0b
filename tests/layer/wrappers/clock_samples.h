// Clocks that a test can recognise, and memory for a ring of them.
#ifndef POPRT_TESTS_CLOCK_SAMPLES_H_
#define POPRT_TESTS_CLOCK_SAMPLES_H_

#include <gtest/gtest.h>

#include <algorithm>

#include "wrappers/node/clock_ring.h"
#include "wrappers/node/node_memory.h"

namespace poprt::mpi::test {

inline ClockRing* map_ring(int file, size_t bytes) {
  return static_cast<ClockRing*>(map_shared(file, 0, bytes));
}

inline ClockMessage clocks_of(int64_t value, int count = 1) {
  ClockMessage clocks;
  clocks.count = count;
  clocks.incomplete = 0;
  clocks.reply_tag = static_cast<int32_t>(value % 7);
  for (int i = 0; i < count; ++i) {
    clocks.entries[i] = {static_cast<uint64_t>(i) + 1, value, value + 1,
                         value + 2, value + i};
  }
  return clocks;
}

// Processes may have the same regions in another order.
inline void sort_regions(ClockMessage& clocks) {
  std::sort(clocks.entries, clocks.entries + clocks.count,
            [](const ClockEntry& a, const ClockEntry& b) {
              return a.region < b.region;
            });
}

inline void expect_clocks(const ClockMessage& clocks, int64_t value,
                          int count = 1) {
  ASSERT_EQ(count, clocks.count);
  EXPECT_EQ(value % 7, clocks.reply_tag);
  EXPECT_EQ(0, clocks.incomplete);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(static_cast<uint64_t>(i) + 1, clocks.entries[i].region);
    EXPECT_EQ(value, clocks.entries[i].cue_ns);
    EXPECT_EQ(value + 1, clocks.entries[i].com_ns);
    EXPECT_EQ(value + 2, clocks.entries[i].coo_ns);
    EXPECT_EQ(value + i, clocks.entries[i].all_ns);
  }
}

}  // namespace poprt::mpi::test

#endif  // POPRT_TESTS_CLOCK_SAMPLES_H_
