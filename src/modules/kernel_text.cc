#include "modules/kernel_text.h"

#include <fcntl.h>
#include <unistd.h>

namespace poprt::modules {

std::string kernel_text(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  char text[4096];
  const ssize_t length = read(file, text, sizeof text);
  close(file);
  if (length <= 0) return "";
  std::string result(text, static_cast<size_t>(length));
  result.erase(result.find_last_not_of(" \n\t") + 1);
  return result;
}

}  // namespace poprt::modules
