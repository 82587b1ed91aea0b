#include "modules/cores/bindings.h"

#include <algorithm>
#include <map>

namespace poprt::modules::cores {

std::vector<CoreUser> core_users(std::vector<CpuSet> bound) {
  std::sort(bound.begin(), bound.end(),
            [](const CpuSet& a, const CpuSet& b) { return a.words < b.words; });
  std::map<int64_t, int64_t> threads_on;
  for (auto first = bound.begin(); first != bound.end();) {
    const CpuSet& cpus = *first;
    const auto last = std::find_if(
        first, bound.end(), [&](const CpuSet& each) { return each != cpus; });
    const int64_t threads = last - first;
    const int64_t size = cpus.size();
    if (size > 0 && threads >= size) {
      cpus.for_each(
          [&](int64_t cpu) { threads_on[cpu] += (threads + size - 1) / size; });
    }
    first = last;
  }
  std::vector<CoreUser> users;
  for (const auto& [cpu, threads] : threads_on) {
    users.push_back({cpu, 0, threads});
  }
  return users;
}

}  // namespace poprt::modules::cores
