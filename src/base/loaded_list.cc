#include "base/loaded_list.h"

#include <algorithm>

namespace poprt {

// The loader appends new objects.  So those of before come first, in the same
// order, and they are at least as many as there were but for the unloaded ones.
std::vector<size_t> numbers_before(const std::vector<LoadedAt>& before,
                                   const std::vector<LoadedAt>& now,
                                   size_t unloaded) {
  const size_t stay = before.size() - std::min(before.size(), unloaded);
  std::vector<size_t> numbers(now.size(), kNewObject);
  size_t next = 0;
  for (size_t i = 0; i < std::min(stay, now.size()); ++i) {
    while (next < before.size() && before[next] != now[i]) ++next;
    if (next == before.size()) break;
    numbers[i] = next++;
  }
  return numbers;
}

}  // namespace poprt
