// An empty folder, which goes away with all that is in it.
#ifndef POPRT_TESTS_UNIT_TEMPORARY_FOLDER_H_
#define POPRT_TESTS_UNIT_TEMPORARY_FOLDER_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace poprt::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "poprtXXXXXX";
    EXPECT_NE(nullptr, mkdtemp(name.data()));
    path_ = std::filesystem::canonical(name);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Without links in it.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_TEMPORARY_FOLDER_H_
