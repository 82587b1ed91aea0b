// Programs that stand for the helper.
#ifndef POPRT_TESTS_FAKE_HELPER_H_
#define POPRT_TESTS_FAKE_HELPER_H_

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace poprt {

// A shell script that exists as long as this object.
class FakeHelper {
 public:
  explicit FakeHelper(const std::string& script)
      : path_(testing::TempDir() + "poprt-fake-helper." +
              std::to_string(getpid())) {
    std::ofstream(path_) << "#!/bin/sh\n" << script << "\n";
    chmod(path_.c_str(), 0700);
  }
  ~FakeHelper() { unlink(path_.c_str()); }
  FakeHelper(const FakeHelper&) = delete;
  FakeHelper& operator=(const FakeHelper&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace poprt

#endif  // POPRT_TESTS_FAKE_HELPER_H_
