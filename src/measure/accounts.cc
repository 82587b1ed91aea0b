#include "measure/accounts.h"

namespace poprt {

Accounts::~Accounts() {
  for (std::atomic<Region*>& region : regions_) delete region.load();
}

int64_t Accounts::at(int slot, int account, bool open,
                     const TimedStep& step) const {
  const Region* const region = regions_[slot].load(std::memory_order_acquire);
  int64_t amount = region == nullptr ? 0 : region->amount[account].get();
  if (open) amount += total_[account].get();
  return amount + (account == step.account ? step.inside_ns : 0);
}

void Accounts::convert(int slot, bool was_open, bool is_open,
                       const TimedStep& step) {
  Region* region = regions_[slot].load(std::memory_order_relaxed);
  if (region == nullptr) {
    region = new Region;
    regions_[slot].store(region, std::memory_order_release);
  }
  for (int i = 0; i < kMaxAccounts; ++i) {
    const int64_t now = at(slot, i, was_open, step);
    const int64_t total = total_[i].get() + (i == step.account ? step.ns : 0);
    region->amount[i].set(now - (is_open ? total : 0));
  }
}

}  // namespace poprt
