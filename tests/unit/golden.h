// Texts that are compared byte for byte with a file of tests/golden.
#ifndef POPRT_TESTS_UNIT_GOLDEN_H_
#define POPRT_TESTS_UNIT_GOLDEN_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace poprt::test {

inline std::string golden_text(const std::string& name) {
  std::ifstream file(POPRT_SOURCE_DIR "/tests/golden/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Where they differ, tells where to find what was written instead.
inline void expect_golden(const std::string& name, const std::string& text) {
  if (golden_text(name) == text) return;
  const std::string actual =
      testing::TempDir() + std::filesystem::path(name).filename().string();
  std::ofstream(actual) << text;
  ADD_FAILURE() << "compare tests/golden/" << name << " with " << actual
                << ":\n"
                << text;
}

// The same for a text that contains the version between these words; in the
// golden files it is always 0.1.0.
inline void expect_golden_of_version(const std::string& name, std::string text,
                                     const std::string& before,
                                     const std::string& after) {
  const std::string version = before + POPRT_VERSION + after;
  const size_t place = text.find(version);
  ASSERT_NE(std::string::npos, place) << text;
  text.replace(place, version.size(), before + "0.1.0" + after);
  expect_golden(name, text);
}

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_GOLDEN_H_
