// Runs JavaScript that makes a text of a text.
#ifndef POPRT_PAGE_SCRIPT_ENGINE_H_
#define POPRT_PAGE_SCRIPT_ENGINE_H_

#include <optional>
#include <string>
#include <string_view>

namespace poprt {

// What the loader says of the engine if it cannot be had; "" if it can.
std::string why_no_script_engine();

// Runs the script, then calls its global function `function` with the text and
// returns what that returns. The script reaches nothing but the language:
// neither files nor the environment. nullopt, with the reason in one line, if
// it throws or memory runs out.  REQUIRES: there is an engine.
std::optional<std::string> call_script(std::string_view script,
                                       const char* function,
                                       std::string_view text,
                                       std::string* reason);

}  // namespace poprt

#endif  // POPRT_PAGE_SCRIPT_ENGINE_H_
