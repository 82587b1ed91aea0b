#include "command/one_of.h"

#include <utility>

#include "command/suggestion.h"

namespace poprt {

CLI::Validator one_of(std::vector<std::string> words) {
  CLI::Validator validator = CLI::IsMember(words);
  const CLI::Validator member = validator;
  validator.operation([member, words = std::move(words)](std::string& word) {
    const std::string mistake = member(word);
    if (mistake.empty()) return mistake;
    const std::string meant = did_you_mean(word, words);
    return meant.empty() ? mistake : mistake + "." + meant;
  });
  return validator;
}

}  // namespace poprt
