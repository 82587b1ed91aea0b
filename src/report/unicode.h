// Characters of UTF-8 text: where they end, and what they do on a terminal.
// By tables of our own (scripts/gen_unicode.py) and not by wcwidth(), which
// looks at the locale: that is the program's.
#ifndef POPRT_REPORT_UNICODE_H_
#define POPRT_REPORT_UNICODE_H_

#include <cstddef>
#include <string_view>

namespace poprt {

struct Character {
  char32_t code;
  size_t length;  // in bytes; 0: the text does not begin with one
};

// The first character of a text.  What is longer than it need be, a surrogate
// or beyond U+10FFFF is none.  REQUIRES: not empty.
Character first_character(std::string_view text);

// Controls, and what moves or hides the text around: bidirectional and other
// formats, separators of lines and paragraphs.
bool is_unprintable(char32_t code);

// Columns of a terminal: 0 for marks on the character before, 2 for wide ones.
size_t columns_of(char32_t code);

}  // namespace poprt

#endif  // POPRT_REPORT_UNICODE_H_
