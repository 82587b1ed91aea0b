#include "launch/process/run_watch.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace poprt {
namespace {

// A random name, which no other process has on any node.
std::string new_name() {
  uint64_t parts[2];
  if (getrandom(parts, sizeof parts, 0) != sizeof parts) return "";
  return fmt::format("poprt-{:016x}{:016x}", parts[0], parts[1]);
}

// A socket with that name that tells who sends; -1 for none.
int open_named(const std::string& name) {
  const int file =
      socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0) return -1;
  sockaddr_un address;
  const socklen_t length = run_word_address(name, &address);
  const int yes = 1;
  if (setsockopt(file, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) == 0 &&
      bind(file, reinterpret_cast<const sockaddr*>(&address), length) == 0) {
    return file;
  }
  close(file);
  return -1;
}

// A program that root starts may have become another user.
bool is_own(msghdr* message) {
  const cmsghdr* const head = CMSG_FIRSTHDR(message);
  if (head == nullptr || head->cmsg_level != SOL_SOCKET ||
      head->cmsg_type != SCM_CREDENTIALS) {
    return false;
  }
  ucred sender;
  std::memcpy(&sender, CMSG_DATA(head), sizeof sender);
  return geteuid() == 0 || sender.uid == geteuid();
}

}  // namespace

RunWatch::RunWatch() : name_(new_name()) {
  if (!name_.empty()) file_ = open_named(name_);
  if (file_ < 0) name_.clear();
}

RunWatch::~RunWatch() {
  if (file_ >= 0) close(file_);
}

void RunWatch::listen() {
  while (true) {
    char text[1 + kLongestRunText];
    iovec content = {text, sizeof text};
    alignas(cmsghdr) char sender[CMSG_SPACE(sizeof(ucred))];
    msghdr message = {};
    message.msg_iov = &content;
    message.msg_iovlen = 1;
    message.msg_control = sender;
    message.msg_controllen = sizeof sender;
    const ssize_t length = recvmsg(file_, &message, MSG_DONTWAIT);
    if (length < 0) return;
    if (length < 1 || !is_own(&message)) continue;
    const auto word = static_cast<RunWord>(text[0]);
    note(word);
    std::string* const kept = word == RunWord::kPieces       ? &pieces_
                              : word == RunWord::kNotPrinted ? &run_file_
                                                             : nullptr;
    if (kept != nullptr)
      kept->assign(text + 1, static_cast<size_t>(length - 1));
  }
}

std::string why_no_report(const RunWords& heard, int status) {
  const auto has = [&](RunWord word) { return heard.count(word) != 0; };
  if (has(RunWord::kReport) || has(RunWord::kExplained) ||
      !has(RunWord::kStarted)) {
    return "";
  }
  if (has(RunWord::kAborted)) return "the program called MPI_Abort";
  if (WIFSIGNALED(status)) {
    return fmt::format("the command was ended by signal {} ({})",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  const std::string end =
      WEXITSTATUS(status) == 0
          ? ""
          : fmt::format("the exit code was {}, and ", WEXITSTATUS(status));
  if (has(RunWord::kMeasuring)) {
    return end +
           "the measured process came to no end that the library sees "
           "(MPI_Finalize; without MPI, exit)";
  }
  if (has(RunWord::kNothing)) {
    return end +
           "the program called neither MPI_Init nor OpenMP nor a region (a "
           "serial one that marks its work with pop_region_start is measured, "
           "as a baseline for poprt scale)" +
           (has(RunWord::kNoMpi) ? ", as far as is seen without MPI: poprt run "
                                   "--mpi=openmpi, mpich or PATH measures one "
                                   "that it loads itself"
                                 : "");
  }
  return end +
         "nothing was heard of the library: the program was killed or ended at "
         "once (_exit), LD_PRELOAD has not reached it (a static one behind a "
         "script?), or it ran in a network namespace of its own (then the "
         "report and the run file are where the library says)";
}

}  // namespace poprt
