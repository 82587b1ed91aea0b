#include "model/thread_rows.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "model/members.h"

namespace poprt {

void limit_thread_rows(JobTotals* job) {
  if (job->regions.empty()) return;
  const size_t most = kThreadRowsMax / job->regions.size();
  for (RegionTotals& region : job->regions) {
    std::vector<ThreadRow>& rows = region.thread_rows;
    if (rows.size() <= most) continue;
    // Different for any two threads, so that it is certain which ones are kept.
    const auto place = [](const ThreadRow& row) {
      return std::tie(row.useful_ns, row.rank, row.thread);
    };
    std::vector<const ThreadRow*> order;
    order.reserve(rows.size());
    for (const ThreadRow& row : rows) order.push_back(&row);
    const auto less = [&](const ThreadRow* a, const ThreadRow* b) {
      return place(*a) < place(*b);
    };
    // [first_between, first_of_most): the rows that are left out.
    const auto first_between = order.begin() + static_cast<ptrdiff_t>(most / 2);
    const auto first_of_most =
        order.end() - static_cast<ptrdiff_t>(most - most / 2);
    std::nth_element(order.begin(), first_between, order.end(), less);
    std::nth_element(first_between, first_of_most, order.end(), less);
    std::vector<ThreadRow> kept;
    kept.reserve(most);
    for (auto each = order.begin(); each != order.end(); ++each) {
      if (each == first_between) each = first_of_most;
      if (each == order.end()) break;
      kept.push_back(**each);
    }
    std::ranges::sort(kept, {}, [](const ThreadRow& row) {
      return std::tie(row.rank, row.thread);
    });
    rows = std::move(kept);
  }
}

void forget_sources(JobTotals* own) {
  for (RegionTotals& region : own->regions) {
    for (ThreadRow& row : region.thread_rows) {
      for (const Member<ThreadRow>& source : kThreadSourceMembers) {
        row.*source.value = ThreadRow::kNotKnown;
      }
    }
  }
}

}  // namespace poprt
