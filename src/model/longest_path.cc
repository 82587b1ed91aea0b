#include "model/longest_path.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "model/construct_kind.h"
#include "model/totals.h"

namespace poprt {
namespace {

auto order_of(const PathShare& part) {
  return std::tie(part.what, part.key, part.region, part.rank, part.ns);
}

// Of two paths of one length any will do, but always the same one.
bool is_longer(const LongestPath& a, const LongestPath& b) {
  if (a.length_ns != b.length_ns) return a.length_ns > b.length_ns;
  return std::ranges::lexicographical_compare(
      b.parts, a.parts, [](const PathShare& one, const PathShare& other) {
        return order_of(one) < order_of(other);
      });
}

// The construct whose key the part has, if exactly one file has its mark.
bool name_construct(const std::vector<std::string>& modules, PathShare* part) {
  const ConstructKey key = construct_of_key(part->key);
  if (key.construct == nullptr) return false;
  const auto is_marked = [&](const std::string& module) {
    return mark_of_module(module) == key.mark;
  };
  if (std::ranges::count_if(modules, is_marked) != 1) return false;
  part->what = PathShare::kOpenMp;
  part->construct = key.construct;
  part->module = *std::ranges::find_if(modules, is_marked);
  part->offset = key.offset;
  return true;
}

void add_others(int64_t ns, LongestPath* path) {
  if (ns == 0) return;
  const auto others =
      std::ranges::find(path->parts, PathShare::kOthers, &PathShare::what);
  if (others != path->parts.end()) {
    others->ns += ns;
    return;
  }
  path->parts.push_back(
      {PathShare::kOthers, "", 0, PathShare::kSeveralRanks, ns});
}

// As many as a job has files with constructs, or more.
constexpr size_t kMostModules = 100;

}  // namespace

LongestPath combine(LongestPath a, const LongestPath& b) {
  for (const WithoutRegion& its : b.without) {
    const auto mine =
        std::ranges::find(a.without, its.region, &WithoutRegion::region);
    if (mine == a.without.end()) {
      a.without.push_back(its);
    } else {
      mine->run_ns = std::max(mine->run_ns, its.run_ns);
    }
  }
  std::ranges::sort(a.without, {}, &WithoutRegion::region);
  std::vector<std::string> modules;
  std::ranges::set_union(a.modules, b.modules, std::back_inserter(modules));
  modules.resize(std::min(modules.size(), kMostModules));
  a.modules = std::move(modules);
  if (is_longer(b, a)) {
    a.length_ns = b.length_ns;
    a.parts = b.parts;
  }
  return a;
}

void give_only_rank(LongestPath* path) {
  std::vector<PathShare> parts;
  for (PathShare& part : path->parts) {
    part.rank = 0;
    const auto same = std::ranges::find_if(parts, [&](const PathShare& other) {
      return std::tie(other.what, other.key, other.region) ==
             std::tie(part.what, part.key, part.region);
    });
    if (same == parts.end()) {
      parts.push_back(std::move(part));
    } else {
      same->ns += part.ns;
    }
  }
  path->parts = std::move(parts);
}

void reach(int64_t all_ns, LongestPath* path) {
  if (path->length_ns == 0 || path->length_ns >= all_ns) return;
  // Without parts only its length is known.
  if (!path->parts.empty()) add_others(all_ns - path->length_ns, path);
  path->length_ns = all_ns;
}

void name_parts(const std::vector<RegionTotals>& regions, LongestPath* path) {
  int64_t others_ns = 0;
  for (PathShare& part : path->parts) {
    if (part.key == 0) continue;
    const auto region =
        std::ranges::find(regions, part.key, &RegionTotals::key);
    if (region != regions.end()) part.region = region->name;
    if (part.region.empty() && !name_construct(path->modules, &part)) {
      others_ns += std::exchange(part.ns, 0);
    }
  }
  std::erase_if(path->parts,
                [](const PathShare& part) { return part.ns == 0; });
  add_others(others_ns, path);
  std::ranges::sort(path->parts, [](const PathShare& a, const PathShare& b) {
    return std::tie(b.ns, a.what, a.region, a.rank, a.construct, a.module,
                    a.offset) < std::tie(a.ns, b.what, b.region, b.rank,
                                         b.construct, b.module, b.offset);
  });
}

}  // namespace poprt
