#include "base/stream.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "base/monotonic.h"
#include "base/no_cancellation.h"

namespace poprt {
namespace {

constexpr int kSignals[] = {SIGPIPE, SIGXFSZ, SIGTTOU};
constexpr int64_t kMillisecond = 1'000'000;

// A file to which write() never blocks.
class Sink {
 public:
  explicit Sink(int file) : file_(file) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return;
    socket_ = S_ISSOCK(facts.st_mode);
    const bool terminal = S_ISCHR(facts.st_mode) && isatty(file) == 1 &&
                          // /dev/tty opened again would be another terminal.
                          facts.st_rdev != makedev(5, 2);
    waits_ = (S_ISFIFO(facts.st_mode) || terminal) && !is_non_blocking(file);
    if (waits_) open_anew();
  }
  ~Sink() {
    if (own_) close(file_);
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  ssize_t write(std::string_view text) const {
    if (no_reader_) {
      errno = EPIPE;
      return -1;
    }
    if (socket_) {
      return send(file_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    if (!waits_) return ::write(file_, text.data(), text.size());
    // If poll() reports room, there is room for this much.
    pollfd ready = {file_, POLLOUT, 0};
    if (poll(&ready, 1, 0) == 0) {
      errno = EAGAIN;
      return -1;
    }
    return ::write(file_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
  }

  // Waits until something changes, at most so long.
  void wait(int64_t ns) const {
    const int64_t begin = monotonic_ns();
    const int64_t ms = std::clamp<int64_t>(ns / kMillisecond, 1, INT_MAX);
    pollfd ready = {file_, POLLOUT, 0};
    poll(&ready, 1, static_cast<int>(ms));
    // poll() may return at once although there is room for less than what is to
    // be written.
    if (monotonic_ns() - begin < kMillisecond) poll(nullptr, 0, 1);
  }

 private:
  static bool is_non_blocking(int file) {
    const int flags = fcntl(file, F_GETFL);
    return flags >= 0 && (flags & O_NONBLOCK) != 0;
  }

  // O_NONBLOCK is shared by all who have the file open.  The same pipe or
  // terminal opened again has a flag of its own.
  void open_anew() {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", file_);
    const int again = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (again < 0) {
      no_reader_ = errno == ENXIO;
      return;
    }
    // A number that is not one of the standard files, which the program may
    // have closed.
    const int apart = fcntl(again, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(again);
    if (apart < 0) return;
    file_ = apart;
    own_ = true;
    waits_ = false;
  }

  int file_;
  bool own_ = false;
  bool socket_ = false;
  bool waits_ = false;  // write() may block
  bool no_reader_ = false;
};

}  // namespace

NoWriteSignals::NoWriteSignals() {
  const int error = errno;
  sigpending(&pending_);
  sigemptyset(&blocked_);
  for (const int signal : kSignals) sigaddset(&blocked_, signal);
  pthread_sigmask(SIG_BLOCK, &blocked_, &before_);
  errno = error;
}

NoWriteSignals::~NoWriteSignals() {
  const int error = errno;
  // The signals that were raised meanwhile.
  sigset_t ours;
  sigemptyset(&ours);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (sigismember(&pending_, signal) == 0) sigaddset(&ours, signal);
  }
  const timespec now = {};
  while (sigtimedwait(&ours, nullptr, &now) > 0 || errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

size_t write_stream(int file, std::string_view text, int64_t* patience_ns) {
  const NoCancellation whole;
  const NoWriteSignals no_signals;
  const Sink sink(file);
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = sink.write(text.substr(done));
    if (written > 0) {
      done += static_cast<size_t>(written);
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written == 0 || errno != EAGAIN) break;
    if (*patience_ns <= 0) {
      errno = ETIMEDOUT;
      break;
    }
    const int64_t begin = monotonic_ns();
    sink.wait(*patience_ns);
    if (*patience_ns != kForever) *patience_ns -= monotonic_ns() - begin;
  }
  return done;
}

}  // namespace poprt
