// Signals as something to read, and children as something to wait for.
#ifndef POPRT_LAUNCH_SIGNAL_FILE_H_
#define POPRT_LAUNCH_SIGNAL_FILE_H_

#include <csignal>
#include <vector>

namespace poprt {

// To the end of a scope these signals have no effect, but can be read.
class SignalFile {
 public:
  explicit SignalFile(const std::vector<int>& signals);
  ~SignalFile();
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  // Can be read once one has come; -1, with errno, where that cannot be known.
  int file() const { return file_; }
  // Which signals were blocked before.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
  int file_ = -1;
};

// To the end of a scope children leave a status, also where SIGCHLD was ignored
// before.
class WaitableChildren {
 public:
  WaitableChildren();
  ~WaitableChildren() { restore(); }
  WaitableChildren(const WaitableChildren&) = delete;
  WaitableChildren& operator=(const WaitableChildren&) = delete;

  // As it was before: in a child, for its program.
  void restore() const;

 private:
  struct sigaction before_;
};

}  // namespace poprt

#endif  // POPRT_LAUNCH_SIGNAL_FILE_H_
