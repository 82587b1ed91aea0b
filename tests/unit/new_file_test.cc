#include "runtime/new_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
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

namespace {
bool g_answer_is_lost = false;
}

// In the place of the C library's: as NFS has it when the answer to the first
// of two requests was lost.
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
  void SetUp() override {
    std::string name = testing::TempDir() + "poprt-new-file-XXXXXX";
    ASSERT_NE(nullptr, mkdtemp(name.data()));
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

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

  std::string folder_;
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
  signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &small));
  const std::string written =
      write_new_file(path("a.json"), std::string(5000, 'x'));
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ("", written);
  EXPECT_EQ(EFBIG, error);
  EXPECT_EQ(Names{}, files());
}

TEST_F(NewFile, MayBeADevice) {
  EXPECT_EQ("/dev/null", write_new_file("/dev/null", "text"));
  EXPECT_TRUE(is_stream("/dev/null"));
}

TEST_F(NewFile, MayBeAnOpenFileAndGoesOnBehindWhatIsThere) {
  const int file = open(path("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(7, write(file, "before ", 7));
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const std::string name = folder + std::to_string(file);
    EXPECT_TRUE(is_stream(name));
    EXPECT_EQ(name, write_new_file(name, "text "));
  }
  ASSERT_EQ(5, write(file, "after", 5));
  close(file);
  EXPECT_EQ("before text text after", content_of(path("log")));
  EXPECT_EQ(Names{"log"}, files());
  EXPECT_TRUE(is_stream("/dev/stdout"));
  EXPECT_TRUE(is_stream("/dev/stderr"));
}

TEST_F(NewFile, OfNoOpenFileIsRefused) {
  EXPECT_EQ("", write_new_file("/dev/fd/999", "text"));
  EXPECT_EQ(EBADF, errno);
  EXPECT_EQ("", write_new_file("/dev/fd/1x", "text"));
}

// A program may have made its output one that does not wait.
TEST_F(NewFile, MayBeAFullPipe) {
  int pipe[2];
  ASSERT_EQ(0, pipe2(pipe, O_NONBLOCK));
  const std::string text(1 << 20, 'x');  // more than any pipe takes at once
  std::string written;
  std::thread writer([&] {
    written = write_new_file("/dev/fd/" + std::to_string(pipe[1]), text);
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
  EXPECT_EQ("/dev/fd/" + std::to_string(pipe[1]), written);
}

TEST_F(NewFile, OfAPipeThatNobodyReadsAnyMoreIsRefused) {
  int pipe[2];
  ASSERT_EQ(0, ::pipe(pipe));
  close(pipe[0]);
  EXPECT_EQ("", write_new_file("/dev/fd/" + std::to_string(pipe[1]), "text"));
  EXPECT_EQ(EPIPE, errno);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(0, sigismember(&pending, SIGPIPE));
  // What the program has to do with the signal is as before.
  EXPECT_EXIT(write(pipe[1], "x", 1), testing::KilledBySignal(SIGPIPE), "");
  close(pipe[1]);
}

TEST_F(NewFile, OfAPipeWithoutAReaderIsRefused) {
  ASSERT_EQ(0, mkfifo(path("pipe").c_str(), 0600));
  EXPECT_EQ("", write_new_file(path("pipe"), "text"));
  EXPECT_EQ(ENXIO, errno);
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
