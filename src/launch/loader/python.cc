#include "launch/loader/python.h"

#include <glob.h>

#include <vector>

#include "launch/loader/libraries.h"

namespace poprt {
namespace {

// Escapes what glob() would interpret.
std::string literally(const std::string& path) {
  std::string result;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string first_match(const std::string& pattern) {
  std::string path;
  glob_t matches = {};
  if (glob(pattern.c_str(), 0, nullptr, &matches) == 0) {
    path = matches.gl_pathv[0];
  }
  globfree(&matches);
  return path;
}

// "3.11" for python3.11; "3*" if the name has no version.
std::string version_in(const std::string& name) {
  const size_t digit = name.find_first_of("0123456789");
  if (digit == std::string::npos) return "3*";
  const size_t end = name.find_first_not_of("0123456789.", digit);
  const std::string version = name.substr(digit, end - digit);
  return version.find('.') == std::string::npos ? version + "*" : version;
}

}  // namespace

bool is_python(const std::string& binary) {
  const std::string name = base_name(binary);
  return name.rfind("python", 0) == 0 || name.rfind("pypy", 0) == 0;
}

std::string mpi4py_module(const std::string& command, const std::string& binary,
                          const Environment& environment) {
  std::vector<std::string> patterns;
  for (const std::string& folder :
       path_entries(value_of(environment, "PYTHONPATH"))) {
    patterns.push_back(literally(folder));
  }
  const std::string version = version_in(base_name(binary));
  std::vector<std::string> prefixes = {folder_of(folder_of(command)),
                                       folder_of(folder_of(binary))};
  if (const std::string home = value_of(environment, "HOME"); !home.empty()) {
    prefixes.push_back(home + "/.local");
  }
  prefixes.push_back("/usr/local");
  for (const std::string& prefix : prefixes) {
    const std::string lib = literally(prefix) + "/lib*/";
    for (const char* packages : {"/site-packages", "/dist-packages"}) {
      patterns.push_back(lib + "python" + version + packages);
      patterns.push_back(lib + "python3" + packages);  // on Debian
    }
  }
  for (const std::string& pattern : patterns) {
    const std::string module = first_match(pattern + "/mpi4py/MPI*.so");
    if (!module.empty()) return module;
  }
  return "";
}

}  // namespace poprt
