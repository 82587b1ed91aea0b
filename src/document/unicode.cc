#include "document/unicode.h"

#include <utf8proc.h>

#include <cstdint>

namespace poprt {

Character first_character(std::string_view text) {
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (length <= 0) return {0, 0};
  return {static_cast<char32_t>(code), static_cast<size_t>(length)};
}

bool is_unprintable(char32_t code) {
  const auto value = static_cast<utf8proc_int32_t>(code);
  switch (utf8proc_category(value)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    case UTF8PROC_CATEGORY_CF:
      // Some format characters are visible: signs that span the digits after
      // them.
      return utf8proc_get_property(value)->boundclass !=
             UTF8PROC_BOUNDCLASS_PREPEND;
    default:
      return false;
  }
}

size_t columns_of(char32_t code) {
  if (code < 0x300) return 1;
  const auto value = static_cast<utf8proc_int32_t>(code);
  switch (utf8proc_get_property(value)->boundclass) {
    case UTF8PROC_BOUNDCLASS_PREPEND:
      return 1;
    // Vowels and final consonants of Korean syllables: in the columns of the
    // first consonant.
    case UTF8PROC_BOUNDCLASS_V:
    case UTF8PROC_BOUNDCLASS_T:
      return 0;
    default:
      break;
  }
  // The library counts spacing marks with the character before them; on a
  // terminal they have a column.
  if (utf8proc_category(value) == UTF8PROC_CATEGORY_MC) return 1;
  return static_cast<size_t>(utf8proc_charwidth(value));
}

}  // namespace poprt
