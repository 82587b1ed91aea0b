#include "launch/process/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace poprt {
namespace {

int status_of_script(const std::string& script, const Waiting& waiting) {
  return wait_for("/bin/sh", {"sh", "-c", script}, {}, waiting);
}

TEST(WaitFor, ReturnsTheStatus) {
  const int status = status_of_script("exit 7", {});
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(7, WEXITSTATUS(status));
  EXPECT_EQ(SIGKILL, WTERMSIG(status_of_script("kill -KILL $$", {})));
}

TEST(WaitFor, SaysWhyItCannotStart) {
  EXPECT_EQ(-1, wait_for("/nowhere/at/all", {"all"}, {}, {}));
  EXPECT_EQ(ENOENT, errno);
}

TEST(WaitFor, SetsVariables) {
  EXPECT_EQ(0, wait_for("/bin/sh", {"sh", "-c", "test \"$X\" = 'a b'"},
                        {{"X", "a b"}}, {}));
}

TEST(WaitFor, TakesWhatThereIsToReadMeanwhile) {
  int question[2];
  int answer[2];
  ASSERT_EQ(0, pipe(question));
  ASSERT_EQ(0, pipe(answer));
  int taken = 0;
  Waiting waiting;
  waiting.file = question[0];
  waiting.take = [&] {
    char c = 0;
    if (read(question[0], &c, 1) == 1) ++taken;
    EXPECT_EQ(4, write(answer[1], "yes\n", 4));
  };
  const int status = status_of_script(
      "echo >&" + std::to_string(question[1]) + "; read it <&" +
          std::to_string(answer[0]) + "; test \"$it\" = yes",
      waiting);
  EXPECT_EQ(0, status);
  EXPECT_EQ(1, taken);
  for (const int file : {question[0], question[1], answer[0], answer[1]}) {
    close(file);
  }
}

TEST(WaitFor, PassesSignalsOn) {
  EXPECT_EQ(
      5, WEXITSTATUS(status_of_script(
             "trap 'exit 5' USR1; kill -USR1 $PPID; while :; do :; done", {})));
}

// A launcher signals the whole process group: if poprt passed the signal on, it
// would come twice.
TEST(WaitFor, PassesNoSignalsToATask) {
  Waiting task;
  task.is_task_of_launcher = true;
  const int status = status_of_script(
      "trap 'exit 5' USR1; kill -USR1 $PPID; "
      // until the parent has taken the signal
      "while grep -q '^ShdPnd:.*[1-9a-f]' /proc/$PPID/status; do :; done; "
      "exit 0",
      task);
  EXPECT_EQ(0, WEXITSTATUS(status));
}

}  // namespace
}  // namespace poprt
