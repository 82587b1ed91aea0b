#include "base/guard.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace poprt {
namespace {

TEST(Guard, WorkThatCompletesIsDone) {
  int done = 0;
  EXPECT_TRUE(completes([](void* data) { ++*static_cast<int*>(data); }, &done));
  EXPECT_EQ(1, done);
}

// A bar of negative width once caused this.
TEST(Guard, WhatTheLibraryThrowsEndsThere) {
  int64_t width = -1;
  EXPECT_FALSE(completes(
      [](void* data) {
        std::string line;
        line.append(static_cast<size_t>(*static_cast<int64_t*>(data)), '#');
      },
      &width));
  EXPECT_FALSE(completes(
      [](void*) {
        const std::vector<int> none;
        std::string text = std::to_string(none.at(5));
      },
      nullptr));
}

TEST(Guard, TellsWhyWorkHasNotBeenDone) {
  int done = 0;
  EXPECT_EQ(Outcome::kDone, outcome_of([&] { ++done; }));
  EXPECT_EQ(1, done);
  EXPECT_EQ(Outcome::kError, outcome_of([] {
              const std::vector<int> none;
              std::string text = std::to_string(none.at(5));
            }));
  EXPECT_EQ(Outcome::kNoMemory, outcome_of([] { run_out_of_memory(); }));
  // In both cases the outer work goes on.
  bool behind = false;
  EXPECT_EQ(Outcome::kDone, outcome_of([&] {
              (void)outcome_of([] { run_out_of_memory(); });
              (void)outcome_of([] {
                const std::vector<int> none;
                std::string text = std::to_string(none.at(5));
              });
              behind = true;
            }));
  EXPECT_TRUE(behind);
}

}  // namespace
}  // namespace poprt
