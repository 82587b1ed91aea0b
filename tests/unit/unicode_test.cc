// How wide characters are, against the C library's own table.
#include "document/unicode.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cwchar>

namespace poprt {
namespace {

// Circled numbers and hexagrams, whose width Unicode leaves open, and wide
// marks (Korean tones, Vietnamese readings): terminals differ.
bool is_open(char32_t code) {
  return (code >= 0x3248 && code <= 0x324f) ||
         (code >= 0x4dc0 && code <= 0x4dff) ||
         (code >= 0x302e && code <= 0x302f) ||
         (code >= 0x16ff0 && code <= 0x16ff1);
}

TEST(Unicode, CharactersAreAsWideAsInTheCLibrary) {
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) {
    GTEST_SKIP() << "no locale C.UTF-8";
  }
  int compared = 0;
  int unlike = 0;
  for (char32_t code = 0x20; code < 0x110000; ++code) {
    const int width = wcwidth(static_cast<wchar_t>(code));
    // -1: no character, or not printable.
    if (width < 0 || is_unprintable(code) || is_open(code)) continue;
    unlike += static_cast<size_t>(width) != columns_of(code) ? 1 : 0;
    ++compared;
  }
  EXPECT_GT(compared, 200000);
  // Some marks are new, and only one of the two tables has them.
  EXPECT_LT(unlike, 500);
  std::setlocale(LC_CTYPE, "C");
}

TEST(Unicode, WideOnesAreChineseAndEmoji) {
  EXPECT_EQ(1u, columns_of(U'a'));
  EXPECT_EQ(1u, columns_of(U'\u00e9'));
  EXPECT_EQ(0u, columns_of(U'\u0301'));  // an accent on the character before
  EXPECT_EQ(2u, columns_of(U'\u65e5'));
  EXPECT_EQ(2u, columns_of(U'\uac00'));
  EXPECT_EQ(0u, columns_of(U'\ud7b0'));  // a part of such a syllable
  EXPECT_EQ(2u, columns_of(U'\U0001f680'));
}

}  // namespace
}  // namespace poprt
