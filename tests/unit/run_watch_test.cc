#include "launch/process/run_watch.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace poprt {
namespace {

constexpr int kGoodEnd = 0;
constexpr int kExit3 = 3 << 8;
constexpr int kKilled = 9;

TEST(WhyNoReport, IsNothingWhereThereIsOne) {
  EXPECT_EQ("", why_no_report(
                    {RunWord::kStarted, RunWord::kMeasuring, RunWord::kReport},
                    kGoodEnd));
  // Other words and the exit status do not matter.
  EXPECT_EQ("", why_no_report({RunWord::kStarted, RunWord::kReport,
                               RunWord::kNothing, RunWord::kAborted},
                              kKilled));
}

TEST(WhyNoReport, IsNotSaidTwice) {
  EXPECT_EQ("",
            why_no_report({RunWord::kStarted, RunWord::kExplained}, kExit3));
}

TEST(WhyNoReport, IsNotGuessedForAnotherNode) {
  EXPECT_EQ("", why_no_report({}, kGoodEnd));
  EXPECT_EQ("", why_no_report({}, kExit3));
  EXPECT_EQ("", why_no_report({RunWord::kNothing}, kGoodEnd));
}

TEST(WhyNoReport, NamesTheOptionForAnMpiThatIsLoadedLater) {
  EXPECT_EQ(
      "the program called neither MPI_Init nor OpenMP nor a region (a serial "
      "one that marks its work with pop_region_start is measured, as a "
      "baseline for poprt scale), as far as is seen without MPI: poprt run "
      "--mpi=openmpi, mpich or PATH measures "
      "one that it loads itself",
      why_no_report({RunWord::kStarted, RunWord::kNothing, RunWord::kNoMpi},
                    kGoodEnd));
}

TEST(WhyNoReport, IsTheSignal) {
  EXPECT_EQ("the command was ended by signal 9 (Killed)",
            why_no_report({RunWord::kStarted, RunWord::kMeasuring}, kKilled));
}

TEST(WhyNoReport, IsAnAbort) {
  EXPECT_EQ(
      "the program called MPI_Abort",
      why_no_report({RunWord::kStarted, RunWord::kMeasuring, RunWord::kAborted},
                    kKilled));
}

TEST(WhyNoReport, IsAnEndThatTheLibraryDoesNotSee) {
  EXPECT_EQ(
      "the measured process came to no end that the library sees "
      "(MPI_Finalize; without MPI, exit)",
      why_no_report({RunWord::kStarted, RunWord::kMeasuring, RunWord::kNothing},
                    kGoodEnd));
  EXPECT_EQ(
      "the exit code was 3, and the measured process came to no end that the "
      "library sees (MPI_Finalize; without MPI, exit)",
      why_no_report({RunWord::kStarted, RunWord::kMeasuring}, kExit3));
}

TEST(WhyNoReport, IsAProgramWithNothingToMeasure) {
  EXPECT_EQ(
      "the program called neither MPI_Init nor OpenMP nor a region (a serial "
      "one that marks its work with pop_region_start is measured, as a "
      "baseline for poprt scale)",
      why_no_report({RunWord::kStarted, RunWord::kNothing}, kGoodEnd));
}

TEST(WhyNoReport, IsALibraryThatIsNotHeard) {
  EXPECT_EQ(
      "the exit code was 3, and nothing was heard of the library: the program "
      "was killed or ended at once (_exit), LD_PRELOAD has not reached it (a "
      "static one behind a script?), or it ran in a network namespace of its "
      "own (then the report and the run file are where the library says)",
      why_no_report({RunWord::kStarted}, kExit3));
}

class RunWatchTest : public ::testing::Test {
 protected:
  void TearDown() override { unsetenv(kRunWordVariable); }
  static void name(const std::string& value) {
    setenv(kRunWordVariable, value.c_str(), 1);
  }
};

TEST_F(RunWatchTest, HearsWhatIsTold) {
  RunWatch watch;
  ASSERT_NE("", watch.name());
  name(watch.name());
  watch.listen();
  EXPECT_EQ(RunWords{}, watch.heard());
  EXPECT_TRUE(tell_run(RunWord::kMeasuring));
  EXPECT_TRUE(tell_run(RunWord::kReport));
  pollfd ready = {watch.file(), POLLIN, 0};
  EXPECT_EQ(1, poll(&ready, 1, 0));
  watch.listen();
  EXPECT_EQ((RunWords{RunWord::kMeasuring, RunWord::kReport}), watch.heard());
}

TEST_F(RunWatchTest, HearsWhereThePiecesAre) {
  RunWatch watch;
  name(watch.name());
  EXPECT_TRUE(tell_run(RunWord::kPieces, "/some/folder of mine"));
  // Longer than any path.
  EXPECT_FALSE(tell_run(RunWord::kPieces, std::string(5000, 'x')));
  EXPECT_TRUE(tell_run(RunWord::kMeasuring));
  EXPECT_EQ("", watch.pieces());
  watch.listen();
  EXPECT_EQ("/some/folder of mine", watch.pieces());
  EXPECT_EQ((RunWords{RunWord::kPieces, RunWord::kMeasuring}), watch.heard());
}

TEST_F(RunWatchTest, IsHeardOnlyByTheOneThatIsNamed) {
  RunWatch one;
  RunWatch other;
  name(other.name());
  tell_run(RunWord::kReport);
  one.listen();
  other.listen();
  EXPECT_EQ(RunWords{}, one.heard());
  EXPECT_EQ(RunWords{RunWord::kReport}, other.heard());
}

TEST_F(RunWatchTest, RootHearsAProgramThatBecameAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root becomes another user";
  constexpr uid_t kNobody = 65534;
  RunWatch watch;
  name(watch.name());
  const pid_t child = fork();
  if (child == 0) {
    _exit(setuid(kNobody) == 0 && tell_run(RunWord::kReport) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  ASSERT_EQ(0, status);
  watch.listen();
  EXPECT_EQ(RunWords{RunWord::kReport}, watch.heard());
}

TEST_F(RunWatchTest, NobodyThereIsNoTrouble) {
  errno = 7;
  EXPECT_FALSE(tell_run(RunWord::kReport));  // no watch is named
  name("");
  EXPECT_FALSE(tell_run(RunWord::kReport));
  name("poprt-nobody");
  EXPECT_FALSE(tell_run(RunWord::kReport));
  name(std::string(1000, 'x'));  // longer than any address
  EXPECT_FALSE(tell_run(RunWord::kReport));
  {
    RunWatch watch;
    name(watch.name());
  }
  EXPECT_FALSE(tell_run(RunWord::kReport));  // the watch is gone
  EXPECT_EQ(7, errno);
}

// Like a stopped process (Ctrl-Z): the kernel keeps a few hundred words at
// most.
TEST_F(RunWatchTest, OneThatDoesNotListenIsNotWaitedFor) {
  RunWatch watch;
  name(watch.name());
  bool told = true;
  for (int i = 0; told && i < 100'000; ++i) told = tell_run(RunWord::kNothing);
  EXPECT_FALSE(told);
  watch.listen();
  EXPECT_TRUE(tell_run(RunWord::kReport));
}

}  // namespace
}  // namespace poprt
