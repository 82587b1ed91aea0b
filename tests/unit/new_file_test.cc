#include "base/new_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/stream.h"
#include "unit/temporary_folder.h"

namespace {
bool g_answer_is_lost = false;
}

// Replaces the C library's link(). It behaves as on NFS when the answer to the
// first of two requests was lost: the link is made, but the repeated request
// fails.
extern "C" int link(const char* from, const char* to) {
  const int result = linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
  if (!g_answer_is_lost || result != 0) return result;
  errno = EEXIST;
  return -1;
}

namespace poprt {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Each test has an empty folder of its own.
class NewFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const {
    return folder_ + "/" + name;
  }

  // All files, those with a dot too, without the folder.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_directory()) continue;
      names.push_back(entry.path().string().substr(folder_.size() + 1));
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  const test::TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

using Names = std::vector<std::string>;

TEST(NumberedPath, PutsTheNumberBeforeTheEnding) {
  EXPECT_EQ("a.2.poprt.json", numbered_path("a.poprt.json", 2));
  EXPECT_EQ("d.json/a.3.json", numbered_path("d.json/a.json", 3));
  EXPECT_EQ("a-4x4.2.txt", numbered_path("a-4x4.txt", 2));
  EXPECT_EQ("a.2", numbered_path("a", 2));
  EXPECT_EQ("d.json/a.2", numbered_path("d.json/a", 2));
  EXPECT_EQ("d/.a.2", numbered_path("d/.a", 2));
}

TEST_F(NewFile, IsWrittenAndNothingElseIs) {
  EXPECT_EQ(path("a.json"), write_new_file(path("a.json"), "text"));
  EXPECT_EQ("text", content_of(path("a.json")));
  EXPECT_EQ(Names{"a.json"}, files());
}

TEST_F(NewFile, HasThePermissionsOfAnyNewFile) {
  const mode_t mask = umask(027);
  write_new_file(path("a.json"), "text");
  umask(mask);
  struct stat facts;
  ASSERT_EQ(0, stat(path("a.json").c_str(), &facts));
  EXPECT_EQ(0640u, facts.st_mode & 0777u);
}

TEST_F(NewFile, HasItsFoldersMade) {
  EXPECT_EQ(path("x/y/a.json"), write_new_file(path("x/y/a.json"), "text"));
  EXPECT_EQ("text", content_of(path("x/y/a.json")));
}

TEST_F(NewFile, TakesANumberWhereItsNameIsTaken) {
  std::ofstream(path("a.poprt.json")) << "precious";
  ASSERT_EQ(0, symlink("nowhere", path("a.2.poprt.json").c_str()));
  EXPECT_EQ(path("a.3.poprt.json"),
            write_new_file(path("a.poprt.json"), "text"));
  EXPECT_EQ("precious", content_of(path("a.poprt.json")));
  EXPECT_EQ("text", content_of(path("a.3.poprt.json")));
}

TEST_F(NewFile, HasItsNameAlsoWhereTheAnswerWasLost) {
  std::ofstream(path("taken.json")) << "precious";
  g_answer_is_lost = true;
  EXPECT_EQ(path("a.json"), write_new_file(path("a.json"), "text"));
  EXPECT_EQ(path("taken.2.json"), write_new_file(path("taken.json"), "text"));
  g_answer_is_lost = false;
  EXPECT_EQ("precious", content_of(path("taken.json")));
  EXPECT_EQ((Names{"a.json", "taken.2.json", "taken.json"}), files());
}

TEST_F(NewFile, HasANameOfItsOwnWhoeverWritesAtTheSameTime) {
  constexpr int kWriters = 8;
  std::vector<std::string> names(kWriters);
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      names[static_cast<size_t>(i)] = write_new_file(
          path("a.json"), std::string(10000, static_cast<char>('a' + i)));
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (int i = 0; i < kWriters; ++i) {
    EXPECT_EQ(std::string(10000, static_cast<char>('a' + i)),
              content_of(names[static_cast<size_t>(i)]));
  }
  EXPECT_EQ(size_t{kWriters}, files().size());
}

TEST_F(NewFile, MayHaveTheLongestName) {
  const std::string name(255, 'a');
  EXPECT_EQ(path(name), write_new_file(path(name), "text"));
}

TEST_F(NewFile, IsNotThereIfItCannotBeWrittenToItsEnd) {
  struct rlimit old;
  ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &old));
  struct rlimit small = old;
  small.rlim_cur = 1000;
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &small));
  const std::string written =
      write_new_file(path("a.json"), std::string(5000, 'x'));
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ("", written);
  EXPECT_EQ(EFBIG, error);
  EXPECT_EQ(Names{}, files());
}

