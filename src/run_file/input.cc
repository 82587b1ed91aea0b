#include "run_file/input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "document/format.h"

namespace poprt {
namespace {

// With 10^5 processes, rows take about thirty million bytes for each region.
constexpr size_t kLargestFile = size_t{1} << 30;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::optional<std::string> read_input(const std::string& path,
                                      std::string* complaint) {
  const bool standard_input = path == "-";
  std::unique_ptr<std::FILE, CloseFile> opened;
  if (!standard_input) opened.reset(std::fopen(path.c_str(), "rb"));
  std::FILE* const file = standard_input ? stdin : opened.get();
  const auto cannot_read = [&](const char* why) {
    *complaint = printable(path) + ": cannot be read: " + why;
    return std::nullopt;
  };
  if (file == nullptr) return cannot_read(std::strerror(errno));
  std::string text;
  std::vector<char> buffer(size_t{1} << 16);
  size_t length;
  while ((length = std::fread(buffer.data(), 1, buffer.size(), file)) > 0) {
    text.append(buffer.data(), length);
    if (text.size() > kLargestFile) {
      return cannot_read("too large for a run file");
    }
  }
  if (std::ferror(file)) return cannot_read(std::strerror(errno));
  return text;
}

std::string input_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

}  // namespace poprt
