// What the library finds out of the program's surroundings.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "session/checkout.h"
#include "session/performance_variables.h"
#include "unit/temporary_folder.h"

namespace poprt {
namespace {

const std::string kCommit(40, 'a');
const std::string kOther(40, 'b');

class CheckoutTest : public testing::Test {
 protected:
  std::string make(const std::string& name) {
    std::string path = folder_;
    for (size_t at = 0; at != std::string::npos;) {
      const size_t next = name.find('/', at);
      path += "/" + name.substr(at, next - at);
      mkdir(path.c_str(), 0700);
      at = next == std::string::npos ? next : next + 1;
    }
    return path;
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  const test::TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(CheckoutTest, IsTheNearestOneAbove) {
  make(".git/refs/heads");
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/refs/heads/main", kCommit + "\n");
  const std::string deep = make("build/bin");
  EXPECT_EQ(kCommit, checkout_of(deep).commit);
  EXPECT_EQ("main", checkout_of(deep).branch);
  EXPECT_EQ(kCommit, checkout_of(folder_).commit);
}

TEST_F(CheckoutTest, MayHaveNoBranch) {
  make(".git");
  write(".git/HEAD", kCommit + "\n");
  EXPECT_EQ(kCommit, checkout_of(folder_).commit);
  EXPECT_EQ("", checkout_of(folder_).branch);
}

TEST_F(CheckoutTest, MayHaveItsReferencesPacked) {
  make(".git");
  write(".git/HEAD", "ref: refs/heads/work\n");
  write(".git/packed-refs", "# pack-refs with: peeled\n" + kOther +
                                " refs/heads/other/refs/heads/work\n" +
                                kCommit + " refs/heads/work\n");
  EXPECT_EQ(kCommit, checkout_of(folder_).commit);
  write(".git/HEAD", "ref: refs/heads/none\n");
  EXPECT_EQ("", checkout_of(folder_).commit);
  EXPECT_EQ("none", checkout_of(folder_).branch);
}

TEST_F(CheckoutTest, MayBeAWorktree) {
  make("main/.git/refs/heads");
  make("main/.git/worktrees/w");
  make("w");
  write("main/.git/refs/heads/topic", kCommit + "\n");
  write("main/.git/worktrees/w/HEAD", "ref: refs/heads/topic\n");
  write("main/.git/worktrees/w/commondir", "../..\n");
  write("w/.git", "gitdir: ../main/.git/worktrees/w\n");
  EXPECT_EQ(kCommit, checkout_of(folder_ + "/w").commit);
  EXPECT_EQ("topic", checkout_of(folder_ + "/w").branch);
}

TEST_F(CheckoutTest, OfOtherFilesOrNothingIsEmpty) {
  make(".git");
  write(".git/HEAD", "not what git writes\n");
  EXPECT_EQ("", checkout_of(folder_).commit);
  EXPECT_EQ("", checkout_of(folder_).branch);
  EXPECT_EQ("", checkout_of("").commit);
  EXPECT_EQ("", checkout_of("/nowhere").commit);
}

// Whoever waits for a writer of such a pipe waits for ever.
TEST_F(CheckoutTest, PipesInItsPlaceAreNotWaitedFor) {
  make(".git");
  ASSERT_EQ(0, mkfifo((folder_ + "/.git/HEAD").c_str(), 0600));
  EXPECT_EQ("", checkout_of(folder_).commit);
}

TEST(PerformanceVariables, AreThoseThatDecideHowAProgramRuns) {
  const char* const environment[] = {"PATH=/bin",         "OMP_PROC_BIND=close",
                                     "OMP_NUM_THREADS=4", "OMP_NUM_THREADS=8",
                                     "KMP_BLOCKTIME=0",   "_POPRT_RUN=x",
                                     "OMPI_MCA_x=1",      "OMP_WITHOUT",
                                     "SECRET_TOKEN=y",    nullptr};
  const std::vector<Metadata> found = performance_variables(environment);
  ASSERT_EQ(3u, found.size());
  EXPECT_EQ("KMP_BLOCKTIME", found[0].key);
  EXPECT_EQ("OMP_NUM_THREADS", found[1].key);
  EXPECT_EQ("4", found[1].value);
  EXPECT_EQ("close", found[2].value);
  EXPECT_TRUE(performance_variables(nullptr).empty());
}

}  // namespace
}  // namespace poprt
