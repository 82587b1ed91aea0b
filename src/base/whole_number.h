// Whole numbers in what a user writes.
#ifndef POPRT_BASE_WHOLE_NUMBER_H_
#define POPRT_BASE_WHOLE_NUMBER_H_

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace poprt {

// The number from 1 to `most` that the whole text is, in decimal digits.
inline std::optional<int64_t> whole_number(std::string_view text,
                                           int64_t most) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  const bool is_number = result.ec == std::errc() && result.ptr == end;
  return is_number && value >= 1 && value <= most ? std::optional(value)
                                                  : std::nullopt;
}

}  // namespace poprt

#endif  // POPRT_BASE_WHOLE_NUMBER_H_
