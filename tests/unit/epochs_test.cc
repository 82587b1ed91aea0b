#include "measure/epochs.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

// As at the end of an event that has followed all changes.
void follow(const Epoch& process, SeenEpoch& seen, bool more = false) {
  if (seen.has_changed(process.value())) seen.follow(process.value());
  seen.has_more(more);
}

TEST(Epochs, AnEventIsQuietUntilSomethingChanges) {
  Epoch process;
  SeenEpoch seen(process);
  EXPECT_TRUE(seen.is_quiet_now());
  process.change_window();
  EXPECT_FALSE(seen.is_quiet_now());
  EXPECT_TRUE(seen.is_quiet());  // as of its last event
  EXPECT_TRUE(seen.has_changed(process.value()));
  follow(process, seen);
  EXPECT_TRUE(seen.is_quiet_now());
  process.change_program_region();
  EXPECT_FALSE(seen.is_quiet_now());
}

TEST(Epochs, OfTheProgramAreNoWindows) {
  Epoch process;
  const uint32_t first = process.value();
  process.change_window();
  EXPECT_NE(first, process.value());
  EXPECT_EQ(program_epoch(first), program_epoch(process.value()));
  process.change_program_region();
  EXPECT_NE(program_epoch(first), program_epoch(process.value()));
}

TEST(Epochs, WithMoreToDoNoEventIsQuiet) {
  Epoch process;
  SeenEpoch seen(process);
  follow(process, seen, true);
  EXPECT_FALSE(seen.is_quiet_now());
  EXPECT_FALSE(seen.is_quiet());
  EXPECT_FALSE(seen.has_changed(process.value()));
  process.change_window();
  follow(process, seen, true);
  EXPECT_FALSE(seen.is_quiet_now());
  follow(process, seen);
  EXPECT_TRUE(seen.is_quiet_now());
}

TEST(Epochs, CalledThreadsLookAndNothingHasChanged) {
  Epoch process;
  SeenEpoch seen(process);
  process.change_program_region();
  follow(process, seen);
  const uint32_t before = process.value();
  process.call_threads();
  EXPECT_FALSE(seen.is_quiet_now());
  EXPECT_EQ(before, process.value());
  EXPECT_FALSE(seen.has_changed(process.value()));
  process.change_window();
  EXPECT_TRUE(seen.has_changed(process.value()));
}

TEST(Epochs, AnEarlierEventSeesNoLaterChange) {
  Epoch process;
  SeenEpoch seen(process);
  const uint32_t then = process.value();
  process.change_program_region();
  seen.begin_earlier(then);
  EXPECT_FALSE(seen.has_changed(process.value()));
  seen.end_earlier();
  EXPECT_TRUE(seen.has_changed(process.value()));
  // One of after a change that the thread has not followed yet does.
  seen.begin_earlier(process.value());
  EXPECT_TRUE(seen.has_changed(process.value()));
}

}  // namespace
}  // namespace poprt
