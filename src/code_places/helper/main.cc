// poprt-locations: names return addresses.
//
// usage: poprt-locations MODULE<TAB>OFFSET...
//
// Started by the library (src/code_places/source_location.cc) in a process of
// its own, so that libdw and what it reads are not in the user's.  An offset is
// an ELF virtual address in hexadecimal.  Writes a line for each argument, at
// once: "solver.c:123 (solve)", "solve+0x1a", "near solve+0x1a3f", or an empty
// one.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "code_places/helper/debug_info.h"
#include "code_places/helper_start.h"

int main(int count, char** arguments) {
  poprt::begin_as_helper();
  std::map<std::string, poprt::DebugInfo> files;
  for (int i = 1; i < count; ++i) {
    const std::string question = arguments[i];
    const size_t tab = question.rfind('\t');
    if (tab == std::string::npos) {
      std::fprintf(stderr, "usage: poprt-locations MODULE<TAB>OFFSET...\n");
      return 2;
    }
    const std::string path = question.substr(0, tab);
    const uint64_t offset =
        std::strtoull(question.c_str() + tab + 1, nullptr, 16);
    poprt::DebugInfo& file = files.try_emplace(path, path).first->second;
    std::printf("%s\n", file.location(offset).c_str());
    std::fflush(stdout);
  }
  return 0;
}
