#include "base/kernel_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>

namespace poprt {

std::string rest_of_file(int file, size_t most) {
  constexpr size_t kPart = 4096;
  std::string text;
  for (size_t filled = 0; filled < most;) {
    text.resize(std::min(filled + kPart, most));
    const ssize_t length =
        read(file, text.data() + filled, text.size() - filled);
    filled += static_cast<size_t>(std::max<ssize_t>(length, 0));
    text.resize(filled);
    if (length <= 0) break;
  }
  return text;
}

std::string kernel_text(const std::string& path, size_t most) {
  // Does not wait where somebody has put a pipe.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return "";
  std::string text = rest_of_file(file, most);
  close(file);
  text.erase(text.find_last_not_of(" \n\t") + 1);
  return text;
}

const char* stat_field(const std::string& stat, int field) {
  size_t at = stat.rfind(')');
  for (int behind = 2; behind < field && at != std::string::npos; ++behind) {
    at = stat.find(' ', at + 1);
  }
  return at == std::string::npos ? nullptr : stat.c_str() + at + 1;
}

std::string own_executable() {
  std::string path(PATH_MAX, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return path;
}

std::vector<std::string> own_command() {
  std::vector<std::string> command;
  const std::string line = kernel_text("/proc/self/cmdline", SIZE_MAX);
  for (size_t i = 0; i < line.size();) {
    size_t end = line.find('\0', i);
    if (end == std::string::npos) end = line.size();
    command.push_back(line.substr(i, end - i));
    i = end + 1;
  }
  return command;
}

pid_t parent_of(const std::string& folder) {
  constexpr int kParent = 4;
  const std::string stat = kernel_text(folder + "/stat");
  const char* const field = stat_field(stat, kParent);
  return field == nullptr ? 0 : std::atoi(field);
}

}  // namespace poprt
