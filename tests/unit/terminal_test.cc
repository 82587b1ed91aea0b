#include "base/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace poprt {
namespace {

// A real terminal of 132 columns, and the environment of a user who sits there.
class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"}) {
      unsetenv(name);
    }
    setenv("TERM", "xterm", 1);
    main_ = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(main_, 0);
    ASSERT_EQ(0, grantpt(main_));
    ASSERT_EQ(0, unlockpt(main_));
    terminal_ = open(ptsname(main_), O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal_, 0);
    winsize window = {};
    window.ws_col = 132;
    ASSERT_EQ(0, ioctl(terminal_, TIOCSWINSZ, &window));
    ASSERT_EQ(0, pipe(pipe_));
  }
  void TearDown() override {
    for (const int file : {main_, terminal_, pipe_[0], pipe_[1]}) close(file);
  }

  int main_ = -1;
  int terminal_ = -1;
  int pipe_[2] = {-1, -1};
};

TEST_F(Terminal, HasColourAndAPipeHasNot) {
  EXPECT_TRUE(color_wanted(terminal_));
  EXPECT_FALSE(color_wanted(pipe_[1]));
}

TEST_F(Terminal, HasNoColourIfItIsDumbOrUnknown) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(color_wanted(terminal_));
  unsetenv("TERM");
  EXPECT_FALSE(color_wanted(terminal_));
}

TEST_F(Terminal, HasNoColourIfTheUserWantsNone) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(color_wanted(terminal_));
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_FALSE(color_wanted(terminal_));
  setenv("NO_COLOR", "", 1);  // as if it were not set
  EXPECT_TRUE(color_wanted(terminal_));
}

TEST_F(Terminal, ColourCanBeForcedIntoAPipe) {
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(color_wanted(pipe_[1]));
  setenv("CLICOLOR_FORCE", "0", 1);
  EXPECT_FALSE(color_wanted(pipe_[1]));
}

TEST_F(Terminal, IsAsWideAsTheKernelSaysOrTheUser) {
  EXPECT_EQ(132u, terminal_columns(terminal_));
  setenv("COLUMNS", "100", 1);
  EXPECT_EQ(100u, terminal_columns(terminal_));
  for (const char* nonsense : {"", "0", "-3", "wide", "100x"}) {
    setenv("COLUMNS", nonsense, 1);
    EXPECT_EQ(132u, terminal_columns(terminal_)) << nonsense;
  }
}

TEST_F(Terminal, APipeHasNoWidth) {
  setenv("COLUMNS", "100", 1);
  EXPECT_EQ(0u, terminal_columns(pipe_[1]));
}

}  // namespace
}  // namespace poprt
