// Lists of words: with commas as options have them, or the lines and words of a
// file.
#ifndef POPRT_BASE_WORDS_H_
#define POPRT_BASE_WORDS_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// The words of "a, b,c": without the blanks around them, and without empty
// ones.
inline std::vector<std::string> words_of(std::string_view list,
                                         char separator = ',') {
  std::vector<std::string> words;
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    std::string_view word = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    const size_t begin = word.find_first_not_of(" \t");
    if (begin == word.npos) continue;
    word = word.substr(begin, word.find_last_not_of(" \t") - begin + 1);
    words.emplace_back(word);
  }
  return words;
}

}  // namespace poprt

#endif  // POPRT_BASE_WORDS_H_
