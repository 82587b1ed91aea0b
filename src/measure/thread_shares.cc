// Shares the amounts of a time that is over among the regions where it was.
#include <algorithm>
#include <memory>
#include <utility>

#include "measure/passed_amounts.h"
#include "measure/process.h"
#include "measure/region_times.h"
#include "measure/thread.h"
#include "measure/thread_windows.h"

namespace poprt {
namespace {

int64_t scaled(int64_t amount, int64_t part_ns, int64_t whole_ns) {
  if (part_ns >= whole_ns) return amount;
  if (part_ns <= 0) return 0;
  // In double, because a product of two times may need more than 64 bits.
  return static_cast<int64_t>(static_cast<double>(amount) *
                              static_cast<double>(part_ns) /
                              static_cast<double>(whole_ns));
}

}  // namespace

void Thread::pass_in(int slot, const Thread& other, int account,
                     int64_t amount) {
  other.passed_->add(slot, account, amount);
  passed_->add(slot, account, -amount);
}

void Thread::pass(const Thread& other, const std::bitset<kMaxRegions>& regions,
                  const Share* shares, int count) {
  for (size_t slot = regions._Find_first(); slot < regions.size();
       slot = regions._Find_next(slot)) {
    for (const Share* share = shares; share != shares + count; ++share) {
      pass_in(static_cast<int>(slot), other, share->account, share->amount);
    }
  }
}

bool Thread::is_open_since(int slot, int64_t begin_ns) {
  const Region& region = process_.region(slot);
  return clocks_.records().at(slot).is_open() && region.elapsed().open &&
         region.changed_ns() <= begin_ns && !is_live_window(region.key());
}

// Adds the shares to the accounts.  Of the time, `inside(slot)` of `whole_ns`
// are in the region; all of it if the region has been open since `begin_ns`.
// `other`: the thread that the shares are passed to, or null.
template <class Inside>
void Thread::share_among_regions(int64_t begin_ns, int64_t whole_ns,
                                 const Share* shares, int count, Inside inside,
                                 const Thread* other) {
  Accounts& accounts = this->accounts();
  const int regions = process_.region_count();
  clocks_.records().need(regions);
  for (int slot = 0; slot < regions; ++slot) {
    const bool open = clocks_.records().at(slot).is_open();
    const int64_t inside_ns = inside(slot);
    const int64_t part_ns =
        is_open_since(slot, begin_ns) ? whole_ns : inside_ns;
    for (const Share* share = shares; share != shares + count; ++share) {
      // accounts.add() below counts in all open regions.
      const int64_t part = scaled(share->amount, part_ns, whole_ns);
      const int64_t more = part - (open ? share->amount : 0);
      if (more != 0) accounts.add_in(slot, share->account, more);
      if (other != nullptr) pass_in(slot, *other, share->account, part);
    }
  }
  for (const Share* share = shares; share != shares + count; ++share) {
    accounts.add(share->account, share->amount);
  }
}

// The same for windows: `inside[i]` of the time are in the window that is kept
// at place i, or will be kept there when it is over.
void Thread::share_among_windows(int64_t whole_ns, const Share* shares,
                                 int count, const int64_t* inside) {
  WindowTable& table = windows_->table();
  for (int i = 0; i < kKeptWindows; ++i) {
    if (inside[i] == 0) continue;
    for (const Share* share = shares; share != shares + count; ++share) {
      table.kept[i].amount[share->account] +=
          scaled(share->amount, inside[i], whole_ns);
    }
  }
}

void Thread::share_out(int from, int64_t begin_ns, int64_t whole_ns,
                       const Share* shares, int count) {
  Accounts& accounts = this->accounts();
  share_among_regions(begin_ns, whole_ns, shares, count, [&](int slot) {
    const bool open = clocks_.records().at(slot).is_open();
    const int64_t part_ns = accounts.at(slot, from, open, {});
    const int64_t more_ns = (open ? whole_ns : 0) - part_ns;
    if (more_ns != 0) accounts.add_in(slot, from, more_ns);
    return part_ns;
  });
  accounts.add(from, -whole_ns);
  if (windows_ == nullptr) return;
  int64_t inside[kKeptWindows];
  for (int i = 0; i < kKeptWindows; ++i) {
    inside[i] = std::exchange(windows_->table().kept[i].amount[from], 0);
  }
  share_among_windows(whole_ns, shares, count, inside);
}

void Thread::share_out_of(const Thread& other, int from, int64_t begin_ns,
                          int64_t whole_ns, int64_t tail_ns,
                          const Share* shares, int count) {
  const int64_t now_ns = timeline().since();
  const auto inside_region = [&](int slot) {
    if (is_live_window(process_.region(slot).key())) return int64_t{0};
    const bool open = clocks_.records().at(slot).is_open();
    return other.amount_at(slot, from, now_ns) +
           other.clocks_.inside_ns(slot, process_.region(slot).elapsed(),
                                   now_ns) -
           (open ? tail_ns : 0);
  };
  share_among_regions(begin_ns, whole_ns, shares, count, inside_region,
                      has_row() ? &other : nullptr);
  if (windows_ == nullptr) return;
  const auto windows = std::make_unique<WindowsOfProcess>();
  const auto theirs = std::make_unique<WindowTable>();
  {
    const MutexLock lock(process_.mutex());
    if (!lock.held()) return;
    *windows = *process_.windows();
    if (windows->current >= 0) {
      const LiveWindow& live = windows->live[windows->current];
      windows->kept[windows->index_of(live.step)].add(
          process_.windows()->until(now_ns));
    }
    other.windows_at(*windows, now_ns, theirs.get(), from);
  }
  if (theirs->level != windows_->table().level) return;
  int64_t inside[kKeptWindows];
  for (int i = 0; i < kKeptWindows; ++i) {
    inside[i] = theirs->kept[i].amount[from];
  }
  Elapsed unused;
  const int64_t present = windows_->open_window(&unused);
  if (present >= 0) inside[present] -= tail_ns;
  share_among_windows(whole_ns, shares, count, inside);
}

int64_t Thread::inside_between(int slot, const RegionTimes& begin,
                               int64_t begin_ns, int64_t end_ns) const {
  if (is_live_window(process_.region(slot).key())) return 0;
  const Elapsed before =
      slot < begin.count ? Elapsed::of(begin.word[slot]) : Elapsed();
  return process_.region(slot).elapsed().at(end_ns) - before.at(begin_ns);
}

void Thread::pass(const Thread& other, const RegionTimes& begin,
                  int64_t begin_ns, int64_t end_ns, const Share* shares,
                  int count) {
  const int regions = process_.region_count();
  for (int slot = 0; slot < regions; ++slot) {
    const int64_t part_ns = inside_between(slot, begin, begin_ns, end_ns);
    for (const Share* share = shares; share != shares + count; ++share) {
      pass_in(slot, other, share->account,
              scaled(share->amount, part_ns, end_ns - begin_ns));
    }
  }
}

void Thread::share_out(const RegionTimes& begin, int64_t begin_ns,
                       int64_t end_ns, const Share* shares, int count) {
  const int64_t whole_ns = end_ns - begin_ns;
  share_among_regions(begin_ns, whole_ns, shares, count, [&](int slot) {
    return inside_between(slot, begin, begin_ns, end_ns);
  });
  if (windows_ == nullptr) return;
  const WindowTable& table = windows_->table();
  int64_t before[kKeptWindows];
  std::copy_n(begin.window_ns, kKeptWindows, before);
  if (begin.open_window >= 0) {
    before[begin.open_window] += Elapsed::of(begin.open_word).at(begin_ns);
  }
  for (int level = begin.level; level < table.level; ++level) {
    for (int i = 0; i < kKeptWindows; ++i) {
      before[i] = i < kKeptWindows / 2 ? before[2 * i] + before[2 * i + 1] : 0;
    }
  }
  Elapsed open;
  const int64_t present = windows_->open_window(&open);
  int64_t inside[kKeptWindows];
  for (int i = 0; i < kKeptWindows; ++i) {
    inside[i] = table.kept[i].elapsed_ns - before[i] +
                (i == present ? open.at(end_ns) : 0);
  }
  share_among_windows(whole_ns, shares, count, inside);
}

void Thread::note_regions(RegionTimes* times) const {
  if (times->count > 0 && times->epoch == known_epoch()) return;
  times->epoch = known_epoch();
  times->count = process_.region_count();
  for (int slot = 0; slot < times->count; ++slot) {
    times->word[slot] = process_.region(slot).elapsed().word();
  }
  if (windows_ == nullptr) return;
  const WindowTable& table = windows_->table();
  times->level = table.level;
  for (int i = 0; i < kKeptWindows; ++i) {
    times->window_ns[i] = table.kept[i].elapsed_ns;
  }
  Elapsed open;
  times->open_window = windows_->open_window(&open);
  times->open_word = open.word();
}

}  // namespace poprt
