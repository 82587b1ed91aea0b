#include "report/unicode.h"

#include <algorithm>
#include <iterator>

namespace poprt {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

#include "unicode_ranges.inc"

template <size_t kCount>
bool contains(const Range (&ranges)[kCount], char32_t code) {
  const Range* const next = std::upper_bound(
      std::begin(ranges), std::end(ranges), code,
      [](char32_t value, const Range& range) { return value < range.first; });
  return next != std::begin(ranges) && code <= std::prev(next)->last;
}

}  // namespace

Character first_character(std::string_view text) {
  constexpr Character kNone = {0, 0};
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  if (byte(0) < 0x80) return {byte(0), 1};
  const size_t length = byte(0) < 0xc2   ? 0
                        : byte(0) < 0xe0 ? 2
                        : byte(0) < 0xf0 ? 3
                        : byte(0) < 0xf5 ? 4
                                         : 0;
  if (length == 0 || length > text.size()) return kNone;
  char32_t code = byte(0) & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return kNone;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[length] || code > 0x10ffff || surrogate) return kNone;
  return {code, length};
}

bool is_unprintable(char32_t code) { return contains(kUnprintable, code); }

size_t columns_of(char32_t code) {
  if (code < 0x300) return 1;
  return contains(kZeroWidth, code) ? 0 : contains(kWide, code) ? 2 : 1;
}

}  // namespace poprt
