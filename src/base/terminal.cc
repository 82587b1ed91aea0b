#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

#include "base/kept_environment.h"

namespace poprt {
namespace {

std::string_view variable(const char* name) {
  const char* const value = kept_variable(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool color_wanted(int stream) {
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view forced = variable("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  const std::string_view terminal = variable("TERM");
  return isatty(stream) == 1 && !terminal.empty() && terminal != "dumb";
}

size_t terminal_columns(int stream) {
  winsize window = {};
  if (ioctl(stream, TIOCGWINSZ, &window) != 0) return 0;
  const std::string_view columns = variable("COLUMNS");
  size_t width = 0;
  const auto [end, error] =
      std::from_chars(columns.data(), columns.data() + columns.size(), width);
  const bool is_number =
      error == std::errc() && end == columns.data() + columns.size();
  return is_number && width > 0 ? width : window.ws_col;
}

}  // namespace poprt
