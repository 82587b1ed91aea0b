#include "launch/loader/script.h"

#include <algorithm>
#include <utility>

#include "launch/loader/libraries.h"

namespace poprt {
namespace {

// Removes the first word from `line` and returns it.
std::string take_word(std::string_view* line) {
  const size_t begin = std::min(line->find_first_not_of(" \t"), line->size());
  line->remove_prefix(begin);
  const size_t end = std::min(line->find_first_of(" \t"), line->size());
  const std::string word(line->substr(0, end));
  line->remove_prefix(end);
  return word;
}

bool is_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

size_t name_end(std::string_view text, size_t begin) {
  while (begin < text.size() && is_name(text[begin])) ++begin;
  return begin;
}

// Replaces the usual ways of writing the script's own folder.
std::string with_own_folder(std::string text, const std::string& folder) {
  constexpr std::string_view kOwn[] = {"\"$0\"",
                                       "$0",
                                       "\"${BASH_SOURCE[0]}\"",
                                       "${BASH_SOURCE[0]}",
                                       "\"$BASH_SOURCE\"",
                                       "$BASH_SOURCE"};
  std::vector<std::pair<std::string, std::string>> changes;
  for (const std::string_view own : kOwn) {
    for (const char* dirname : {"dirname ", "dirname -- "}) {
      const std::string call = dirname + std::string(own);
      changes.push_back({"$(" + call + ")", folder});
      changes.push_back({"`" + call + "`", folder});
    }
  }
  changes.push_back({"${0%/*}", folder});
  for (const char* quote : {"\"", ""}) {
    for (const char* pwd : {"pwd", "pwd -P"}) {
      changes.push_back(
          {std::string("$(cd ") + quote + folder + quote + " && " + pwd + ")",
           folder});
    }
  }
  for (const auto& [from, to] : changes) {
    for (size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

// Appends the value of $NAME, ${NAME} or ${NAME:-default} at text[*at] to
// `word` and moves *at behind it; false if it is anything else.
bool take_variable(std::string_view text, const Environment& environment,
                   size_t* at, std::string* word) {
  const bool braced = text.substr(*at, 2) == "${";
  const size_t begin = *at + (braced ? 2 : 1);
  size_t end = name_end(text, begin);
  if (end == begin) return false;
  std::string value =
      value_of(environment, std::string(text.substr(begin, end - begin)));
  if (braced) {
    const size_t close = text.find('}', end);
    if (close == std::string_view::npos) return false;
    const std::string_view rest = text.substr(end, close - end);
    if (value.empty() && rest.substr(0, 2) == ":-") value = rest.substr(2);
    end = close + 1;
  }
  *word += value;
  *at = end;
  return true;
}

}  // namespace

std::vector<std::string> words_of_script(std::string_view script,
                                         const std::string& path,
                                         Environment environment) {
  const std::string text =
      with_own_folder(std::string(script), folder_of(path));
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    const size_t equals = name_end(word, 0);
    if (equals > 0 && equals < word.size() && word[equals] == '=') {
      environment[word.substr(0, equals)] = word.substr(equals + 1);
    } else if (!word.empty()) {
      words.push_back(word);
    }
    word.clear();
  };
  char quote = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '$' && quote != '\'' &&
        take_variable(text, environment, &i, &word)) {
      continue;
    }
    ++i;
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '\\' && i < text.size()) {
      if (text[i] != '\n') word += text[i];
      ++i;
    } else if (c == '#' && word.empty()) {
      i = std::min(text.find('\n', i), text.size());
    } else if (std::string_view(" \t\r\n;&|()<>`").find(c) !=
               std::string_view::npos) {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

std::string interpreter_of(std::string_view head) {
  if (head.substr(0, 2) != "#!") return "";
  std::string_view line = head.substr(2, head.find('\n') - 2);
  std::string word = take_word(&line);
  if (base_name(word) != "env") return word;
  const std::string env = word;
  // Skips options of env and variables that it sets.
  do {
    word = take_word(&line);
  } while (!word.empty() &&
           (word.front() == '-' || word.find('=') != std::string::npos));
  return word.empty() ? env : word;
}

}  // namespace poprt
