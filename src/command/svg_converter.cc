#include "command/svg_converter.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "command/arguments.h"
#include "launch/process/signal_file.h"

namespace poprt {
namespace {

constexpr char kConverter[] = "rsvg-convert";

struct FileEnd {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, FileEnd>;

// Runs the converter from one file to the other.  Returns its status, as
// waitpid() does; -1 with errno if it cannot be started.
int convert(std::FILE* from, std::FILE* to, const std::string& format) {
  std::string program = kConverter;
  std::string form = "--format=" + format;
  // Sizes in mm become pixels, and those of a PDF are what they are.
  std::string across = "--dpi-x=300";
  std::string down = "--dpi-y=300";
  const std::array<char*, 5> arguments = {program.data(), form.data(),
                                          across.data(), down.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(from), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(to), STDOUT_FILENO);
  const WaitableChildren waitable;
  pid_t child = -1;
  const int error = posix_spawnp(&child, kConverter, &actions, nullptr,
                                 arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string contents_of(std::FILE* file) {
  std::string text;
  std::rewind(file);
  std::array<char, 65536> buffer;
  while (const size_t size =
             std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), size);
  }
  return text;
}

}  // namespace

std::optional<std::string> converted(const std::string& svg,
                                     const std::string& format) {
  const TemporaryFile from(std::tmpfile());
  const TemporaryFile to(std::tmpfile());
  if (from == nullptr || to == nullptr ||
      std::fwrite(svg.data(), 1, svg.size(), from.get()) != svg.size() ||
      std::fflush(from.get()) != 0) {
    complain(fmt::format("no temporary file for {}: {}", kConverter,
                         std::strerror(errno)));
    return std::nullopt;
  }
  std::rewind(from.get());
  const int status = convert(from.get(), to.get(), format);
  if (status == -1 && errno == ENOENT) {
    complain(fmt::format(
        "{} is not here, which makes {} of SVG (Debian: librsvg2-bin): write "
        ".svg.",
        kConverter, format == "pdf" ? "PDF" : "PNG"));
    return std::nullopt;
  }
  if (status == -1) {
    complain(fmt::format("{} cannot be started: {}", kConverter,
                         std::strerror(errno)));
    return std::nullopt;
  }
  std::string result = contents_of(to.get());
  if (status != 0 || result.empty()) {
    complain(fmt::format("{} has failed: write .svg.", kConverter));
    return std::nullopt;
  }
  return result;
}

}  // namespace poprt
