#include "launch/loader/program_loader.h"

#include <cstddef>
#include <string_view>

namespace poprt {
namespace {

bool takes_a_value(const std::string& option) {
  for (const char* each :
       {"--library-path", "--preload", "--audit", "--argv0", "--inhibit-rpath",
        "--glibc-hwcaps-prepend", "--glibc-hwcaps-mask"}) {
    if (option == each) return true;
  }
  return false;
}

}  // namespace

bool is_program_loader(const Program& program) {
  // As any loader it needs none itself.
  if (program.kind != Kind::kStatic) return false;
  const std::string name = base_name(program.binary);
  for (const std::string_view begin : {"ld-", "ld.so", "ld64.so"}) {
    if (name.compare(0, begin.size(), begin) == 0) {
      return name.find(".so") != std::string::npos;
    }
  }
  return false;
}

LoaderLine loader_line(const std::vector<std::string>& words) {
  LoaderLine line;
  size_t i = 1;
  while (i < words.size() && words[i].compare(0, 2, "--") == 0) {
    const bool has_value = takes_a_value(words[i]) && i + 1 < words.size();
    if (has_value && words[i] == "--library-path") {
      line.library_path = words[i + 1];
    }
    i += has_value ? 2 : 1;
  }
  line.words.assign(words.begin() + static_cast<ptrdiff_t>(i), words.end());
  return line;
}

}  // namespace poprt
