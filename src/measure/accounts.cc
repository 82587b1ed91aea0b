#include "measure/accounts.h"

#include "measure/counter_readings.h"

namespace poprt {

FurtherMeasures::FurtherMeasures() = default;
FurtherMeasures::~FurtherMeasures() = default;

Accounts::Accounts() {
  for (std::atomic<int>& timed : timed_) timed.store(kNoAccount);
}

Accounts::~Accounts() {
  for (std::atomic<Region*>& region : regions_) delete region.load();
}

FurtherMeasures& Accounts::obtain_further() {
  if (further_ == nullptr) further_ = std::make_unique<FurtherMeasures>();
  return *further_;
}

// A step that another thread asks for has no readings, and is known by its
// account alone.
int64_t Accounts::of_step(int account, const Step& step, bool inside) const {
  if (account == step.timed) {
    return inside ? step.timed_inside_ns : step.timed_ns;
  }
  if (!step.counted) return 0;
  return inside ? counters()->inside(account, step.inside_begin_ns(),
                                     step.inside_ns)
                : counters()->counted(account);
}

int64_t Accounts::at(int slot, int account, bool open, const Step& step) const {
  const Region* const region = regions_[slot].load(std::memory_order_acquire);
  int64_t amount = region == nullptr ? 0 : region->amount[account].get();
  if (open) amount += total_[account].get();
  return amount + of_step(account, step, /*inside=*/true);
}

Accounts::Region& Accounts::obtain(int slot) {
  Region* region = regions_[slot].load(std::memory_order_relaxed);
  if (region == nullptr) {
    region = new Region;
    regions_[slot].store(region, std::memory_order_release);
  }
  return *region;
}

void Accounts::add_in(int slot, int account, int64_t amount) {
  if (account < kMaxAccounts) obtain(slot).amount[account].add(amount);
}

void Accounts::clear(int slot) {
  Region* const region = regions_[slot].load(std::memory_order_relaxed);
  if (region == nullptr) return;
  for (Cell& amount : region->amount) amount.set(0);
}

void Accounts::convert(int slot, bool was_open, bool is_open, const Step& step,
                       int count) {
  Region& region = obtain(slot);
  for (int i = 0; i < count; ++i) {
    const int64_t now = at(slot, i, was_open, step);
    const int64_t total = total_[i].get() + of_step(i, step, /*inside=*/false);
    region.amount[i].set(now - (is_open ? total : 0));
  }
}

void Accounts::add(const Step& step) {
  if (step.timed != kNoAccount) add(step.timed, step.timed_ns);
  if (!step.counted) return;
  for (int i = counters()->first(); i < counters()->last(); ++i) {
    add(i, counters()->counted(i));
  }
}

}  // namespace poprt
