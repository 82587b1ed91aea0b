#include "launch/process/process.h"

#include <gtest/gtest.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
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

// A shell script that can ask the process that waits for it, and the answers.
class Script {
 public:
  Script() {
    EXPECT_EQ(0, pipe(question_));
    EXPECT_EQ(0, pipe(answer_));
    question = "echo >&" + std::to_string(question_[1]);
    answer = "read it <&" + std::to_string(answer_[0]);
    ask = "{ " + question + "; " + answer + "; }";
    settle =
        "{ while grep -q '^ShdPnd:.*[1-9a-f]' /proc/$poprt/status; do :; "
        "done; " +
        ask + "; }";
  }
  ~Script() {
    for (const int file :
         {question_[0], question_[1], answer_[0], answer_[1]}) {
      close(file);
    }
  }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  // Returns the exit code.  `at_first` is called for the first question.
  int run(
      const std::string& text, bool is_task = false,
      const std::function<void()>& at_first = [] {}) const {
    int asked = 0;
    Waiting waiting;
    waiting.is_task_of_launcher = is_task;
    waiting.file = question_[0];
    waiting.take = [&] {
      char c = 0;
      EXPECT_EQ(1, read(question_[0], &c, 1));
      if (++asked == 1) at_first();
      EXPECT_EQ(1, write(answer_[1], "\n", 1));
    };
    const int status = status_of_script("export poprt=$PPID; " + text, waiting);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // Commands.  `settle` returns when all signals that have been sent to the
  // waiting process are passed on.
  std::string question;
  std::string answer;
  std::string ask;
  std::string settle;

 private:
  int question_[2];
  int answer_[2];
};

// As another process of the same group does.
void send_from_beside(int signal) {
  const pid_t sender = fork();
  if (sender == 0) _exit(kill(getppid(), signal));
  EXPECT_EQ(sender, waitpid(sender, nullptr, 0));
}

// A shell cannot trap what was ignored when it began (nohup).
bool is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, nullptr, &action) != 0 ||
         action.sa_handler == SIG_IGN;
}

std::string trap(const std::string& command, int signal) {
  return "trap '" + command + "' " + std::to_string(signal) + "; ";
}

TEST(WaitFor, PassesSignalsOn) {
  for (const int signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
        SIGSTKFLT, SIGCONT, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
        SIGRTMIN, SIGRTMIN + 1, SIGRTMAX}) {
    if (is_ignored(signal)) continue;
    const Script script;
    EXPECT_EQ(5, script.run(
                     trap("exit 5", signal) + script.ask + "; " + script.settle,
                     false, [&] { send_from_beside(signal); }))
        << signal;
  }
}

// As a write to a pipe that nobody reads does.
TEST(WaitFor, PassesOnNothingThatItHasBroughtUponItself) {
  if (is_ignored(SIGPIPE)) return;
  const Script script;
  EXPECT_EQ(
      0, script.run(trap("exit 5", SIGPIPE) + script.ask + "; " + script.settle,
                    false, [] { kill(getpid(), SIGPIPE); }));
}

// A launcher signals the whole process group: if poprt passed the signal on, it
// would come twice.
TEST(WaitFor, PassesNoSignalsToATask) {
  for (const int signal : {SIGUSR1, SIGXCPU}) {
    const Script script;
    EXPECT_EQ(0, script.run(
                     trap("exit 5", signal) + script.ask + "; " + script.settle,
                     true, [&] { send_from_beside(signal); }));
  }
}

// The waiting process takes no signal until the program has had its own.
TEST(WaitFor, PassesOnNothingThatTheProgramSendsToItsGroup) {
  const pid_t leader = fork();
  if (leader == 0) {
    setpgid(0, 0);
    int handled[2];
    if (pipe(handled) != 0) _exit(100);
    const Script script;
    _exit(script.run(trap("n=x$n", SIGUSR1) + script.question +
                         "; kill -USR1 0; echo >&" +
                         std::to_string(handled[1]) + "; " + script.answer +
                         "; " + script.settle + "; exit ${#n}",
                     false, [&] {
                       char c = 0;
                       EXPECT_EQ(1, read(handled[0], &c, 1));
                     }));
  }
  int status = -1;
  EXPECT_EQ(leader, waitpid(leader, &status, 0));
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(1, WEXITSTATUS(status));
}

// The shell waits again after its trap.
TEST(WaitFor, KnowsTheProgramsOfTheProgramByTheirGroup) {
  const Script script;
  setenv("settle", script.settle.c_str(), 1);
  const std::string sends =
      "sh -c 'kill -USR1 $poprt; eval \"$settle\"' & wait $!; wait $!; "
      "exit ${#n}";
  EXPECT_EQ(0, script.run(trap("n=x", SIGUSR1) + sends));
  EXPECT_EQ(1, script.run(trap("n=x", SIGUSR1) + "setsid " + sends));
  unsetenv("settle");
}

void wait_until_pending(int signal) {
  sigset_t pending;
  do {
    sigpending(&pending);
  } while (sigismember(&pending, signal) == 0);
}

// One that was set before poprt began, and whose program is now the child.
TEST(WaitFor, PassesOnAnAlarm) {
  for (const bool is_task : {false, true}) {
    const Script script;
    EXPECT_EQ(5, script.run(trap("exit 5", SIGALRM) + script.ask + "; " +
                                script.settle,
                            is_task, [] {
                              const itimerval soon = {{0, 0}, {0, 1}};
                              setitimer(ITIMER_REAL, &soon, nullptr);
                              wait_until_pending(SIGALRM);
                            }));
  }
}

}  // namespace
}  // namespace poprt
