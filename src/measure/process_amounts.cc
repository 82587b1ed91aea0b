// Quantities in the totals of a process.
#include <algorithm>

#include "measure/process.h"

namespace poprt {

std::vector<Amount> Process::amounts(const RegionView& view) const {
  std::vector<Amount> amounts;
  for (const Quantity* quantity : kQuantities) {
    set_amount(quantity->name, 0, &amounts);
  }
  const bool counts =
      std::ranges::any_of(view.members, [](const RegionView::Member& member) {
        return member.thread->has_counters();
      });
  for (int i = 0; i < account_count(); ++i) {
    const Quantity* const quantity = quantities_.at(i);
    if (quantity->internal) continue;
    if (!counts && !counter_in(quantity->name).empty()) continue;
    int64_t all = 0;
    for (const RegionView::Member& member : view.members) {
      const int64_t own = member.amount[i];
      all = is_maximum(quantity->name) ? std::max(all, own) : all + own;
    }
    set_amount(quantity->name, all, &amounts);
  }
  return amounts;
}

int64_t Process::amount_of(const RegionView::Member& member,
                           const Quantity& quantity) const {
  const int account = account_if_any(quantity);
  return account == kNoAccount ? 0 : member.amount[account];
}

int Process::account_if_any(const Quantity& quantity) const {
  static_assert(kNoAccount == -1);
  return quantities_.find(quantity);
}

}  // namespace poprt
