#include "page/script_engine.h"

#include <dlfcn.h>

#include <cstddef>

#include "page/engine/entry.h"

namespace poprt {
namespace {

struct Engine {
  // In a folder that this program's run path names. It stays open.
  void* const module = dlopen("poprt-figures.so", RTLD_NOW | RTLD_LOCAL);
  // The loader says it once.
  const std::string why_not = module != nullptr ? "" : dlerror();
};

const Engine& engine() {
  static const Engine* const one = new Engine;
  return *one;
}

void assign(void* taker, const char* text, size_t length) {
  static_cast<std::string*>(taker)->assign(text, length);
}

}  // namespace

std::string why_no_script_engine() { return engine().why_not; }

std::optional<std::string> call_script(std::string_view script,
                                       const char* function,
                                       std::string_view text,
                                       std::string* reason) {
  const auto run = reinterpret_cast<decltype(&poprt_run_script)>(
      dlsym(engine().module, "poprt_run_script"));
  const ScriptCall call = {script, function, text};
  std::string result;
  if (run != nullptr && run(&call, assign, &result)) return result;
  *reason = result;
  return std::nullopt;
}

}  // namespace poprt
