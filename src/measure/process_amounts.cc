// Quantities in the totals of a process.
#include <algorithm>

#include "measure/process_totals.h"

namespace poprt {

std::vector<Amount> ProcessTotals::amounts(const View& view) const {
  std::vector<Amount> amounts;
  for (const Quantity* quantity : kQuantities) {
    set_amount(quantity->name, 0, &amounts);
  }
  const bool counts = std::ranges::any_of(
      view.members,
      [](const View::Member& member) { return member.thread->has_counters(); });
  for (int i = 0; i < process_.account_count(); ++i) {
    const Quantity* const quantity = process_.quantities().at(i);
    if (quantity->internal) continue;
    if (!counts && !counter_in(quantity->name).empty()) continue;
    int64_t all = 0;
    for (const View::Member& member : view.members) {
      const int64_t own = member.amount[i];
      all = is_maximum(quantity->name) ? std::max(all, own) : all + own;
    }
    set_amount(quantity->name, all, &amounts);
  }
  return amounts;
}

int64_t ProcessTotals::amount_of(const View::Member& member,
                                 const Quantity& quantity) const {
  const int account = account_if_any(quantity);
  return account == kNoAccount ? 0 : member.amount[account];
}

int ProcessTotals::account_if_any(const Quantity& quantity) const {
  static_assert(kNoAccount == -1);
  return process_.quantities().find(quantity);
}

}  // namespace poprt
