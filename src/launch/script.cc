#include "launch/script.h"

#include <algorithm>

#include "launch/libraries.h"

namespace poprt {
namespace {

// Takes the first word from `line`.
std::string take_word(std::string_view* line) {
  const size_t begin = std::min(line->find_first_not_of(" \t"), line->size());
  line->remove_prefix(begin);
  const size_t end = std::min(line->find_first_of(" \t"), line->size());
  const std::string word(line->substr(0, end));
  line->remove_prefix(end);
  return word;
}

}  // namespace

std::string interpreter_of(std::string_view head) {
  if (head.substr(0, 2) != "#!") return "";
  std::string_view line = head.substr(2, head.find('\n') - 2);
  std::string word = take_word(&line);
  if (base_name(word) != "env") return word;
  const std::string env = word;
  // Options of env and variables that it sets.
  do {
    word = take_word(&line);
  } while (!word.empty() &&
           (word.front() == '-' || word.find('=') != std::string::npos));
  return word.empty() ? env : word;
}

}  // namespace poprt
