#include "model/cpu_set.h"

#include <algorithm>
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

bool CpuSet::has(int64_t cpu) const {
  if (cpu < 0) return false;
  const auto word = static_cast<size_t>(cpu) / 64;
  return word < words.size() && (words[word] >> (cpu % 64) & 1) != 0;
}

int64_t CpuSet::first() const {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) continue;
    return static_cast<int64_t>(64 * i) + std::countr_zero(words[i]);
  }
  return -1;
}

bool CpuSet::meets(const CpuSet& other) const {
  for (size_t i = 0; i < std::min(words.size(), other.words.size()); ++i) {
    if ((words[i] & other.words[i]) != 0) return true;
  }
  return false;
}

CpuSet CpuSet::without(const CpuSet& other) const {
  CpuSet rest = *this;
  for (size_t i = 0; i < std::min(words.size(), other.words.size()); ++i) {
    rest.words[i] &= ~other.words[i];
  }
  while (!rest.words.empty() && rest.words.back() == 0) rest.words.pop_back();
  return rest;
}

std::string cpu_list(const CpuSet& cpus) {
  std::string text;
  cpus.for_each([&](int64_t cpu) {
    const bool begins = !cpus.has(cpu - 1);
    if (begins) {
      text += (text.empty() ? "" : ",") + std::to_string(cpu);
    } else if (!cpus.has(cpu + 1)) {
      text += "-" + std::to_string(cpu);
    }
  });
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
