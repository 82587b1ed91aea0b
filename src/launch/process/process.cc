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

#include "base/kernel_text.h"
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

// SIGCHLD, and what would end this process, except for its own faults.  SIGCONT
// is passed on to a program that was stopped alone.
std::vector<int> signals_to_read() {
  std::vector<int> signals;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    switch (signal) {
      case SIGKILL:  // no process can read these
      case SIGSTOP:
      case SIGTSTP:  // the program is stopped, too
      case SIGTTIN:
      case SIGTTOU:
      case SIGURG:  // without effect here
      case SIGWINCH:
      case SIGABRT:  // faults
      case SIGBUS:
      case SIGFPE:
      case SIGILL:
      case SIGSEGV:
      case SIGSYS:
      case SIGTRAP:
        break;
      default:
        signals.push_back(signal);
    }
  }
  return signals;
}

// Whether the process is `ancestor` or descends from it, as far as its parents
// still exist.
bool descends_from(pid_t process, pid_t ancestor) {
  constexpr int kMostGenerations = 100;
  for (int i = 0; i < kMostGenerations && process > 1; ++i) {
    if (process == ancestor) return true;
    process = parent_of("/proc/" + std::to_string(process));
  }
  return false;
}

// Whether the child needs this signal from its parent.  The terminal reaches
// the child, too, and so does a process of the program that signals its own
// process group.  What poprt brings upon itself (SIGPIPE) is not the child's.
// An alarm that was set before poprt began is the program's.
bool is_for_child(const signalfd_siginfo& info, pid_t child,
                  bool is_task_of_launcher) {
  if (info.ssi_signo == SIGCHLD) return false;
  if (info.ssi_code > 0) return info.ssi_signo == SIGALRM;
  const auto sender = static_cast<pid_t>(info.ssi_pid);
  return !is_task_of_launcher && sender != getpid() &&
         (getpgid(sender) != getpgrp() || !descends_from(sender, child));
}

// Waits for a signal or for input, and returns a signal for the child; 0 for
// none.
int next_signal(int signals, pid_t child, const Waiting& waiting) {
  pollfd ready[] = {{signals, POLLIN, 0}, {waiting.file, POLLIN, 0}};
  if (poll(ready, 2, -1) <= 0) return 0;
  if (ready[1].revents != 0) waiting.take();
  signalfd_siginfo info;
  if (ready[0].revents == 0 ||
      read(signals, &info, sizeof info) != sizeof info ||
      !is_for_child(info, child, waiting.is_task_of_launcher)) {
    return 0;
  }
  return static_cast<int>(info.ssi_signo);
}

// What came shortly before the child's end was meant for it.
void drop_pending(int signals) {
  pollfd ready = {signals, POLLIN, 0};
  signalfd_siginfo info;
  while (poll(&ready, 1, 0) > 0 && read(signals, &info, sizeof info) > 0) {
  }
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
  // Signals are blocked before the fork and read one by one, so none is lost.
  const SignalFile signals(signals_to_read());
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
    const int signal = next_signal(signals.file(), child, waiting);
    if (signal != 0) kill(child, signal);
  }
  drop_pending(signals.file());
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
