#include "code_places/helper_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>

#include "base/kernel_text.h"
#include "base/usage_time.h"
#include "code_places/code_address.h"

// There are two processes, because after execve() any child sends SIGCHLD and
// is returned by wait().  The attendant is our child and never calls execve():
// it has no exit signal, runs in our memory while the calling thread is stopped
// (vfork), starts the helper as its own child, and ends after it.  Sanitizers
// would take both for our thread on a broken stack.
#define POPRT_OTHER_PROCESS \
  __attribute__((no_sanitize("address", "thread", "undefined")))

namespace poprt {
namespace {

std::atomic<int64_t> g_helpers_cpu_ns{0};

// What a program exits with that the loader cannot load.
constexpr int kNotLoaded = 127;

struct Errand {
  const char* program;
  char* const* arguments;
  int output;
  timespec budget;
  int error = 0;   // errno of what failed before the program began
  int status = 0;  // of the program's end, as waitpid() has it
  // On the heap, because they are stacks of processes that exit on them.
  alignas(16) char attendant_stack[64 << 10];
  alignas(16) char helper_stack[64 << 10];
};

POPRT_OTHER_PROCESS int become_helper(void* argument) {
  Errand& errand = *static_cast<Errand*>(argument);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may be ended by a signal, for example because of a limit of the
  // program's.
  const rlimit no_core = {};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
      dup2(errand.output, STDOUT_FILENO) >= 0 &&
      dup2(nothing, STDERR_FILENO) >= 0) {
    char* const environment[] = {nullptr};
    execve(errand.program, errand.arguments, environment);
  }
  errand.error = errno;
  return kNotLoaded;
}

POPRT_OTHER_PROCESS int attend(void* argument) {
  Errand& errand = *static_cast<Errand*>(argument);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // All signals are blocked, so that no handler of the program runs here.  Of
  // the copied table of handlers only SIGCHLD matters: if it is ignored, the
  // helper's process number would be free before the helper is killed.
  struct sigaction by_default = {};
  by_default.sa_handler = SIG_DFL;
  by_default.sa_flags = SA_NOCLDSTOP;
  sigaction(SIGCHLD, &by_default, nullptr);
  const pid_t helper =
      clone(become_helper, errand.helper_stack + sizeof errand.helper_stack,
            CLONE_VM | CLONE_VFORK | SIGCHLD, &errand);
  if (helper < 0) {
    errand.error = errno;
    return 1;
  }
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigtimedwait(&ended, nullptr, &errand.budget);
  kill(helper, SIGKILL);
  waitpid(helper, &errand.status, 0);
  return 0;
}

void send_attendant(Errand* errand) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t attendant =
      clone(attend, errand->attendant_stack + sizeof errand->attendant_stack,
            CLONE_VM | CLONE_VFORK, errand);
  if (attendant < 0) errand->error = errno;
  rusage usage = {};
  if (attendant > 0 && wait4(attendant, nullptr, __WCLONE, &usage) > 0) {
    g_helpers_cpu_ns.fetch_add(cpu_ns_of(usage));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// A file without a name.  A pipe would need a reader at the same time.
int open_output() {
  const int file = memfd_create("poprt", MFD_CLOEXEC);
  if (file < 0 || file > STDERR_FILENO) return file;
  // The program has closed one of its standard files: leave that number free.
  const int other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(file);
  return other;
}

std::string content_of(int file) {
  lseek(file, 0, SEEK_SET);
  return rest_of_file(file, SIZE_MAX);
}

// If the program did not begin.
void say_why(const Errand& errand, std::string* why_not) {
  if (errand.error != 0) {
    *why_not = std::strerror(errand.error);
  } else if (WIFEXITED(errand.status) &&
             WEXITSTATUS(errand.status) == kNotLoaded) {
    *why_not = "exit status 127: does it lack a library?";
  }
}

}  // namespace

std::string helper_program_of(const std::string& name,
                              const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (const char* place : {"", "../", "poprt/"}) {
    std::string helper = folder + place + name;
    if (access(helper.c_str(), X_OK) == 0) return helper;
  }
  return "";
}

std::string helper_program(const std::string& name) {
  // The address of this code; a return address would be after it.
  const auto here = reinterpret_cast<const char*>(&helper_program) + 1;
  return helper_program_of(name, code_address(here).module);
}

std::string output_of(const std::string& program,
                      const std::vector<std::string>& arguments,
                      int64_t budget_ns, std::string* why_not) {
  constexpr int64_t kSecond = 1'000'000'000;
  const int saved_errno = errno;
  const int output = open_output();
  if (output < 0) {
    if (why_not != nullptr) *why_not = std::strerror(errno);
    errno = saved_errno;
    return "";
  }
  std::vector<char*> pointers{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);

  const std::unique_ptr<Errand> errand(new Errand);
  errand->program = program.c_str();
  errand->arguments = pointers.data();
  errand->output = output;
  errand->budget = {budget_ns / kSecond, budget_ns % kSecond};
  send_attendant(errand.get());
  if (why_not != nullptr) say_why(*errand, why_not);
  std::string content = content_of(output);
  close(output);
  errno = saved_errno;
  return content;
}

int64_t helpers_cpu_ns() { return g_helpers_cpu_ns.load(); }

}  // namespace poprt
