#include "launch/process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "launch/process/child.h"
#include "launch/process/signal_file.h"

extern char** environ;

namespace poprt {
namespace {

// The entries of this process's environment, with the changes.
std::vector<std::string> changed_lines(const Environment& changes) {
  std::vector<std::string> lines;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string line = *entry;
    if (changes.count(line.substr(0, line.find('='))) == 0) {
      lines.push_back(line);
    }
  }
  const std::vector<std::string> added = lines_of(changes);
  lines.insert(lines.end(), added.begin(), added.end());
  return lines;
}

// In a child: makes it end with its parent, which may have ended already.
void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
}

// Waits for a signal or for input.  Returns a signal that another process has
// sent to this one; 0 for all else.
int next_signal(int signals, const Waiting& waiting) {
  pollfd ready[] = {{signals, POLLIN, 0}, {waiting.file, POLLIN, 0}};
  if (poll(ready, 2, -1) <= 0) return 0;
  if (ready[1].revents != 0) waiting.take();
  signalfd_siginfo info;
  if (ready[0].revents == 0 ||
      read(signals, &info, sizeof info) != sizeof info || info.ssi_code > 0) {
    return 0;
  }
  return static_cast<int>(info.ssi_signo);
}

}  // namespace

Environment own_environment() {
  Environment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string line = *entry;
    const size_t equals = line.find('=');
    // If a name is there twice, getenv() takes the first.
    if (equals != std::string::npos) {
      environment.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  return environment;
}

void become(const std::string& path, const std::vector<std::string>& arguments,
            const Environment& changes) {
  const std::vector<std::string> lines = changed_lines(changes);
  execvpe(path.c_str(), pointers(arguments).data(), pointers(lines).data());
}

int wait_for(const std::string& path, const std::vector<std::string>& arguments,
             const Environment& changes, const Waiting& waiting) {
  const std::vector<std::string> lines = changed_lines(changes);
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> line_pointers = pointers(lines);
  // Signals are blocked before the fork and read one by one, so none is lost;
  // the ones that other processes send are passed on.
  const SignalFile signals({SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1,
                            SIGUSR2, SIGCONT, SIGALRM});
  int pipe[2];
  if (signals.file() < 0 || pipe2(pipe, O_CLOEXEC) != 0) return -1;
  const WaitableChildren waitable;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    if (waiting.is_task_of_launcher) end_with(parent);
    waitable.restore();
    sigprocmask(SIG_SETMASK, &signals.before(), nullptr);
    become_program(path, argument_pointers.data(), line_pointers.data(),
                   pipe[1]);
  }
  const int fork_error = errno;
  close(pipe[1]);
  const int error = child < 0 ? fork_error : start_error(pipe[0]);
  close(pipe[0]);
  int status = -1;
  while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
    const int signal = next_signal(signals.file(), waiting);
    if (signal != 0 && signal != SIGCHLD && !waiting.is_task_of_launcher) {
      kill(child, signal);
    }
  }
  errno = error;
  return error != 0 ? -1 : status;
}

void replace_dead_stderr() {
  pollfd state = {STDERR_FILENO, POLLOUT, 0};
  if (poll(&state, 1, 0) <= 0 || (state.revents & (POLLERR | POLLHUP)) == 0) {
    return;
  }
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  dup2(null, STDERR_FILENO);
  close(null);
}

int end_as(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  // The core dump is the program's, not poprt's.
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(WTERMSIG(status), SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, WTERMSIG(status));
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

}  // namespace poprt
