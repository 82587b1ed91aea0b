#include "page/script_engine.h"

#include <dlfcn.h>

#include <cstddef>

#include "page/engine/entry.h"

namespace poprt {
namespace {

// In a folder that this program's run path names. It stays open.
void* engine() {
  static void* const module = dlopen("poprt-figures.so", RTLD_NOW | RTLD_LOCAL);
  return module;
}

void assign(void* taker, const char* text, size_t length) {
  static_cast<std::string*>(taker)->assign(text, length);
}

}  // namespace

const char* why_no_script_engine() {
  return engine() != nullptr ? nullptr : dlerror();
}

std::optional<std::string> call_script(std::string_view script,
                                       const char* function,
                                       std::string_view text,
                                       std::string* reason) {
  const auto run = reinterpret_cast<decltype(&poprt_run_script)>(
      dlsym(engine(), "poprt_run_script"));
  const ScriptCall call = {script, function, text};
  std::string result;
  if (run != nullptr && run(&call, assign, &result)) return result;
  *reason = result;
  return std::nullopt;
}

}  // namespace poprt
