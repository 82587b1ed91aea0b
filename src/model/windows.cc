#include "model/windows.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "model/members.h"
#include "model/quantities.h"
#include "model/totals.h"

namespace poprt {
namespace {

// Of neighbours: the same processes and threads are in both.
template <class Totals, size_t kCount>
void add_neighbour(const Member<Totals> (&members)[kCount], Totals* a,
                   const Totals& b) {
  for (const Member<Totals>& member : members) {
    const std::string_view name = member.name;
    const bool is_number = name == "processes" || name == "threads" ||
                           name == "mpi_callers" || name == "in_full_tables";
    int64_t& value = a->*member.value;
    const int64_t other = b.*member.value;
    value = is_number ? std::max(value, other) : value + other;
  }
}

void add_neighbour(RegionTotals* a, const RegionTotals& b) {
  add_neighbour(kRegionMembers, a, b);
  for (const NodeShare& node : b.nodes) {
    const auto own = std::ranges::find(a->nodes, node.host, &NodeShare::host);
    if (own == a->nodes.end()) {
      a->nodes.push_back(node);
    } else {
      add_neighbour(kNodeMembers, &*own, node);
    }
  }
  std::ranges::sort(a->nodes, {}, &NodeShare::host);
  for (const Amount& each : b.amounts) {
    const int64_t before = amount(a->amounts, each.name);
    set_amount(each.name,
               is_maximum(each.name) ? std::max(before, each.value)
                                     : before + each.value,
               &a->amounts);
  }
}

}  // namespace

std::string window_name(int64_t index) {
  return "window " + std::to_string(index + 1);
}

void merge_window_levels(JobTotals* job) {
  if (job->windows.empty()) return;
  const int level = level_of_window(job->windows.back().key);
  JobTotals merged;
  std::vector<RegionTotals> before = std::move(job->windows);
  std::vector<WindowMarks> marks = std::move(job->window_marks);
  // Each list has windows of one level, ascending.
  size_t mark = 0;
  for (size_t i = 0; i < before.size();) {
    const int own = level_of_window(before[i].key);
    const auto coarse_key = [&](uint64_t key) {
      return window_key(level, index_of_window(key) >> (level - own));
    };
    JobTotals coarse;
    for (; i < before.size() && level_of_window(before[i].key) == own; ++i) {
      const uint64_t key = coarse_key(before[i].key);
      before[i].key = key;
      if (!coarse.windows.empty() && coarse.windows.back().key == key) {
        add_neighbour(&coarse.windows.back(), before[i]);
      } else {
        coarse.windows.push_back(std::move(before[i]));
      }
    }
    for (; mark < marks.size() && level_of_window(marks[mark].key) == own;
         ++mark) {
      WindowMarks& each = marks[mark];
      each.key = coarse_key(each.key);
      auto& list = coarse.window_marks;
      if (!list.empty() && list.back().key == each.key) {
        add_next(&list.back(), each);
      } else {
        list.push_back(each);
      }
    }
    merged = combine(std::move(merged), coarse);
  }
  job->windows = std::move(merged.windows);
  job->window_marks = std::move(merged.window_marks);
}

}  // namespace poprt
