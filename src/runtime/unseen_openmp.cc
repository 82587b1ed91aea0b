#include "runtime/unseen_openmp.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {
namespace {

const void* image_of(const void* address) {
  Dl_info info;
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase
                                                           : nullptr;
}

// The first GOMP_parallel that the loader finds is LLVM's, which has functions
// that GCC's has not.
bool llvm_answers() {
  const void* const llvm = image_of(dlsym(RTLD_DEFAULT, "kmp_get_blocktime"));
  return llvm != nullptr &&
         llvm == image_of(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// The paths of all that is loaded as GCC's runtime.  Python packages bring it
// with a name of their own (libgomp-a34b3233.so.1.0.0), each for itself.
std::vector<std::string> loaded_libgomps() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        const std::string_view path = info->dlpi_name;
        if (base_name(path).substr(0, 7) == "libgomp") {
          static_cast<std::vector<std::string>*>(result)->emplace_back(path);
        }
        return 0;
      },
      &paths);
  return paths;
}

// How many threads the calling thread's next parallel region would have.
int threads_of(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 1;
  void* const found = dlsym(handle, "omp_get_max_threads");
  const int threads =
      found == nullptr ? 1 : reinterpret_cast<int (*)()>(found)();
  dlclose(handle);
  return threads;
}

std::string existing(const std::string& path) {
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

// Its name as Debian has it, as LLVM has it, and Intel's build of it.
std::string libomp_in(const std::string& folder) {
  for (const char* name : {"libomp.so.5", "libomp.so", "libiomp5.so"}) {
    const std::string path = existing(folder + "/" + name);
    if (!path.empty()) return path;
  }
  return "";
}

std::string libomp_in_search_path() {
  const char* const variable = std::getenv("LD_LIBRARY_PATH");
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

// Of LLVM's own folders that of the newest version.
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

// A libomp to preload; its mere name where none is found.
std::string libomp() {
  std::string path = libomp_in_search_path();
  for (const std::string& gomp : loaded_libgomps()) {
    if (path.empty()) path = libomp_in(folder_of(gomp));
  }
  if (path.empty()) path = libomp_of_llvm();
  return path.empty() ? "libomp.so" : path;
}

// This library, as the program's user has named it.
std::string own_path() {
  Dl_info here;
  return dladdr(reinterpret_cast<void*>(&own_path), &here) != 0 &&
                 here.dli_fname != nullptr
             ? here.dli_fname
             : "libpoprt.so";
}

}  // namespace

bool has_unseen_openmp() {
  const std::vector<std::string> paths = loaded_libgomps();
  if (paths.empty() || llvm_answers()) return false;
  for (const std::string& path : paths) {
    if (threads_of(path) > 1) return true;
  }
  return false;
}

std::string unseen_openmp_note() {
  // Notes are sorted, and long lists cut: a capital letter comes first.
  return "GCC's OpenMP runtime tells tools nothing; its threads, if any, are "
         "not seen. To see them, preload LLVM's in its place: LD_PRELOAD=" +
         own_path() + ":" + libomp();
}

}  // namespace poprt
