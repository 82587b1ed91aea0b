#include "base/region_selection.h"

#include <algorithm>

namespace poprt {
namespace {

constexpr std::string_view kInclude = "include:";
constexpr std::string_view kExclude = "exclude:";

bool take_prefix(std::string_view prefix, std::string_view* text) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// A star first matches as little as possible.  If the rest does not match, the
// last star takes one more byte.
bool matches(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = pattern.npos;
  size_t taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool any_matches(const std::vector<std::string>& patterns,
                 std::string_view name) {
  return std::any_of(
      patterns.begin(), patterns.end(),
      [&](const std::string& pattern) { return matches(pattern, name); });
}

// "Solver::step" is a name; a word followed by a single colon is a command.
bool says_something_else(std::string_view word) {
  const size_t colon = word.find(':');
  return colon != word.npos && word.substr(colon, 2) != "::";
}

}  // namespace

bool RegionSelection::add(std::string_view word) {
  const bool exclude = take_prefix(kExclude, &word);
  if (!exclude && !take_prefix(kInclude, &word) && says_something_else(word)) {
    return false;
  }
  if (word.empty()) return false;
  (exclude ? exclude_ : include_).emplace_back(word);
  return true;
}

bool RegionSelection::selects(std::string_view name) const {
  return (include_.empty() || any_matches(include_, name)) &&
         !any_matches(exclude_, name);
}

std::vector<std::string> RegionSelection::unmatched(
    const std::vector<std::string>& names) const {
  std::vector<std::string> patterns = include_;
  std::erase_if(patterns, [&](const std::string& pattern) {
    return std::any_of(
        names.begin(), names.end(),
        [&](const std::string& name) { return matches(pattern, name); });
  });
  return patterns;
}

}  // namespace poprt
