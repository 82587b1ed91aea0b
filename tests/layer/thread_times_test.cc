// What the kernel says of the threads of a process.
#include "modules/cores/thread_times.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace poprt::modules::cores {
namespace {

TEST(ThreadTimes, AreReadFromTheKernelsText) {
  const ThreadTimes times = parse_schedstat("123 45 6\n");
  EXPECT_EQ(123, times.on_core_ns);
  EXPECT_EQ(45, times.waiting_ns);
  for (const char* const text : {"", "x", "12", "12 ", "12 y", "-1 2 3"}) {
    EXPECT_EQ(0, parse_schedstat(text).on_core_ns) << text;
    EXPECT_EQ(0, parse_schedstat(text).waiting_ns) << text;
  }
}

TEST(ThreadTimes, HaveThisThread) {
  const auto threads = thread_times();
  ASSERT_EQ(1u, threads.count(getpid()));
}

}  // namespace
}  // namespace poprt::modules::cores
