#include "document/xml_text.h"

#include "document/unicode.h"

namespace poprt {

std::string xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    switch (character.code) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case 0xfffe:
      case 0xffff:
        result += '?';
        break;
      default:
        result += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
  return result;
}

}  // namespace poprt
