#include "document/unicode.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace poprt {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

#include "document/unicode_ranges.inc"

template <size_t n>
bool is_in(const Range (&ranges)[n], char32_t code) {
  const Range* const after = std::upper_bound(
      std::begin(ranges), std::end(ranges), code,
      [](char32_t value, const Range& range) { return value < range.first; });
  return after != ranges && code <= std::prev(after)->last;
}

}  // namespace

Character first_character(std::string_view text) {
  // The least value of each length: what is below is an overlong form.
  constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<uint8_t>(text.front());
  if (lead < 0x80) return {lead, 1};
  const size_t more = lead < 0xc0   ? 0
                      : lead < 0xe0 ? 1
                      : lead < 0xf0 ? 2
                      : lead < 0xf8 ? 3
                                    : 0;
  if (more == 0 || text.size() <= more) return {0, 0};
  char32_t code = lead & (0x3fu >> more);
  for (size_t i = 1; i <= more; ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if ((byte & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte & 0x3f);
  }
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[more] || code > 0x10ffff || is_surrogate) return {0, 0};
  return {code, more + 1};
}

bool is_unprintable(char32_t code) { return is_in(kUnprintable, code); }

size_t columns_of(char32_t code) {
  if (code < 0x300) return 1;
  if (is_in(kNarrowest, code) || is_in(kUnprintable, code)) return 0;
  return is_in(kWide, code) ? 2 : 1;
}

}  // namespace poprt
