#include "command/window_numbers.h"

#include <limits>
#include <string_view>

#include "base/whole_number.h"
#include "command/arguments.h"
#include "document/format.h"

namespace poprt {
namespace {

struct Numbers {
  int64_t first = 0;
  int64_t last = 0;
};

// "3", "1-4".
std::optional<Numbers> numbers_of(std::string_view word) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const size_t dash = word.find('-');
  const auto first = whole_number(word.substr(0, dash), kMost);
  const auto last = dash == std::string_view::npos
                        ? first
                        : whole_number(word.substr(dash + 1), kMost);
  if (!first || !last || *first > *last) return std::nullopt;
  return Numbers{*first, *last};
}

}  // namespace

std::optional<std::vector<int64_t>> windows_named(
    const JobReport& report, const std::vector<std::string>& words,
    const std::string& file) {
  const std::vector<WindowReport>& windows = report.windows.list;
  std::vector<int64_t> numbers;
  if (words.empty()) return numbers;
  if (windows.empty()) {
    complain(printable(file) +
             " has no windows; run it with poprt run --windows 1s or "
             "--windows region:NAME (or POPRT_WINDOWS).");
    return std::nullopt;
  }
  for (const std::string& word : words) {
    const auto range = numbers_of(word);
    const size_t before = numbers.size();
    for (const WindowReport& window : windows) {
      const int64_t number = window.index + 1;
      const bool is_meant = word == "all" || (range && range->first <= number &&
                                              number <= range->last);
      if (is_meant) numbers.push_back(window.index);
    }
    if (numbers.size() > before) continue;
    complain("--window " + printable(word) + ": " + printable(file) +
             " has windows " + std::to_string(windows.front().index + 1) +
             " to " + std::to_string(windows.back().index + 1) +
             "; name one (3), some (1-4) or all.");
    return std::nullopt;
  }
  return numbers;
}

}  // namespace poprt
