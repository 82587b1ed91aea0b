#include "model/totals.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "model/members.h"

namespace poprt {
namespace {

// A job of 10^5 processes that all misuse the API says so in a page.
constexpr size_t kNotesMax = 50;

void add(NodeShare* a, const NodeShare& b) {
  a->processes += b.processes;
  a->not_mpi_sum_ns += b.not_mpi_sum_ns;
}

void add(HostShare* a, const HostShare& b) { a->processes += b.processes; }

bool before(const NodeShare& a, const NodeShare& b) { return a.host < b.host; }
bool before(const HostShare& a, const HostShare& b) { return a.name < b.name; }
bool before(const RegionTotals& a, const RegionTotals& b) {
  return a.key < b.key;
}

void add(ConstructTotals* a, const ConstructTotals& b) {
  combine_members(kConstructMembers, a, b);
}

void add(RegionTotals* a, const RegionTotals& b);

// Merges two sorted lists; what is in both is added up.
template <class Item>
std::vector<Item> merged(std::vector<Item> a, const std::vector<Item>& b) {
  std::vector<Item> result;
  result.reserve(a.size() + b.size());
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() || right != b.end()) {
    if (right == b.end() || (left != a.end() && before(*left, *right))) {
      result.push_back(std::move(*left++));
    } else if (left == a.end() || before(*right, *left)) {
      result.push_back(*right++);
    } else {
      add(&*left, *right++);
      result.push_back(std::move(*left++));
    }
  }
  return result;
}

void add(RegionTotals* a, const RegionTotals& b) {
  // Two names with one key are one region; which name it has must not depend
  // on the order of processes.
  if (a->name.empty() || (!b.name.empty() && b.name < a->name)) {
    a->name = b.name;
  }
  a->nodes = merged(std::move(a->nodes), b.nodes);
  combine_members(kRegionMembers, a, b);
}

template <class Item>
bool strictly_sorted(const std::vector<Item>& items) {
  return std::adjacent_find(items.begin(), items.end(),
                            [](const Item& a, const Item& b) {
                              return !before(a, b);
                            }) == items.end();
}

}  // namespace

uint64_t region_key(const char* name, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(name[i])) * 1099511628211u;
  }
  return hash;
}

bool before(const ConstructTotals& a, const ConstructTotals& b) {
  return std::tie(a.module, a.offset, a.is_task) <
         std::tie(b.module, b.offset, b.is_task);
}

bool lists_sorted(const JobTotals& totals) {
  return strictly_sorted(totals.hosts) && strictly_sorted(totals.regions) &&
         strictly_sorted(totals.constructs) &&
         std::all_of(totals.regions.begin(), totals.regions.end(),
                     [](const RegionTotals& region) {
                       return strictly_sorted(region.nodes);
                     });
}

JobTotals combine(JobTotals a, const JobTotals& b) {
  assert(lists_sorted(a) && lists_sorted(b));
  if (a.processes == 0) {
    a.threads_min = b.threads_min;
  } else if (b.processes > 0) {
    a.threads_min = std::min(a.threads_min, b.threads_min);
  }
  combine_members(kJobMembers, &a, b);
  a.has_mpi |= b.has_mpi;
  a.has_openmp |= b.has_openmp;
  a.has_unseen_openmp |= b.has_unseen_openmp;
  a.hosts = merged(std::move(a.hosts), b.hosts);
  a.regions = merged(std::move(a.regions), b.regions);
  a.constructs = merged(std::move(a.constructs), b.constructs);

  combine_members(kQualityMembers, &a.quality, b.quality);
  std::vector<std::string>& notes = a.quality.notes;
  notes.insert(notes.end(), b.quality.notes.begin(), b.quality.notes.end());
  std::sort(notes.begin(), notes.end());
  notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
  // The first ones of the sorted union do not depend on who met whom.
  if (notes.size() > kNotesMax) notes.resize(kNotesMax);
  return a;
}

}  // namespace poprt
