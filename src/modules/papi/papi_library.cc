#include "modules/papi/papi_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/kernel_text.h"

namespace poprt::modules::papi {
namespace {

// The versions whose functions are as in the header, then whatever a module
// system has put into the search path.
constexpr const char* kNames[] = {
    "libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0", "libpapi.so.7",
    "libpapi.so.6.0", "libpapi.so.6",   "libpapi.so"};
constexpr int kOldest = 6;  // major version

unsigned long own_thread() {
  return static_cast<unsigned long>(pthread_self());
}

bool is_loaded_already() {
  for (const char* const name : kNames) {
    if (dlopen(name, RTLD_LAZY | RTLD_NOLOAD) != nullptr) return true;
  }
  return false;
}

void* open_library() {
  for (const char* const name : kNames) {
    if (void* const found = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return found;
  }
  return nullptr;
}

bool find_functions(void* from, Library* library) {
  const auto find = [from](const char* name, auto* function) {
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(
        dlsym(from, name));
    return *function != nullptr;
  };
  return find("PAPI_library_init", &library->library_init) &&
         find("PAPI_thread_init", &library->thread_init) &&
         find("PAPI_register_thread", &library->register_thread) &&
         find("PAPI_unregister_thread", &library->unregister_thread) &&
         find("PAPI_multiplex_init", &library->multiplex_init) &&
         find("PAPI_create_eventset", &library->create_eventset) &&
         find("PAPI_assign_eventset_component",
              &library->assign_eventset_component) &&
         find("PAPI_get_event_component", &library->get_event_component) &&
         find("PAPI_set_multiplex", &library->set_multiplex) &&
         find("PAPI_event_name_to_code", &library->event_name_to_code) &&
         find("PAPI_add_event", &library->add_event) &&
         find("PAPI_start", &library->start) &&
         find("PAPI_read", &library->read) &&
         find("PAPI_stop", &library->stop) &&
         find("PAPI_cleanup_eventset", &library->cleanup_eventset) &&
         find("PAPI_destroy_eventset", &library->destroy_eventset) &&
         find("PAPI_strerror", &library->strerror) &&
         find("PAPI_num_components", &library->num_components) &&
         find("PAPI_get_component_info", &library->get_component_info);
}

std::string version_text(int version) {
  return std::to_string(PAPI_VERSION_MAJOR(version)) + "." +
         std::to_string(PAPI_VERSION_MINOR(version));
}

// Of the kernel, or -1: how much of perf_event users may not have.
int perf_event_paranoid() {
  const std::string text = kernel_text("/proc/sys/kernel/perf_event_paranoid");
  return text.empty() ? -1 : std::atoi(text.c_str());
}

}  // namespace

std::string load(Library* library) {
  if (is_loaded_already()) {
    return "the program uses PAPI itself, and a thread cannot count for two: "
           "its counters are left to it";
  }
  void* const found = open_library();
  if (found == nullptr) {
    return "PAPI is not there: install it, or add the folder of libpapi.so to "
           "LD_LIBRARY_PATH";
  }
  if (!find_functions(found, library)) {
    return "PAPI is too old: version 6 or newer is needed";
  }
  // PAPI wants to be asked for its own version.
  int version = library->library_init(PAPI_VER_CURRENT);
  if (version > 0 && version != PAPI_VER_CURRENT &&
      PAPI_VERSION_MAJOR(version) >= kOldest) {
    version = library->library_init(version);
  }
  if (version > 0 && PAPI_VERSION_MAJOR(version) < kOldest) {
    return "PAPI " + version_text(version) +
           " is too old: version 6 or newer is needed";
  }
  if (version <= 0) {
    return std::string("PAPI cannot start: ") + library->strerror(version);
  }
  const int status = library->thread_init(own_thread);
  if (status != PAPI_OK) {
    return std::string("PAPI has no threads: ") + library->strerror(status);
  }
  return "";
}

std::string why_no_processor(const Library& library) {
  const int count = library.num_components();
  for (int i = 0; i < count; ++i) {
    const PAPI_component_info_t* const info = library.get_component_info(i);
    if (info == nullptr || std::strcmp(info->name, "perf_event") != 0 ||
        info->disabled == 0) {
      continue;
    }
    std::string why =
        std::string(info->disabled_reason,
                    strnlen(info->disabled_reason, PAPI_HUGE_STR_LEN));
    if (const int level = perf_event_paranoid(); level > 2 && geteuid() != 0) {
      why += "; kernel.perf_event_paranoid is " + std::to_string(level) +
             ", with 2 or less users may count";
    }
    return why;
  }
  return "";
}

}  // namespace poprt::modules::papi
