#include "launch/process/signal_file.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace poprt {

SignalFile::SignalFile(const std::vector<int>& signals) {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : signals) sigaddset(&blocked, signal);
  sigprocmask(SIG_BLOCK, &blocked, &before_);
  file_ = signalfd(-1, &blocked, SFD_CLOEXEC);
}

SignalFile::~SignalFile() {
  if (file_ >= 0) close(file_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

WaitableChildren::WaitableChildren() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, &before_);
}

void WaitableChildren::restore() const {
  sigaction(SIGCHLD, &before_, nullptr);
}

}  // namespace poprt
