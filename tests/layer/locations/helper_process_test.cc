#include "code_places/helper_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "layer/locations/fake_helper.h"

namespace poprt {
namespace {

constexpr int64_t kLong = 60'000'000'000;
constexpr int64_t kShort = 10'000'000;

std::atomic<int> g_signals{0};

// Counts SIGCHLD while it lives.
class ChildSignals {
 public:
  ChildSignals() {
    g_signals = 0;
    struct sigaction count = {};
    count.sa_handler = [](int) { ++g_signals; };
    sigaction(SIGCHLD, &count, &before_);
  }
  ~ChildSignals() { sigaction(SIGCHLD, &before_, nullptr); }

 private:
  struct sigaction before_;
};

void expect_no_child() {
  EXPECT_EQ(-1, waitpid(-1, nullptr, __WALL | WNOHANG));
  EXPECT_EQ(ECHILD, errno);
}

size_t open_files() {
  size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}

TEST(HelperProcess, ReturnsWhatIsWritten) {
  const FakeHelper helper("printf '%s|' \"$@\"; cat");
  EXPECT_EQ("a b|c\t1|", output_of(helper.path(), {"a b", "c\t1"}, kLong));
}

TEST(HelperProcess, ReturnsMuch) {
  const FakeHelper helper("head -c 1000000 /dev/zero");
  EXPECT_EQ(std::string(1000000, '\0'), output_of(helper.path(), {}, kLong));
}

TEST(HelperProcess, HasNothingOfTheProgramsEnvironment) {
  setenv("LD_PRELOAD_OF_TEST", "x", 1);
  const FakeHelper helper("exec /usr/bin/env");
  const std::string variables = output_of(helper.path(), {}, kLong);
  EXPECT_EQ(std::string::npos, variables.find("LD_PRELOAD")) << variables;
  EXPECT_EQ(std::string::npos, variables.find("HOME=")) << variables;
}

TEST(HelperProcess, IsSeenByNoHandlerAndNoWait) {
  const ChildSignals signals;
  const size_t files = open_files();
  std::atomic<bool> end{false};
  std::atomic<int> reaped{0};
  std::thread waiter([&] {
    while (!end) reaped += waitpid(-1, nullptr, 0) > 0;
  });
  const FakeHelper helper("echo done; exit 3");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ("done\n", output_of(helper.path(), {}, kLong));
  }
  end = true;
  waiter.join();
  EXPECT_EQ(0, reaped);
  EXPECT_EQ(0, g_signals);
  EXPECT_EQ(files, open_files());
  expect_no_child();
}

TEST(HelperProcess, IsKilledAtTheEndOfItsBudget) {
  const ChildSignals signals;
  // The helper inherits the writing end, and would keep it open.
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  const FakeHelper helper("exec sleep 1000");
  EXPECT_EQ("", output_of(helper.path(), {}, kShort));
  close(ends[1]);
  char byte;
  EXPECT_EQ(0, read(ends[0], &byte, 1));
  close(ends[0]);
  EXPECT_EQ(0, g_signals);
  expect_no_child();
}

TEST(HelperProcess, WorksWhereChildrenAreIgnored) {
  struct sigaction before;
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignore, &before);
  const FakeHelper helper("echo done");
  EXPECT_EQ("done\n", output_of(helper.path(), {}, kLong));
  struct sigaction after;
  sigaction(SIGCHLD, &before, &after);
  EXPECT_EQ(SIG_IGN, after.sa_handler);
  expect_no_child();
}

TEST(HelperProcess, LeavesSignalsAsTheyWere) {
  sigset_t before;
  sigset_t after;
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &some, &before);
  const FakeHelper helper("echo done");
  output_of(helper.path(), {}, kLong);
  pthread_sigmask(SIG_SETMASK, &before, &after);
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    EXPECT_EQ(signal == SIGUSR1 || sigismember(&before, signal),
              sigismember(&after, signal) == 1)
        << signal;
  }
}

TEST(HelperProcess, LeavesClosedStandardFilesClosed) {
  const int input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  const FakeHelper helper("echo done; cat");
  EXPECT_EQ("done\n", output_of(helper.path(), {}, kLong));
  EXPECT_EQ(-1, fcntl(STDIN_FILENO, F_GETFD));
  if (input >= 0) {
    dup2(input, STDIN_FILENO);
    close(input);
  }
}

TEST(HelperProcess, ThatCannotBeStartedHasNoOutput) {
  errno = EDOM;
  EXPECT_EQ("", output_of("/no/such/helper", {"a"}, kLong));
  EXPECT_EQ(EDOM, errno);
  EXPECT_EQ("", output_of("/bin/true", {std::string(1 << 20, 'x')}, kLong));
  expect_no_child();
}

std::string why_not(const std::string& program,
                    const std::vector<std::string>& arguments = {}) {
  std::string why = "nothing";
  output_of(program, arguments, kLong, &why);
  return why;
}

TEST(HelperProcess, ThatCannotBeStartedHasACause) {
  EXPECT_EQ("No such file or directory", why_not("/no/such/helper"));
  EXPECT_EQ("Permission denied", why_not("/etc"));
  EXPECT_EQ("Argument list too long",
            why_not("/bin/true", {std::string(1 << 20, 'x')}));
  const FakeHelper not_loaded("exit 127");
  EXPECT_EQ("exit status 127: does it lack a library?",
            why_not(not_loaded.path()));
}

TEST(HelperProcess, ThatCannotHaveAFileHasACause) {
  rlimit before;
  ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
  const rlimit none = {0, before.rlim_max};
  ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
  const std::string why = why_not("/bin/true");
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ("Too many open files", why);
}

TEST(HelperProcess, ThatIsStartedHasNone) {
  for (const char* script : {"echo done", "exit 1", "kill -9 $$"}) {
    const FakeHelper helper(script);
    EXPECT_EQ("nothing", why_not(helper.path())) << script;
  }
}

TEST(HelperProgram, IsBesideTheLibraryAboveItOrInItsFolder) {
  namespace fs = std::filesystem;
  const std::string kName = "poprt-locations";
  const fs::path root =
      fs::path(testing::TempDir()) / ("poprt-tree." + std::to_string(getpid()));
  for (const char* place : {"lib/poprt", "lib", "lib/poprt/openmpi"}) {
    fs::create_directories(root / "lib/poprt/openmpi");
    const fs::path helper = root / place / kName;
    const int file = open(helper.c_str(), O_WRONLY | O_CREAT, 0700);
    ASSERT_GE(file, 0);
    close(file);
    const bool above_mpi = std::string(place) != "lib";
    const std::string of_mpi =
        helper_program_of(kName, root / "lib/poprt/openmpi/libpoprt.so");
    const std::string of_omp =
        helper_program_of(kName, root / "lib/libpoprt-omp.so");
    EXPECT_EQ(above_mpi, !of_mpi.empty()) << place;
    EXPECT_EQ(std::string(place) != "lib/poprt/openmpi", !of_omp.empty())
        << place;
    EXPECT_TRUE(!above_mpi || fs::equivalent(helper, of_mpi));
    fs::remove_all(root);
  }
  EXPECT_EQ("", helper_program_of(kName, "/no/such/library.so"));
}

}  // namespace
}  // namespace poprt
