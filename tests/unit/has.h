// EXPECT_HAS(text, part) and EXPECT_LACKS(text, part) say the text if they
// fail.
#ifndef POPRT_TESTS_UNIT_HAS_H_
#define POPRT_TESTS_UNIT_HAS_H_

#include <gtest/gtest.h>

#include <string>

namespace poprt::test {

inline testing::AssertionResult has(const std::string& text,
                                    const std::string& part) {
  if (text.find(part) != std::string::npos) {
    return testing::AssertionSuccess() << "\"" << part << "\" is in: " << text;
  }
  return testing::AssertionFailure()
         << "\"" << part << "\" is not in: " << text;
}

}  // namespace poprt::test

#define EXPECT_HAS(text, part) EXPECT_TRUE(poprt::test::has(text, part))
#define EXPECT_LACKS(text, part) EXPECT_FALSE(poprt::test::has(text, part))

#endif  // POPRT_TESTS_UNIT_HAS_H_
