#include "base/log.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/open_files.h"
#include "base/stream.h"

namespace poprt {
namespace {

// How long the program can be made to wait for the reader of stderr, in all.
std::atomic<int64_t> g_patience_ns{1'000'000'000};

}  // namespace

size_t write_stderr(const std::string& text) {
  if (why_not_written(STDERR_FILENO) != nullptr) {
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
