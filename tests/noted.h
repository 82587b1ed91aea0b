// Whether a note was taken (src/model/noted.h).  Each kind of note has a test
// that asks for either: noted.py looks for the names of these two.
#ifndef POPRT_TESTS_NOTED_H_
#define POPRT_TESTS_NOTED_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/noted.h"

#define EXPECT_NOTED(key, notes) EXPECT_TRUE(poprt::test::has_note<key>(notes))
#define EXPECT_NOT_NOTED(key, notes) \
  EXPECT_FALSE(poprt::test::has_note<key>(notes))

namespace poprt::test {

template <Text kKey>
testing::AssertionResult has_note(const std::vector<std::string>& notes) {
  const bool has_one = std::ranges::any_of(notes, is_noted<kKey>);
  return testing::AssertionResult(has_one)
         << kKey.value << " in " << testing::PrintToString(notes);
}

}  // namespace poprt::test

#endif  // POPRT_TESTS_NOTED_H_
