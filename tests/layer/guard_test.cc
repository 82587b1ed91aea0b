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

// As a bar of negative width once was.
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

}  // namespace
}  // namespace poprt
