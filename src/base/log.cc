#include "base/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/stream.h"

namespace poprt {
namespace {

std::atomic<bool> g_closed{false};
// How long the program can be made to wait for the reader of stderr, in all.
std::atomic<int64_t> g_patience_ns{1'000'000'000};

}  // namespace

void look_at_stderr() {
  const int error = errno;
  g_closed.store(fcntl(STDERR_FILENO, F_GETFD) < 0);
  errno = error;
}

size_t write_stderr(const std::string& text) {
  if (g_closed.load()) {
    errno = EBADF;
    return 0;
  }
  int64_t patience_ns = g_patience_ns.load();
  const size_t written = write_stream(STDERR_FILENO, text, &patience_ns);
  g_patience_ns.store(patience_ns);
  return written;
}

void say(const std::string& message) {
  const int saved = errno;
  write_stderr("poprt: " + message + "\n");
  errno = saved;
}

}  // namespace poprt
