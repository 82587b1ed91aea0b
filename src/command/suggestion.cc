#include "command/suggestion.h"

#include <algorithm>
#include <limits>

#include "document/format.h"
#include "model/metric_table.h"
#include "report/job_numbers.h"

namespace poprt {
namespace {

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table, for the first i - 2, i - 1 and i letters of `a`.
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const char x = small(a[i - 1]);
      const char y = small(b[j - 1]);
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == small(b[j - 2]) && y == small(a[i - 2])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string did_you_mean(const std::string& word,
                         const std::vector<std::string>& candidates) {
  // Longer words are not typing mistakes, and would take long.
  constexpr size_t kLongest = 128;
  if (word.size() > kLongest) return "";
  const std::string* nearest = nullptr;
  size_t least = std::numeric_limits<size_t>::max();
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  const bool is_near =
      nearest != nullptr && 3 * least <= std::max(word.size(), nearest->size());
  return is_near ? " Did you mean \"" + printable(*nearest) + "\"?" : "";
}

std::string did_you_mean_metric(const std::string& word) {
  std::vector<std::string> names;
  for (const Metric& metric : all_metrics()) {
    names.push_back(metric.key);
    names.push_back(metric.label);
    names.push_back(std::string(key_of(metric.model)) + "." + metric.key);
  }
  for (const JobNumber& number : job_numbers()) names.push_back(number.key);
  return did_you_mean(word, names);
}

}  // namespace poprt
