#include "runtime/log.h"

#include <unistd.h>

#include <cerrno>

namespace poprt {

void write_stderr(const std::string& text) {
  const char* rest = text.data();
  size_t left = text.size();
  while (left > 0) {
    const ssize_t written = write(STDERR_FILENO, rest, left);
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    if (written > 0) {
      rest += written;
      left -= static_cast<size_t>(written);
    }
  }
}

void say(const std::string& message) {
  const int saved = errno;
  write_stderr("poprt: " + message + "\n");
  errno = saved;
}

}  // namespace poprt
