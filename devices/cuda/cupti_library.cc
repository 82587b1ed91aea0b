#include "devices/cuda/cupti_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace poprt::cuda {
namespace {

constexpr const char* kDriver = "libcuda.so.1";
// A driver refuses a CUPTI that is newer, so one that is there already, or
// beside the program's own CUDA, goes before these.
constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12",
                                  "libcupti.so.11.8"};

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

// The file behind a name or a link.
std::string real_path(const std::string& path) {
  char* const found = realpath(path.c_str(), nullptr);
  if (found == nullptr) return path;
  std::string real = found;
  std::free(found);
  return real;
}

// Of the library that dlopen() returned.
std::string path_of(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return "";
  return map->l_name;
}

// A library to link with, of which all functions fail.
bool is_stub(const std::string& path) {
  constexpr std::string_view kFolder = "/stubs/";
  return path.find(kFolder) != std::string::npos ||
         real_path(path).find(kFolder) != std::string::npos;
}

std::string folder_of_runtime() {
  std::string folder;
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* data) {
        const std::string path =
            image->dlpi_name == nullptr ? "" : image->dlpi_name;
        const std::string begin = folder_of(path);
        if (path.compare(begin.size(), 12, "libcudart.so") != 0) return 0;
        *static_cast<std::string*>(data) = begin;
        return 1;
      },
      &folder);
  return folder;
}

void* open_in(const std::string& folder) {
  for (const char* const name : kNames) {
    const std::string path = folder + name;
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
  }
  return nullptr;
}

void* open_cupti(const CuptiPlaces& places) {
  if (!places.named.empty()) {
    return dlopen(places.named.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  for (const char* const name : kNames) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (library != nullptr) return library;
  }
  void* library = nullptr;
  if (const std::string folder = folder_of_runtime(); !folder.empty()) {
    library = open_in(folder);
  }
  if (library == nullptr && !places.home.empty()) {
    library = open_in(places.home + "/extras/CUPTI/lib64/");
    if (library == nullptr) library = open_in(places.home + "/lib64/");
  }
  return library != nullptr ? library : open_in("");
}

bool find_functions(void* from, Cupti* cupti) {
  const auto find = [from](const char* name, auto* function) {
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(
        dlsym(from, name));
    return *function != nullptr;
  };
  find("cuptiSubscribe_v2", &cupti->subscribe_v2);
  find("cuptiActivityRegisterTimestampCallback", &cupti->register_timestamp);
  find("cuptiActivitySetAttribute", &cupti->set_attribute);
  return find("cuptiGetVersion", &cupti->get_version) &&
         find("cuptiGetResultString", &cupti->get_result_string) &&
         find("cuptiGetCallbackName", &cupti->get_callback_name) &&
         find("cuptiSubscribe", &cupti->subscribe) &&
         find("cuptiUnsubscribe", &cupti->unsubscribe) &&
         find("cuptiEnableCallback", &cupti->enable_callback) &&
         find("cuptiGetDeviceId", &cupti->get_device) &&
         find("cuptiActivityEnable", &cupti->enable_activity) &&
         find("cuptiActivityRegisterCallbacks", &cupti->register_buffers) &&
         find("cuptiActivityGetNextRecord", &cupti->get_next_record) &&
         find("cuptiActivityFlushAll", &cupti->flush) &&
         find("cuptiActivityGetNumDroppedRecords", &cupti->get_dropped) &&
         find("cuptiGetTimestamp", &cupti->get_timestamp);
}

std::string load(const CuptiPlaces& places, LoadedCupti* loaded) {
  // CUPTI would load it itself, from wherever it finds one.
  void* const driver = dlopen(kDriver, RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr) {
    return std::string("there is no driver (") + kDriver + ")";
  }
  loaded->driver = path_of(driver);
  if (is_stub(loaded->driver)) {
    return loaded->driver +
           " is not the driver, but made for linking: take its folder out of "
           "LD_LIBRARY_PATH";
  }
  void* const library = open_cupti(places);
  if (library == nullptr) {
    return places.named.empty()
               ? "CUPTI is not there: name libcupti.so of the program's CUDA "
                 "in POPRT_CUPTI"
               : places.named + " (POPRT_CUPTI) cannot be loaded";
  }
  loaded->path = path_of(library);
  if (!find_functions(library, &loaded->functions) ||
      loaded->functions.get_version(&loaded->version) != kSuccess) {
    return loaded->path + " lacks functions of CUPTI 11 or newer";
  }
  return "";
}

}  // namespace

std::string Cupti::error(int result) const {
  const char* name = nullptr;
  const bool is_known =
      get_result_string(result, &name) == kSuccess && name != nullptr;
  return is_known ? name : "error " + std::to_string(result);
}

LoadedCupti load_cupti(const CuptiPlaces& places) {
  LoadedCupti loaded;
  loaded.why_not = load(places, &loaded);
  dlerror();  // The program's next call shall not find the text of ours.
  return loaded;
}

int subscribe(const Cupti& cupti, Callback* callback, void** subscriber,
              std::string* other) {
  char name[128] = "";
  SubscriberParams params = {sizeof params, "poprt", name, sizeof name};
  // The newer function names the tool that is there.
  const int result =
      cupti.subscribe_v2 != nullptr
          ? cupti.subscribe_v2(subscriber, callback, nullptr, &params)
          : cupti.subscribe(subscriber, callback, nullptr);
  name[sizeof name - 1] = '\0';
  *other = name;
  return result;
}

std::string version_text(uint32_t version) {
  if (version < 10000) return "API " + std::to_string(version);
  return std::to_string(version / 10000) + "." +
         std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace poprt::cuda
