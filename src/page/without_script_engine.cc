// For a command that is linked statically: it can load nothing.
#include "page/script_engine.h"

namespace poprt {

std::string why_no_script_engine() { return "poprt is linked statically"; }

std::optional<std::string> call_script(std::string_view, const char*,
                                       std::string_view, std::string* reason) {
  *reason = why_no_script_engine();
  return std::nullopt;
}

}  // namespace poprt
