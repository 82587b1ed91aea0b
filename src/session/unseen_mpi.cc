#include "session/unseen_mpi.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdlib>

#include "base/kept_environment.h"
#include "base/launchers.h"

namespace poprt {
namespace {

std::atomic<bool> g_known{false};

bool is_initialized(void* scope) {
  void* const found = dlsym(scope, "PMPI_Initialized");
  if (found == nullptr) return false;
  int initialized = 0;
  reinterpret_cast<int (*)(int*)>(found)(&initialized);
  return initialized != 0;
}

struct Images {
  bool initialized = false;
  bool some_unloaded = false;
};

// A library that was loaded with RTLD_LOCAL, as by Python, is not found by
// looking up names in the global scope.
int look_into(dl_phdr_info* info, size_t, void* result) {
  Images& images = *static_cast<Images*>(result);
  images.some_unloaded = info->dlpi_subs > 0;
  if (info->dlpi_name == nullptr || info->dlpi_name[0] == '\0') return 0;
  void* const image = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (image == nullptr) return 0;
  images.initialized = is_initialized(image);
  dlclose(image);
  return images.initialized ? 1 : 0;
}

// Whether an MPI's launcher has started this process as one of several.
bool is_one_of_several() {
  for (const char* const name : kMpiProcesses) {
    const char* const size = name == nullptr ? nullptr : kept_variable(name);
    if (size != nullptr && std::atoi(size) > 1) return true;
  }
  return false;
}

Images images_now() {
  Images images;
  images.initialized = is_initialized(RTLD_DEFAULT);
  if (!images.initialized) dl_iterate_phdr(look_into, &images);
  return images;
}

}  // namespace

bool has_initialized_mpi() { return images_now().initialized; }

bool in_unseen_mpi() {
  if (g_known.load()) return true;
  Images images = images_now();
  // MPI may have been loaded and unloaded between two looks.
  if (!images.initialized && images.some_unloaded && is_one_of_several()) {
    images.initialized = true;
  }
  if (images.initialized) g_known.store(true);
  return images.initialized;
}

}  // namespace poprt
