// Reads signals from a file, and makes children leave a status.
#ifndef POPRT_LAUNCH_PROCESS_SIGNAL_FILE_H_
#define POPRT_LAUNCH_PROCESS_SIGNAL_FILE_H_

#include <csignal>
#include <vector>

namespace poprt {

// Until the end of its scope these signals have no effect but can be read from
// file().
class SignalFile {
 public:
  explicit SignalFile(const std::vector<int>& signals);
  ~SignalFile();
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  // Becomes readable when a signal has come; -1, with errno, if that is not
  // possible.
  int file() const { return file_; }
  // The signals that were blocked before.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
  int file_ = -1;
};

// Until the end of its scope children leave a status, even if SIGCHLD was
// ignored before.
class WaitableChildren {
 public:
  WaitableChildren();
  ~WaitableChildren() { restore(); }
  WaitableChildren(const WaitableChildren&) = delete;
  WaitableChildren& operator=(const WaitableChildren&) = delete;

  // Restores the earlier setting: in a child, for its program.
  void restore() const;

 private:
  struct sigaction before_;
};

}  // namespace poprt

#endif  // POPRT_LAUNCH_PROCESS_SIGNAL_FILE_H_
