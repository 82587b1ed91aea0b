#include "base/run_word.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "base/kept_environment.h"
#include "base/no_cancellation.h"

namespace poprt {
namespace {

// The receiver may be stopped (Ctrl-Z), and then its socket takes only a few.
constexpr timeval kLongestWait = {0, 100'000};

bool send_to(std::string_view name, const std::string& message) {
  sockaddr_un address;
  const socklen_t length = run_word_address(name, &address);
  const int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (file < 0) return false;
  setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &kLongestWait, sizeof kLongestWait);
  const bool sent =
      sendto(file, message.data(), message.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&address), length) > 0;
  close(file);
  return sent;
}

}  // namespace

socklen_t run_word_address(std::string_view name, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  // A name after a 0 byte is not a path.
  const size_t length = std::min(name.size(), sizeof address->sun_path - 1);
  std::memcpy(address->sun_path + 1, name.data(), length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

bool tell_run(RunWord word, std::string_view text) {
  const char* const name = kept_variable(kRunWordVariable);
  if (name == nullptr || *name == '\0' || text.size() > kLongestRunText) {
    return false;
  }
  const int saved = errno;
  const NoCancellation whole;
  std::string message(1, static_cast<char>(word));
  message += text;
  const bool sent = send_to(name, message);
  errno = saved;
  return sent;
}

}  // namespace poprt
