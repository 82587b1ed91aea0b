// The exported side of include/poprt.h.
#include <string_view>

#include "runtime/events.h"
#include "runtime/lifecycle.h"

namespace poprt {
namespace {

// A thread that calls here first is the program's where nothing is measured
// yet, and unknown to OpenMP else.
Thread* region_thread() {
  if (!measuring() && !lifecycle::start_with_region()) return nullptr;
  return t_thread != nullptr ? t_thread
                             : &register_thread(ThreadKind::kForeign);
}

using Change = void (Process::*)(Thread&, std::string_view);

void change(const char* name, Change what) {
  Thread* const thread = region_thread();
  if (thread == nullptr || name == nullptr) return;
  if (std::string_view(name) == "Global") {
    measured_process().note("region name 'Global' is reserved; ignored");
    return;
  }
  thread->book(now_ns());
  (measured_process().*what)(*thread, name);
}

}  // namespace
}  // namespace poprt

extern "C" {

__attribute__((visibility("default"))) void pop_region_start(const char* name);
__attribute__((visibility("default"))) void pop_region_stop(const char* name);

void pop_region_start(const char* name) {
  poprt::change(name, &poprt::Process::region_start);
}

void pop_region_stop(const char* name) {
  poprt::change(name, &poprt::Process::region_stop);
}

}  // extern "C"
