// JSON that is safe to show on a terminal.
#ifndef POPRT_DOCUMENT_ESCAPED_JSON_H_
#define POPRT_DOCUMENT_ESCAPED_JSON_H_

#include <string>
#include <string_view>

namespace poprt {

// JSON in which the characters that printable() replaces are written as \uXXXX.
// Only texts have such characters.  REQUIRES: valid UTF-8.
std::string escaped_json(std::string_view json);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_ESCAPED_JSON_H_
