// The words that `poprt run` wants in front of programs that MPI_Comm_spawn
// starts.  The launcher's daemons start them with the launcher's environment,
// in which nothing is preloaded.
#ifndef POPRT_BASE_SPAWN_WORDS_H_
#define POPRT_BASE_SPAWN_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// Without the prefix POPRT_, because it is not an option for users.
inline constexpr char kSpawnVariable[] = "_POPRT_SPAWN";

// The value of the variable: one word on each line; "" if a word contains a
// line break.
inline std::string spawn_value(const std::vector<std::string>& words) {
  std::string value;
  for (const std::string& word : words) {
    if (word.find('\n') != std::string::npos) return "";
    value += (value.empty() ? "" : "\n") + word;
  }
  return value;
}

inline std::vector<std::string> spawn_words(std::string_view value) {
  std::vector<std::string> words;
  while (!value.empty()) {
    const size_t end = value.find('\n');
    words.emplace_back(value.substr(0, end));
    value.remove_prefix(end == std::string_view::npos ? value.size() : end + 1);
  }
  return words;
}

}  // namespace poprt

#endif  // POPRT_BASE_SPAWN_WORDS_H_
