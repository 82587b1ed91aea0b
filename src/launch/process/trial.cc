#include "launch/process/trial.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "base/kernel_text.h"
#include "launch/process/child.h"

namespace poprt {
namespace {

// The signals that would end this process.  Under nohup SIGHUP does not.
std::vector<int> endings() {
  std::vector<int> signals;
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 &&
        action.sa_handler != SIG_IGN) {
      signals.push_back(signal);
    }
  }
  return signals;
}

int64_t now_ms() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000} + now.tv_nsec / 1'000'000;
}

void kill_children() {
  DIR* const entries = opendir("/proc");
  if (entries == nullptr) return;
  while (const dirent* const entry = readdir(entries)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process > 1 &&
        parent_of(std::string("/proc/") + entry->d_name) == getpid()) {
      kill(process, SIGKILL);
    }
  }
  closedir(entries);
}

// Processes whose parent ends become children of this process, until none is
// left.
void kill_descendants() {
  do {
    kill_children();
  } while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
}

// Takes what can be read now, up to the limit that is kept; false at the end.
bool take_output(int file, std::string* output) {
  constexpr size_t kMostOutput = 1 << 20;  // bytes
  char buffer[4096];
  const ssize_t length = read(file, buffer, sizeof buffer);
  if (length <= 0) return length < 0 && errno == EINTR;
  output->append(buffer,
                 std::min(static_cast<size_t>(length),
                          kMostOutput - std::min(kMostOutput, output->size())));
  return true;
}

// Reads what the child writes until it ends, and returns its status; -2 if that
// takes too long or a signal has come.
int status_of(pid_t child, int text, int child_ended, int seconds,
              const HeldSignals& signals, std::string* output) {
  const int64_t end_ms = now_ms() + seconds * int64_t{1000};
  pollfd ready[] = {
      {text, POLLIN, 0}, {child_ended, POLLIN, 0}, {signals.file(), POLLIN, 0}};
  int status = -2;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const int64_t left_ms = end_ms - now_ms();
    if (left_ms <= 0) return -2;
    if (poll(ready, 3, static_cast<int>(left_ms)) <= 0) continue;
    if (ready[2].revents != 0) return -2;
    if (ready[0].revents != 0 && !take_output(text, output)) ready[0].fd = -1;
    signalfd_siginfo info;
    if (ready[1].revents != 0 && read(child_ended, &info, sizeof info) < 0) {
      return -2;
    }
  }
  // Reads what it has written before its end, and no more.
  ready[0].revents = 0;
  while (ready[0].fd >= 0 && poll(ready, 1, 0) > 0 &&
         take_output(text, output)) {
  }
  return status;
}

}  // namespace

HeldSignals::HeldSignals() : SignalFile(endings()) {}

int output_of_program(const std::string& path,
                      const std::vector<std::string>& arguments,
                      const Environment& environment, int seconds,
                      const HeldSignals& signals, std::string* output) {
  const std::vector<std::string> lines = lines_of(environment);
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> line_pointers = pointers(lines);
  const SignalFile child_ended({SIGCHLD});
  const WaitableChildren waitable;
  int errors[2] = {-1, -1};
  int texts[2] = {-1, -1};
  pid_t child = -1;
  int error = 0;
  // Descendants that outlive their parent become children of this process.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (child_ended.file() >= 0 && pipe2(errors, O_CLOEXEC) == 0 &&
      pipe2(texts, O_CLOEXEC) == 0) {
    child = fork();
  }
  if (child < 0) error = errno;
  if (child == 0) {
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &signals.before(), nullptr);
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(texts[1], STDOUT_FILENO);
    dup2(texts[1], STDERR_FILENO);
    become_program(path, argument_pointers.data(), line_pointers.data(),
                   errors[1]);
  }
  close(errors[1]);
  close(texts[1]);
  if (child > 0) error = start_error(errors[0]);
  const int status = error != 0 ? -1
                                : status_of(child, texts[0], child_ended.file(),
                                            seconds, signals, output);
  kill_descendants();
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  for (const int file : {errors[0], texts[0]}) close(file);
  errno = error;
  return status;
}

}  // namespace poprt
