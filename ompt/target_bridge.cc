// LLVM's library of devices, libomptarget, asks the OpenMP runtime for the
// tool's callbacks when the first code for devices is registered.  It looks for
// the runtime by the name libomp.so.  Some distributions have it only as
// libomp.so.5, and then no tool hears of `target`.
//
// The bridge is an empty library of the name libomp.so that needs libomp.so.5.
// Opened before, it is what libomptarget finds.  A program that opens libomp.so
// itself finds the runtime's functions behind it, as well.
#include <dlfcn.h>

#include <atomic>
#include <string>

#include "base/image.h"
#include "ompt/real_function.h"
#include "ompt/target_callbacks.h"
#include "session/lifecycle.h"

namespace poprt::ompt {
namespace {

constexpr const char* kRuntime = "libomp.so.5";
constexpr const char* kNameOfRuntime = "libomp.so";

std::atomic<TargetBridge> g_bridge{TargetBridge::kUnneeded};
std::atomic<bool> g_tried{false};

bool is_loaded(const char* name) {
  void* const library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

// It is beside this library, in the folder above, or in poprt/.
bool open_beside(const std::string& own_path) {
  const std::string folder = own_path.substr(0, own_path.rfind('/') + 1);
  for (const char* place : {"", "../", "poprt/"}) {
    const std::string path = folder + place + kBridgeFile;
    // Never closed: libomptarget may look for it again.
    if (dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr) return true;
  }
  return false;
}

}  // namespace

TargetBridge target_bridge() { return g_bridge.load(); }

void open_target_bridge(const void* own_code) {
  // The OpenMP runtime starts here, perhaps before our own constructors.
  loaded();
  // Without LLVM's runtime, or with two, nothing is to be loaded.
  if (g_tried.exchange(true) || !wants_openmp_devices() ||
      is_loaded(kNameOfRuntime) || !is_loaded(kRuntime)) {
    return;
  }
  g_bridge.store(open_beside(image_of(own_code).path) ? TargetBridge::kOpen
                                                      : TargetBridge::kMissing);
  dlerror();  // The program's next call shall not find the text of ours.
}

}  // namespace poprt::ompt

// The program, and each of its libraries, calls this when it is loaded, if it
// has code for devices: before main, and a library before the constructors of
// what is preloaded.
extern "C" __attribute__((visibility("default"))) void __tgt_register_lib(
    void* code) {
  using Function = void(void*);
  Function* const function = POPRT_REAL(Function, "__tgt_register_lib");
  poprt::devices_starting();
  poprt::ompt::open_target_bridge(
      reinterpret_cast<const void*>(&__tgt_register_lib));
  function(code);
}
