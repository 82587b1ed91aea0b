#include "base/kernel_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace poprt {

std::string kernel_text(const std::string& path, size_t most) {
  // Does not wait where somebody has put a pipe.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return "";
  std::string text;
  char part[4096];
  while (text.size() < most) {
    const ssize_t length =
        read(file, part, std::min(sizeof part, most - text.size()));
    if (length <= 0) break;
    text.append(part, static_cast<size_t>(length));
  }
  close(file);
  text.erase(text.find_last_not_of(" \n\t") + 1);
  return text;
}

}  // namespace poprt
