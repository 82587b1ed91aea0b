// Characters in UTF-8 text: their length, and what they do on a terminal.  Not
// by wcwidth(), which depends on the program's locale, and not by a library for
// Unicode, which takes 300 kB: tables of 4 kB are made from Python's at build
// time (scripts/gen_unicode.py).
#ifndef POPRT_DOCUMENT_UNICODE_H_
#define POPRT_DOCUMENT_UNICODE_H_

#include <cstddef>
#include <string_view>

namespace poprt {

struct Character {
  char32_t code;
  size_t length;  // in bytes; 0 if the text does not begin with a character
};

// The first character of a text.  Overlong forms, surrogates and values beyond
// U+10FFFF are not characters.  REQUIRES: not empty.
Character first_character(std::string_view text);

// Control characters, and characters that move or hide the text around them:
// bidirectional and other formats, separators of lines and paragraphs.
bool is_unprintable(char32_t code);

// Columns on a terminal: 0 for marks on the character before, 2 for wide
// characters.
size_t columns_of(char32_t code);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_UNICODE_H_
