// The value of POPRT_WINDOWS.
#ifndef POPRT_BASE_WINDOW_OPTION_H_
#define POPRT_BASE_WINDOW_OPTION_H_

#include <optional>
#include <string_view>

#include "model/windows.h"

namespace poprt {

// "region:NAME", "region:NAME/VISITS", or a time ("500ms", "1s", "2min") from 1
// ms to a day. nullopt: it is none of these.
std::optional<WindowSpec> parse_windows(std::string_view value);

}  // namespace poprt

#endif  // POPRT_BASE_WINDOW_OPTION_H_
