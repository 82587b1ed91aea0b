#include "document/escaped_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "document/unicode.h"

namespace poprt {

std::string escaped_json(std::string_view json) {
  constexpr char kDelete = 0x7f;
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const auto plain = std::ranges::find_if(
        json, [](char c) { return (c & 0x80) != 0 || c == kDelete; });
    result.append(json.begin(), plain);
    json.remove_prefix(static_cast<size_t>(plain - json.begin()));
    if (json.empty()) break;
    const Character character = first_character(json);
    const size_t length = std::max<size_t>(character.length, 1);
    if (character.length == 0 || !is_unprintable(character.code)) {
      result += json.substr(0, length);
    } else if (character.code < 0x10000) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(character.code));
    } else {
      const unsigned rest = static_cast<unsigned>(character.code) - 0x10000;
      result += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10),
                            0xdc00 + (rest & 0x3ff));
    }
    json.remove_prefix(length);
  }
  return result;
}

}  // namespace poprt