// What is meant for a file must not go into somebody else's pipe or link.
TEST_F(NewFile, IsNoPipeAndNoLinkThatIsThere) {
  ASSERT_EQ(0, mkfifo(path("a.json").c_str(), 0600));
  const int reader = open(path("a.json").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_EQ(0, symlink(path("b").c_str(), path("a.2.json").c_str()));
  EXPECT_EQ(path("a.3.json"), write_new_file(path("a.json"), "text"));
  char byte;
  EXPECT_EQ(0, read(reader, &byte, 1));
  close(reader);
  EXPECT_EQ((Names{"a.2.json", "a.3.json", "a.json"}), files());
}

TEST_F(NewFile, CanBeWrittenAnew) {
  const std::string name = write_new_file(path("a.json"), "text");
  EXPECT_TRUE(rewrite_file(name, "other"));
  EXPECT_EQ("other", content_of(name));
  EXPECT_EQ(Names{"a.json"}, files());
}

TEST(Stream, MayBeADevice) {
  EXPECT_TRUE(write_to_stream("/dev/null", "text", 0));
  EXPECT_TRUE(is_stream("/dev/null"));
}

TEST_F(NewFile, MayBeAnOpenFileAndGoesOnBehindWhatIsThere) {
  const int file = open(path("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(7, write(file, "before ", 7));
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const std::string name = folder + std::to_string(file);
    EXPECT_TRUE(is_stream(name));
    EXPECT_TRUE(write_to_stream(name, "text ", 0));
  }
  ASSERT_EQ(5, write(file, "after", 5));
  close(file);
  EXPECT_EQ("before text text after", content_of(path("log")));
  EXPECT_EQ(Names{"log"}, files());
  EXPECT_TRUE(is_stream("/dev/stdout"));
  EXPECT_TRUE(is_stream("/dev/stderr"));
}

TEST_F(NewFile, OfNoOpenFileIsRefused) {
  EXPECT_FALSE(write_to_stream("/dev/fd/999", "text", 0));
  EXPECT_EQ(EBADF, errno);
  EXPECT_FALSE(write_to_stream("/dev/fd/1x", "text", 0));
}

// Whether the descriptor blocks or not: a program may have set O_NONBLOCK.
TEST(Stream, MayBeAFullPipeThatIsRead) {
  for (const int flags : {0, O_NONBLOCK}) {
    int pipe[2];
    ASSERT_EQ(0, pipe2(pipe, flags));
    const std::string text(1 << 20, 'x');  // more than any pipe takes at once
    bool written = false;
    std::thread writer([&] {
      written =
          write_to_stream("/dev/fd/" + std::to_string(pipe[1]), text, kForever);
      close(pipe[1]);
    });
    size_t count = 0;
    char buffer[4096];
    fcntl(pipe[0], F_SETFL, 0);
    for (ssize_t n; (n = read(pipe[0], buffer, sizeof buffer)) > 0;) {
      count += static_cast<size_t>(n);
    }
    writer.join();
    close(pipe[0]);
    EXPECT_EQ(text.size(), count);
    EXPECT_TRUE(written);
  }
}

// Writes to a full pipe and a full socket, with no time to wait.
TEST(Stream, ThatIsFullIsNotWaitedFor) {
  const std::string text(1 << 20, 'x');
  for (const int flags : {0, O_NONBLOCK}) {
    int pipe[2];
    ASSERT_EQ(0, pipe2(pipe, flags));
    int64_t patience_ns = 0;
    EXPECT_LT(0u, write_stream(pipe[1], text, &patience_ns));
    EXPECT_EQ(ETIMEDOUT, errno);
    EXPECT_EQ(0u, write_stream(pipe[1], text, &patience_ns));
    EXPECT_EQ(ETIMEDOUT, errno);
    EXPECT_EQ(flags, fcntl(pipe[1], F_GETFL) & O_NONBLOCK);
    close(pipe[0]);
    close(pipe[1]);
    int socket[2];
    ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | flags, 0, socket));
    EXPECT_LT(0u, write_stream(socket[1], text, &patience_ns));
    EXPECT_EQ(ETIMEDOUT, errno);
    close(socket[0]);
    EXPECT_EQ(0u, write_stream(socket[1], text, &patience_ns));
    EXPECT_EQ(EPIPE, errno);
    close(socket[1]);
  }
}

// The time to wait is a budget for all that is written.
TEST(Stream, IsWaitedForAsLongAsPatienceLasts) {
  int pipe[2];
  ASSERT_EQ(0, pipe2(pipe, 0));
  int64_t patience_ns = 2'000'000;
  write_stream(pipe[1], std::string(1 << 20, 'x'), &patience_ns);
  EXPECT_EQ(ETIMEDOUT, errno);
  EXPECT_GE(0, patience_ns);
  close(pipe[0]);
  close(pipe[1]);
}

