#include "base/open_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "unit/temporary_folder.h"

namespace poprt {
namespace {

int new_file(const std::string& path) {
  return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
}

TEST(FileIdentity, IsThatOfAllDescriptorsOfAFileWhateverItsName) {
  const test::TemporaryFolder temporary;
  const std::string& folder = temporary.path();
  const int file = new_file(folder + "/log");
  const FileIdentity identity = identity_of(file);
  EXPECT_TRUE(identity.is_open);
  ASSERT_EQ(0, rename((folder + "/log").c_str(), (folder + "/old").c_str()));
  const int again = open((folder + "/old").c_str(), O_WRONLY | O_APPEND);
  const int copy = dup(file);
  EXPECT_EQ(identity, identity_of(again));
  EXPECT_EQ(identity, identity_of(copy));
  for (const int each : {file, again, copy}) close(each);
}

TEST(FileIdentity, TellsAllKindsOfFilesApart) {
  const test::TemporaryFolder temporary;
  const std::string& folder = temporary.path();
  int pipes[2][2];
  int sockets[2][2];
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(0, pipe(pipes[i]));
    ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[i]));
  }
  const int files[] = {new_file(folder + "/a"),
                       new_file(folder + "/b"),
                       open("/dev/null", O_WRONLY),
                       open("/dev/zero", O_WRONLY),
                       posix_openpt(O_RDWR | O_NOCTTY),
                       memfd_create("a", 0),
                       memfd_create("a", 0),
                       pipes[0][1],
                       pipes[1][1],
                       sockets[0][0],
                       sockets[0][1],
                       sockets[1][0]};
  for (const int a : files) {
    for (const int b : files) {
      EXPECT_EQ(a == b, identity_of(a) == identity_of(b)) << a << " " << b;
    }
  }
  for (const int each : files) close(each);
  for (const int each : {pipes[0][0], pipes[1][0], sockets[1][1]}) close(each);
}

TEST(FileIdentity, OfNoFileKeepsErrno) {
  errno = E2BIG;
  EXPECT_FALSE(identity_of(-1).is_open);
  EXPECT_EQ(E2BIG, errno);
}

TEST(KeptFile, IsNotUsedOrClosedWhenItIsAnotherFile) {
  const int file = memfd_create("ours", 0);
  const KeptFile kept(file);
  EXPECT_EQ(file, kept.descriptor());
  close(file);
  EXPECT_EQ(-1, kept.descriptor());
  ASSERT_EQ(file, memfd_create("theirs", 0));
  EXPECT_EQ(-1, kept.descriptor());
  kept.close();
  EXPECT_TRUE(identity_of(file).is_open);
  const KeptFile own(file);
  own.close();
  EXPECT_FALSE(identity_of(file).is_open);
  EXPECT_EQ(-1, KeptFile().descriptor());
}

TEST(NotedFiles, AreWrittenOnlyWhileTheyAreTheSame) {
  const int stream = memfd_create("stream", 0);
  EXPECT_EQ(nullptr, why_not_written(stream));
  EXPECT_EQ(nullptr, why_not_written(-1));
  note_file_of(stream);
  EXPECT_EQ(nullptr, why_not_written(stream));
  const int copy = dup(stream);
  close(stream);
  EXPECT_STREQ("is closed", why_not_written(stream));
  ASSERT_EQ(stream, memfd_create("data", 0));
  EXPECT_STREQ("is another file than when the program began",
               why_not_written(stream));
  ASSERT_EQ(stream, dup2(copy, stream));
  EXPECT_EQ(nullptr, why_not_written(stream));
  close(copy);
  close(stream);
  note_file_of(stream);
  ASSERT_EQ(stream, memfd_create("data", 0));
  EXPECT_STREQ("was closed when the program began", why_not_written(stream));
  close(stream);
}

TEST(NotedFiles, AreNamedByThePathsOfDescriptors) {
  EXPECT_EQ(1, descriptor_named_by("/dev/stdout"));
  EXPECT_EQ(2, descriptor_named_by("/dev/stderr"));
  EXPECT_EQ(12, descriptor_named_by("/dev/fd/12"));
  EXPECT_EQ(0, descriptor_named_by("/proc/self/fd/0"));
  for (const char* const other : {"", "/dev/fd/", "/dev/fd/1x", "/dev/null"}) {
    EXPECT_EQ(-1, descriptor_named_by(other)) << other;
  }
}

}  // namespace
}  // namespace poprt
