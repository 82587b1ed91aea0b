#include "launch/process/trial.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

namespace poprt {
namespace {

constexpr int kLong = 100;  // seconds, which no test takes

// Runs a script that can write a line to `output`. The processes that it starts
// hold the other end of `alive`, which shows whether they are still there.
class Trial : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(0, pipe(alive_)); }
  void TearDown() override { close(alive_[0]); }

  int run(const std::string& script, int seconds) {
    const int status = output_of_program("/bin/sh", {"sh", "-c", script},
                                         {{"PATH", "/usr/bin:/bin"}}, seconds,
                                         signals_, &output_);
    close(alive_[1]);
    return status;
  }

  // When this process has closed its end, reading ends only if no other process
  // has it open.
  bool all_are_gone() {
    pollfd ready = {alive_[0], POLLIN, 0};
    char c;
    return poll(&ready, 1, 0) == 1 && read(alive_[0], &c, 1) == 0;
  }

  HeldSignals signals_;
  std::string output_;
  int alive_[2];
};

TEST_F(Trial, HasAnOutputAndAStatus) {
  const int status = run("echo out; echo err >&2; exit 3", kLong);
  EXPECT_EQ(3, WEXITSTATUS(status));
  EXPECT_EQ("out\nerr\n", output_);
  EXPECT_TRUE(all_are_gone());
}

TEST_F(Trial, SaysWhyItCannotStart) {
  EXPECT_EQ(-1, output_of_program("/nowhere/at/all", {"all"}, {}, kLong,
                                  signals_, &output_));
  EXPECT_EQ(ENOENT, errno);
}

TEST_F(Trial, LeavesNothingBehindWhatItHasStarted) {
  EXPECT_EQ(
      0, run("setsid sh -c 'while :; do sleep 100; done' & echo done", kLong));
  EXPECT_EQ("done\n", output_);
  EXPECT_TRUE(all_are_gone());
}

TEST_F(Trial, IsKilledWithAllThatItHasStartedWhenItsTimeIsOver) {
  EXPECT_EQ(-2, run("setsid sh -c 'while :; do sleep 100; done' & wait", 0));
  EXPECT_TRUE(all_are_gone());
}

TEST_F(Trial, MayCloseItsOutputAndIsStillWaitedFor) {
  EXPECT_EQ(4, WEXITSTATUS(run("exec >&- 2>&-; exit 4", kLong)));
}

// As by Ctrl-C. The script's process group does not get the signal.
TEST_F(Trial, IsKilledWithAllWhenThisProcessIsToEnd) {
  EXPECT_EQ(-2, run("setsid sh -c 'while :; do sleep 100; done' & "
                    "kill -INT $PPID; wait",
                    kLong));
  EXPECT_TRUE(all_are_gone());
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(1, sigismember(&pending, SIGINT));  // until the end of the scope
  // The pending signal is taken, so that this test goes on.
  const int signal_number = SIGINT;
  int taken = 0;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal_number);
  sigwait(&one, &taken);
}

TEST(HeldSignals, AreThereAfterTheirScope) {
  EXPECT_EXIT(
      {
        const HeldSignals signals;
        raise(SIGTERM);
        write(STDERR_FILENO, "went on", 7);
      },
      testing::KilledBySignal(SIGTERM), "went on");
}

TEST(HeldSignals, AreNotThoseThatEndNothing) {
  signal(SIGHUP, SIG_IGN);
  {
    const HeldSignals signals;
    raise(SIGHUP);
    pollfd ready = {signals.file(), POLLIN, 0};
    EXPECT_EQ(0, poll(&ready, 1, 0));
  }
  signal(SIGHUP, SIG_DFL);
}

}  // namespace
}  // namespace poprt