TEST(Stream, OfAPipeThatNobodyReadsAnyMoreIsRefused) {
  int pipe[2];
  ASSERT_EQ(0, ::pipe(pipe));
  close(pipe[0]);
  EXPECT_FALSE(
      write_to_stream("/dev/fd/" + std::to_string(pipe[1]), "text", 0));
  EXPECT_EQ(EPIPE, errno);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(0, sigismember(&pending, SIGPIPE));
  // The program's handling of the signal is unchanged.
  EXPECT_EXIT(write(pipe[1], "x", 1), testing::KilledBySignal(SIGPIPE), "");
  close(pipe[1]);
}

TEST_F(NewFile, OfAPipeWithoutAReaderIsRefused) {
  ASSERT_EQ(0, mkfifo(path("pipe").c_str(), 0600));
  EXPECT_FALSE(write_to_stream(path("pipe"), "text", 0));
  EXPECT_EQ(ENXIO, errno);
}

// A log that has reached the largest size of a file takes what fits.
TEST_F(NewFile, BeyondTheLargestSizeIsNotWrittenAndNoSignalComes) {
  struct rlimit old;
  ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &old));
  struct rlimit small = old;
  small.rlim_cur = 1000;
  const int file = open(path("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &small));
  int64_t patience_ns = 0;
  const size_t written =
      write_stream(file, std::string(5000, 'x'), &patience_ns);
  const int error = errno;
  const std::string name =
      write_new_file(path("a.json"), std::string(5000, 'x'));
  const int error_of_file = errno;
  setrlimit(RLIMIT_FSIZE, &old);
  close(file);
  EXPECT_EQ(1000u, written);
  EXPECT_EQ(EFBIG, error);
  EXPECT_EQ("", name);
  EXPECT_EQ(EFBIG, error_of_file);
  EXPECT_EQ(Names{"log"}, files());
}

TEST_F(NewFile, GoesIntoAFolderOfOurOwnWhereAnybodyMayWrite) {
  const std::string own = path("poprt-" + std::to_string(geteuid()));
  EXPECT_EQ(folder_, safe_folder(folder_));
  ASSERT_EQ(0, chmod(folder_.c_str(), 01777));
  EXPECT_EQ(own, safe_folder(folder_));
  struct stat facts;
  ASSERT_EQ(0, stat(own.c_str(), &facts));
  EXPECT_EQ(0700u, facts.st_mode & 0777u);
  EXPECT_EQ(own, safe_folder(folder_)) << "the second time";
  const SavedFile saved =
      save_file("/dev/null/a.json", "text", {path("not there"), folder_});
  EXPECT_EQ(own + "/a.json", saved.path);
  EXPECT_FALSE(fs::exists(path("not there")));

  // Somebody else has made it.
  fs::remove_all(own);
  fs::create_directory(path("theirs"));
  fs::create_directory_symlink(path("theirs"), own);
  const std::string other = safe_folder(folder_);
  EXPECT_EQ(own + "-", other.substr(0, own.size() + 1));
  ASSERT_EQ(0, stat(other.c_str(), &facts));
  EXPECT_EQ(0700u, facts.st_mode & 0777u);
}

TEST_F(NewFile, IsSavedWhereItShouldBeWithoutAWord) {
  const SavedFile saved = save_file(path("a.json"), "text", {"/nowhere"});
  EXPECT_EQ(path("a.json"), saved.path);
  EXPECT_EQ("", saved.complaint);
}

TEST_F(NewFile, IsSavedInTheFirstFolderThatTakesIt) {
  std::ofstream(path("a.json")) << "precious";
  const SavedFile saved =
      save_file("/dev/null/a.json", "text", {"/proc", folder_, path("other")});
  EXPECT_EQ(path("a.2.json"), saved.path);
  EXPECT_EQ(
      "cannot write /dev/null/a.json (Not a directory); the run file is " +
          path("a.2.json"),
      saved.complaint);
  EXPECT_EQ("text", content_of(path("a.2.json")));
}

TEST_F(NewFile, ThatNobodyTakesIsSaidInOneLine) {
  const SavedFile saved =
      save_file("/dev/null/a.json", "text", {"/proc", "/dev/zero"});
  EXPECT_EQ("", saved.path);
  EXPECT_EQ(
      "cannot write /dev/null/a.json (Not a directory), nor a file in /proc, "
      "/dev/zero; no run file",
      saved.complaint);
}

}  // namespace
}  // namespace poprt
