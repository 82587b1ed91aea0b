// For a build on a machine without Duktape.
#include "page/script_engine.h"

namespace poprt {

bool has_script_engine() { return false; }

std::optional<std::string> call_script(std::string_view /*script*/,
                                       const char* /*function*/,
                                       std::string_view /*text*/,
                                       std::string* /*reason*/) {
  return std::nullopt;
}

}  // namespace poprt
