#include "launch/process/child.h"

#include <unistd.h>

#include <cerrno>

namespace poprt {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) {
    result.push_back(const_cast<char*>(text.c_str()));
  }
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> lines_of(const Environment& environment) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : environment) {
    lines.push_back(name + "=" + value);
  }
  return lines;
}

void become_program(const std::string& path, char* const* arguments,
                    char* const* environment, int pipe) {
  // Like a shell: a file that is no program is given to /bin/sh.
  execvpe(path.c_str(), arguments, environment);
  const int error = errno;
  if (write(pipe, &error, sizeof error) < 0) _exit(127);
  _exit(127);
}

int start_error(int pipe) {
  int error = 0;
  ssize_t length;
  do {
    length = read(pipe, &error, sizeof error);
  } while (length < 0 && errno == EINTR);
  return length == static_cast<ssize_t>(sizeof error) ? error : 0;
}

}  // namespace poprt
