#include "devices/cuda/probe.h"

#include <dlfcn.h>

#include <cstdint>

namespace poprt::cuda {
namespace {

void no_callback(void*, int, uint32_t, const void*) {}

// "CUDA 13.0"; empty if the driver does not say.
std::string newest_cuda() {
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return "";
  const auto get_version =
      reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
  int version = 0;
  const bool is_told = get_version != nullptr && get_version(&version) == 0;
  dlclose(library);
  if (!is_told) return "";
  return "CUDA " + std::to_string(version / 1000) + "." +
         std::to_string(version / 10 % 100);
}

}  // namespace

CuptiProbe probe_cupti(const CuptiPlaces& places) {
  CuptiProbe probe;
  const LoadedCupti loaded = load_cupti(places);
  probe.has_driver = !loaded.driver.empty();
  probe.driver = loaded.driver;
  probe.why_not = loaded.why_not;
  if (!probe.why_not.empty()) return probe;
  if (const std::string newest = newest_cuda(); !newest.empty()) {
    probe.driver += ", for " + newest + " or older";
  }
  probe.cupti = version_text(loaded.version) + " (" + loaded.path + ")";
  void* subscriber = nullptr;
  std::string other;
  const int result =
      subscribe(loaded.functions, no_callback, &subscriber, &other);
  if (result == kSuccess) {
    loaded.functions.unsubscribe(subscriber);
  } else if (result == kOtherSubscriber) {
    probe.other_tool = other.empty() ? "one without a name" : other;
  } else {
    probe.why_not = "CUPTI says " + loaded.functions.error(result);
  }
  return probe;
}

}  // namespace poprt::cuda
