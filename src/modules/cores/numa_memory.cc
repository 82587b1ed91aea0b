#include "modules/cores/numa_memory.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <utility>

#include "base/kernel_text.h"
#include "base/words.h"

namespace poprt::modules::cores {
namespace {

constexpr size_t kSampled = 4096;
// With fewer pages in memory a share would be known to some ten per cent only.
constexpr size_t kLeastSampled = 64;
constexpr size_t kLongestMaps = size_t{1} << 20;

struct Range {
  uint64_t begin;
  uint64_t end;
};

// Memory that the process may write, and that is neither shared nor a file.
std::vector<Range> own_memory(const std::string& maps) {
  std::vector<Range> ranges;
  for (const std::string& line : words_of(maps, '\n')) {
    Range range{};
    char rights[5] = {};
    uint64_t file = 0;
    if (std::sscanf(line.c_str(),
                    "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64,
                    &range.begin, &range.end, rights, &file) != 4) {
      continue;
    }
    const bool is_own = rights[1] == 'w' && rights[3] == 'p' && file == 0;
    if (is_own && range.begin < range.end) ranges.push_back(range);
  }
  return ranges;
}

}  // namespace

PageSample sample_of_pages(const std::string& maps, uint64_t page_bytes,
                           size_t most) {
  PageSample sample;
  uint64_t pages = 0;
  const std::vector<Range> ranges = own_memory(maps);
  for (const Range& each : ranges) {
    pages += (each.end - each.begin) / page_bytes;
  }
  if (pages == 0 || most == 0) return sample;
  const uint64_t step = (pages + most - 1) / most;
  sample.bytes_each = static_cast<double>(step * page_bytes);
  uint64_t next = step / 2;  // counted from the begin of the range
  for (const Range& each : ranges) {
    const uint64_t size = (each.end - each.begin) / page_bytes;
    for (; next < size; next += step) {
      sample.addresses.push_back(each.begin + next * page_bytes);
    }
    next -= size;
  }
  return sample;
}

std::vector<NumaMemory> numa_memory() {
  const std::string maps = kernel_text("/proc/self/maps", kLongestMaps);
  if (maps.size() >= kLongestMaps) return {};
  const PageSample sample = sample_of_pages(
      maps, static_cast<uint64_t>(sysconf(_SC_PAGESIZE)), kSampled);
  std::vector<void*> pages;
  for (const uint64_t address : sample.addresses) {
    pages.push_back(reinterpret_cast<void*>(address));
  }
  std::vector<int> nodes(pages.size(), -1);
  // Without nodes to move pages to, it tells where they are.
  if (pages.empty() || syscall(SYS_move_pages, 0, pages.size(), pages.data(),
                               nullptr, nodes.data(), 0) != 0) {
    return {};
  }
  std::map<int64_t, int64_t> counts;
  size_t present = 0;
  for (const int node : nodes) {
    if (node < 0) continue;  // not in memory
    ++counts[node];
    ++present;
  }
  std::vector<NumaMemory> memory;
  if (present < kLeastSampled) return memory;
  for (const auto& [node, count] : counts) {
    memory.push_back({node, static_cast<int64_t>(static_cast<double>(count) *
                                                 sample.bytes_each)});
  }
  return memory;
}

std::vector<NumaNode> numa_nodes(const std::string& root) {
  const std::string folder = root + "/sys/devices/system/node/";
  std::vector<NumaNode> nodes;
  CpuSet online;  // a list of the same form
  if (!parse_cpu_set(kernel_text(folder + "online"), &online)) return nodes;
  online.for_each([&](int64_t number) {
    const std::string node = folder + "node" + std::to_string(number);
    CpuSet cpus;
    // Some nodes are memory only.
    if (parse_cpu_set(kernel_text(node + "/cpulist"), &cpus) &&
        cpus.size() > 0) {
      nodes.push_back({number, std::move(cpus)});
    }
  });
  return nodes;
}

MemoryPlacement placement_of(const std::vector<NumaMemory>& memory,
                             const std::vector<NumaNode>& nodes,
                             const std::vector<CpuSet>& bound) {
  struct Share {
    double bytes;
    double threads;
  };
  std::vector<Share> shares;
  Share all = {0, 0};
  for (const NumaNode& node : nodes) {
    Share share = {0, 0};
    for (const NumaMemory& each : memory) {
      if (each.node == node.number) share.bytes += double(each.bytes);
    }
    for (const CpuSet& cpus : bound) {
      const int64_t elsewhere = cpus.without(node.cpus).size();
      if (cpus.size() == 0) continue;
      share.threads += 1 - double(elsewhere) / double(cpus.size());
    }
    all.bytes += share.bytes;
    all.threads += share.threads;
    shares.push_back(share);
  }
  MemoryPlacement placement;
  placement.all_bytes = static_cast<int64_t>(all.bytes);
  if (all.threads <= 0) return placement;
  double misplaced = 0;
  for (const Share& share : shares) {
    misplaced +=
        std::max(0.0, share.bytes - all.bytes * share.threads / all.threads);
  }
  placement.misplaced_bytes = static_cast<int64_t>(misplaced);
  return placement;
}

}  // namespace poprt::modules::cores
