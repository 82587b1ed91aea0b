#include "base/libomp_search.h"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/kept_environment.h"

namespace poprt {
namespace {

std::string existing(const std::string& path) {
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

// The names are Debian's, LLVM's, and that of Intel's build.
std::string libomp_in(const std::string& folder) {
  for (const char* name : {"libomp.so.5", "libomp.so", "libiomp5.so"}) {
    const std::string path = existing(folder + "/" + name);
    if (!path.empty()) return path;
  }
  return "";
}

std::string libomp_in_search_path() {
  const char* const variable = kept_variable("LD_LIBRARY_PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string folder(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string path = folder.empty() ? "" : libomp_in(folder);
    if (!path.empty()) return path;
  }
  return "";
}

// The newest version in LLVM's own folders.
std::string libomp_of_llvm() {
  std::string newest;
  glob_t matches = {};
  if (glob("/usr/lib*/llvm*/lib*/libomp.so*", 0, nullptr, &matches) == 0) {
    for (size_t i = 0; i < matches.gl_pathc; ++i) {
      const char* const path = matches.gl_pathv[i];
      if (strverscmp(path, newest.c_str()) > 0) newest = path;
    }
  }
  globfree(&matches);
  return newest;
}

}  // namespace

std::string find_libomp(const std::vector<std::string>& folders) {
  std::string path = libomp_in_search_path();
  for (const std::string& folder : folders) {
    if (path.empty()) path = libomp_in(folder);
  }
  return path.empty() ? libomp_of_llvm() : path;
}

}  // namespace poprt
