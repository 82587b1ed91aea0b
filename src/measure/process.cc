#include "measure/process.h"

#include <algorithm>

#include "base/memory.h"
#include "measure/epochs.h"
#include "measure/windows.h"

namespace poprt {

bool Process::raise_com(int slot, int64_t com_ns, const OutsideMpi& outside) {
  Region& r = regions_.at(slot);
  const bool rests_later = r.com_.raise(com_ns, outside.com_ns);
  if (has_comp()) raise_comp(slot, com_ns, outside);
  return rests_later;
}

// Until now the primary thread's time outside MPI was the same for both clocks,
// and so their offsets are the same.  No region was opened or closed and no
// clock raised since it differs, because all these first call outside_mpi().
//
// REQUIRES: mutex_ is held.
void Process::begin_comp() {
  if (has_comp()) return;
  for (int slot = 0; slot < region_count(); ++slot) {
    Region& r = regions_.at(slot);
    r.comp_.become(r.com_);
  }
  has_comp_.store(true, std::memory_order_release);
  sends_more_.store(true, std::memory_order_release);
}

void Process::need_comp() {
  if (has_comp()) return;
  const MutexLock lock(mutex_);
  if (lock.held()) begin_comp();
}

void Process::keep_com(int64_t now_ns) {
  if (com_start() != nullptr) return;
  std::unique_ptr<ComStart> start;
  attempt_with_memory([&] { start = std::make_unique<ComStart>(); });
  const MutexLock lock(mutex_);
  if (start == nullptr || !lock.held() || com_start() != nullptr) return;
  begin_comp();
  const OutsideMpi outside = outside_mpi_at(now_ns);
  start->ns = now_ns;
  start->regions = region_count();
  for (int slot = 0; slot < start->regions; ++slot) {
    start->com_ns[slot] = region(slot).com().at(outside.com_ns);
    start->comp_ns[slot] = region(slot).comp().at(outside.comp_ns);
  }
  com_start_.store(start.release(), std::memory_order_release);
  epoch_.fetch_or(kThreadsKeepCom, std::memory_order_release);
}

void Process::works_alone(int64_t now_ns) {
  works_alone_.store(true);
  if (has_layer(EventLayer::kMpi)) keep_com(now_ns);
}

void Process::set_has_mpi() {
  set_has(EventLayer::kMpi);
  const Thread* const line = primary();
  if (line != nullptr && works_alone_.load()) keep_com(line->last_event_ns());
}

void Process::raise_comp(int slot, int64_t comp_ns, OutsideMpi outside) {
  need_comp();
  regions_.at(slot).comp_.raise(comp_ns, outside.comp_ns);
}

void Process::raise_comp(const ClockEntry& entry, OutsideMpi outside) {
  const int slot = slot_of_key(entry.its_region(), 0);
  if (slot >= 0) raise_comp(slot, entry.clock_ns(), outside);
}

Process::Process(RegionSelection selection, PathChoice path,
                 const WindowSpec& windows, bool thread_rows)
    : selection_(std::move(selection)),
      all_selected_(selection_.selects_all()),
      path_choice_(std::move(path)),
      keeps_coow_(path_choice_.waiting),
      travelling_regions_(keeps_coow_ ? kTravellingRegions / 2
                                      : kTravellingRegions),
      sends_more_(keeps_coow_ || path_choice_.followed()),
      windows_(windows.on() ? std::make_unique<Windows>(windows) : nullptr),
      thread_rows_(thread_rows) {
  for (int i = 0; i < left_out(); ++i) {
    const std::string& name = path_choice_.without[static_cast<size_t>(i)];
    keys_left_out_[i] = text_hash(name.data(), name.size());
  }
  if (path_choice_.regions) path_regions_ = std::make_unique<PathRegions>();
}

Process::~Process() {
  for (Thread* thread : threads()) delete thread;
  delete com_start();
}

Thread& Process::add_thread(ThreadKind kind, int64_t now_ns) {
  Thread* const thread = new Thread(*this, ++thread_count_, kind, now_ns);
  Thread* none = nullptr;
  if (kind == ThreadKind::kProgram &&
      primary_.compare_exchange_strong(none, thread)) {
    thread->set_member();
    thread->set_primary();
  } else if (kind == ThreadKind::kProgram) {
    works_alone(thread->last_event_ns());
  }
  Thread* latest = threads_.load(std::memory_order_relaxed);
  do {
    thread->earlier = latest;
  } while (!threads_.compare_exchange_weak(
      latest, thread, std::memory_order_release, std::memory_order_relaxed));
  return *thread;
}

Thread* Process::take_core() {
  const MutexLock lock(cores_mutex_);
  Thread* const core = lock.held() ? free_core_ : nullptr;
  if (core != nullptr) free_core_ = core->next_free;
  return core;
}

void Process::give_back(Thread& core) {
  const MutexLock lock(cores_mutex_);
  if (!lock.held()) return;
  core.next_free = free_core_;
  free_core_ = &core;
}

void Process::add_part(const TotalsPart& part) { parts_.add(part); }

int Process::account_of(const Quantity& quantity) {
  return quantities_.add(quantity);
}

CounterQuantity::CounterQuantity(std::string_view counter)
    : name(counter_amount(counter)), quantity{name.c_str(), "", std::nullopt} {}

bool Process::count_with(CounterSource& source) {
  auto counting = std::make_unique<Counting>();
  counting->source = &source;
  const auto add = [&](std::string_view counter) {
    return account_of(counter_quantities_.emplace_back(counter).quantity);
  };
  counting->first_account = add(kCountedUseful);
  int next = counting->first_account;
  for (int i = 0; i < source.size(); ++i) {
    if (next == kNoAccount || add(source.name(i)) != ++next) return false;
  }
  counting_ = std::move(counting);
  return true;
}

void Process::set_outside_counts(const int64_t* counts) {
  std::copy_n(counts, counting_->source->size(), counting_->outside);
}

std::vector<Thread*> Process::threads() const {
  std::vector<Thread*> list;
  for (Thread* thread = threads_.load(std::memory_order_acquire);
       thread != nullptr; thread = thread->earlier) {
    list.push_back(thread);
  }
  std::reverse(list.begin(), list.end());
  return list;
}

// REQUIRES: mutex_ is held; the key is not in the table.
int Process::add_region(std::string_view name, uint64_t key) {
  const int slot = regions_.add(name, key);
  if (slot >= travelling_regions()) full_table_.store(true);
  return slot;
}

int Process::find_key(uint64_t key) {
  int slot = find_slot(key);
  if (slot < 0) {
    const MutexLock lock(mutex_);
    slot = find_slot(key);
    if (slot < 0 && lock.held() && region_count() < travelling_regions()) {
      slot = add_region("", key);
    }
  }
  if (slot < 0 || slot >= travelling_regions()) {
    full_table_.store(true, std::memory_order_relaxed);
    return -1;
  }
  return slot;
}

void Process::lost_clock(int slot) {
  int known = complete_regions_.load(std::memory_order_relaxed);
  while (slot < known &&
         !complete_regions_.compare_exchange_weak(known, slot)) {
  }
  full_table_.store(true, std::memory_order_relaxed);
}

// REQUIRES: mutex_ is held, and the region is not in this state already.  A
// thread may see it before the epoch changes (convert_regions()).
[[gnu::always_inline]] inline void Process::set_open_at(Region& r, bool open,
                                                        int64_t now_ns) {
  const OutsideMpi outside = outside_mpi_at(now_ns);
  if (outside.com_ns != outside.comp_ns) begin_comp();
  const int64_t sign = open ? -1 : 1;
  r.common_idle_.idle_ns += sign * common_idle_ns_.get();
  r.set_open(open, now_ns, outside, has_comp());
  r.changed_ns_.store(now_ns, std::memory_order_relaxed);
}

// REQUIRES: mutex_ is held, and the region is not in this state already.
void Process::set_open(int slot, bool open, Thread& thread) {
  Region& r = regions_.at(slot);
  // Another thread may have opened or closed it at a later time.  Time that was
  // inside the region stays inside.
  if (r.changed_ns() > thread.last_event_ns()) {
    thread.book_in_change(r.changed_ns());
  }
  set_open_at(r, open, thread.last_event_ns());
  if (path_regions_ != nullptr && r.key() != kGlobalKey) [[unlikely]] {
    path_regions_->set_open(slot, open, thread.last_event_ns());
  }
  if (open) {
    r.opener_ = &thread;
    ++r.visits_;
  }
  epoch_.fetch_add(kProgramRegionChanges, std::memory_order_release);
}

void Process::set_window_open(Region& r, bool open, int64_t now_ns) {
  set_open_at(r, open, now_ns);
  epoch_.fetch_add(kWindowChanges, std::memory_order_release);
}

void Process::restart_regions(Thread& thread) {
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    const std::vector<Thread*> all = threads();
    for_each_part([&](const TotalsPart& part) { part.restart(all); });
    const int count = region_count();
    for (int slot = 0; slot < count; ++slot) {
      Region& old = regions_.at(slot);
      const uint64_t key = old.key();
      old.key_.store(0, std::memory_order_relaxed);
      if (old.depth_ == 0) continue;
      set_open(slot, false, thread);
      const int again = add_region(old.name_, key);
      if (again < 0) continue;
      Region& fresh = regions_.at(again);
      fresh.depth_ = old.depth_;
      old.depth_ = 0;
      set_open(again, true, thread);
    }
    if (windows_ != nullptr) restart_windows();
  }
  thread.book(thread.last_event_ns());
}

void Process::add_parallel_instance(int64_t begin_ns, uint32_t begin_epoch,
                                    const CommonIdle& common) {
  common_idle_ns_.add(common.idle_ns);
  if (begin_epoch == epoch()) return;
  // If the instance began before the region was opened, the common idle time
  // inside the region is not known and counts as imbalance.
  const MutexLock lock(mutex_);
  if (!lock.held()) return;
  for (int slot = 0; slot < region_count(); ++slot) {
    Region& r = regions_.at(slot);
    if (r.elapsed().open && r.changed_ns() > begin_ns) {
      r.common_idle_.idle_ns -= common.idle_ns;
    }
  }
}

}  // namespace poprt
