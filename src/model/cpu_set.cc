#include "model/cpu_set.h"

#include <bit>
#include <charconv>

namespace poprt {

void CpuSet::add(int cpu) {
  const auto word = static_cast<size_t>(cpu) / 64;
  if (word >= words.size()) words.resize(word + 1);
  words[word] |= uint64_t{1} << (cpu % 64);
}

void CpuSet::add(const CpuSet& other) {
  if (other.words.size() > words.size()) words.resize(other.words.size());
  for (size_t i = 0; i < other.words.size(); ++i) words[i] |= other.words[i];
}

int64_t CpuSet::size() const {
  int64_t count = 0;
  for (const uint64_t word : words) count += std::popcount(word);
  return count;
}

std::string cpu_list(const CpuSet& cpus) {
  const auto has = [&](size_t cpu) {
    return cpu / 64 < cpus.words.size() &&
           (cpus.words[cpu / 64] >> (cpu % 64) & 1) != 0;
  };
  std::string text;
  for (size_t first = 0; first < 64 * cpus.words.size(); ++first) {
    if (!has(first)) continue;
    size_t last = first;
    while (has(last + 1)) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    first = last;
  }
  return text;
}

bool parse_cpu_set(std::string_view text, CpuSet* cpus) {
  *cpus = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](int* value) {
    const auto read = std::from_chars(at, end, *value);
    at = read.ptr;
    return read.ec == std::errc() && *value >= 0 && *value < CpuSet::kMost;
  };
  while (at != end) {
    int first;
    if (!number(&first)) return false;
    int last = first;
    if (at != end && *at == '-' && (++at, !number(&last))) return false;
    if (last < first) return false;
    for (int cpu = first; cpu <= last; ++cpu) cpus->add(cpu);
    if (at != end && (*at++ != ',' || at == end)) return false;
  }
  return true;
}

}  // namespace poprt
