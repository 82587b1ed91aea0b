#include "session/unseen_openmp.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/libomp_search.h"
#include "document/shell_word.h"

namespace poprt {
namespace {

// Whether the first GOMP_parallel that the loader finds is LLVM's, which has
// functions that GCC's runtime lacks.
bool llvm_answers() {
  return are_of_one_image(dlsym(RTLD_DEFAULT, "kmp_get_blocktime"),
                          dlsym(RTLD_DEFAULT, "GOMP_parallel"));
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// The paths of all loaded copies of GCC's runtime.  Python packages bring their
// own, under names like libgomp-a34b3233.so.1.0.0.
std::vector<std::string> loaded_libgomps() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        const std::string_view path = info->dlpi_name;
        if (file_name(path).substr(0, 7) == "libgomp") {
          static_cast<std::vector<std::string>*>(result)->emplace_back(path);
        }
        return 0;
      },
      &paths);
  return paths;
}

// How many threads the next parallel region of the calling thread would have.
int threads_of(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 1;
  void* const found = dlsym(handle, "omp_get_max_threads");
  const int threads =
      found == nullptr ? 1 : reinterpret_cast<int (*)()>(found)();
  dlclose(handle);
  return threads;
}

// The path of a libomp to preload; only its name if none is found.
std::string libomp() {
  std::vector<std::string> folders;
  for (const std::string& gomp : loaded_libgomps()) {
    folders.push_back(folder_of(gomp));
  }
  const std::string path = find_libomp(folders);
  return path.empty() ? "libomp.so" : path;
}

// The path of this library as the user has given it.
std::string own_path() {
  const std::string path =
      image_of(reinterpret_cast<const void*>(&own_path)).path;
  return path.empty() ? "libpoprt.so" : path;
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
  // Notes are sorted and long lists are cut: a capital letter comes first.
  return "GCC's OpenMP runtime tells tools nothing; its threads, if any, are "
         "not seen. To see them, preload LLVM's in its place: LD_PRELOAD=" +
         shell_word(own_path() + ":" + libomp());
}

}  // namespace poprt
