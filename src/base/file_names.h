// Names of files that are made of what programs are called.
#ifndef POPRT_BASE_FILE_NAMES_H_
#define POPRT_BASE_FILE_NAMES_H_

#include <algorithm>
#include <cstddef>
#include <string>

namespace poprt {

// The longest name of a file on Linux, in bytes.
inline constexpr size_t kLongestFileName = 255;

// At most `most` bytes of UTF-8 text, cut between two characters.
inline std::string cut_to(std::string text, size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  size_t end = most;
  while (end > 0 && continues(end)) --end;
  text.resize(end);
  return text;
}

// The length of the longest part of a path, in bytes.
inline size_t longest_part(const std::string& path) {
  size_t longest = 0;
  for (size_t from = 0; from <= path.size();) {
    const size_t end = std::min(path.find('/', from), path.size());
    longest = std::max(longest, end - from);
    from = end + 1;
  }
  return longest;
}

}  // namespace poprt

#endif  // POPRT_BASE_FILE_NAMES_H_
