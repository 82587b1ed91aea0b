#include "session/settings.h"

#include <atomic>
#include <cstring>

#include "base/kept_environment.h"
#include "base/publish.h"
#include "measure/events.h"

namespace poprt {
namespace {

std::vector<std::string> own_variables() {
  std::vector<std::string> names;
  for (const char* const* entry = kept_environment(); *entry != nullptr;
       ++entry) {
    const char* const end = std::strchr(*entry, '=');
    if (end != nullptr && std::strncmp(*entry, "POPRT_", 6) == 0) {
      names.emplace_back(*entry, static_cast<size_t>(end - *entry));
    }
  }
  return names;
}

}  // namespace

const Settings& settings() {
  // Never destroyed.  Not a local static object, because a signal handler may
  // interrupt its construction and come here.
  static constinit std::atomic<Settings*> g_settings{nullptr};
  Settings* const known = g_settings.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  Settings* const made = new Settings;
  made->options =
      read_options(kept_variable, own_variables(), &made->complaints);
  return publish(g_settings, made);
}

Process& process_of_program() {
  Process* const known = known_process();
  if (known != nullptr) return *known;
  // A handle of a region may be asked for before measurement starts.
  keep_environment();
  const Options& options = settings().options;
  return make_process(options.regions, options.path, options.windows,
                      options.thread_rows);
}

}  // namespace poprt
