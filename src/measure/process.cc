#include "measure/process.h"

#include <algorithm>
#include <optional>

#include "base/memory.h"
#include "measure/process_windows.h"

namespace poprt {

void Process::need_comp() {
  if (has_comp()) return;
  const MutexLock lock(mutex_);
  if (lock.held()) regions_.begin_comp();
}

void Process::keep_com(int64_t now_ns) {
  if (com_start() != nullptr) return;
  std::unique_ptr<ComStart> start;
  attempt_with_memory([&] { start = std::make_unique<ComStart>(); });
  const MutexLock lock(mutex_);
  if (start == nullptr || !lock.held() || com_start() != nullptr) return;
  regions_.keep_com_in_threads(std::move(start), now_ns,
                               threads_.outside_mpi_at(now_ns));
}

void Process::works_alone(int64_t now_ns) {
  regions_.com().note_alone();
  if (regions_.com().is_for_threads(has_layer(EventLayer::kMpi))) {
    keep_com(now_ns);
  }
}

void Process::set_has_mpi() {
  set_has(EventLayer::kMpi);
  const Thread* const line = primary();
  if (line != nullptr && regions_.com().is_for_threads(true)) {
    keep_com(line->last_event_ns());
  }
}

void Process::raise_comp(const ClockEntry& entry, OutsideMpi outside) {
  const int slot = slot_of_key(entry.its_region(), 0);
  if (slot < 0) return;
  need_comp();
  regions_.at(slot).raise_comp(entry.clock_ns(), outside.comp_ns);
}

Process::Process(RegionSelection selection, PathChoice path,
                 const WindowSpec& windows, bool thread_rows)
    : path_choice_(std::move(path)),
      keeps_coow_(path_choice_.waiting),
      thread_rows_(thread_rows),
      selection_(std::move(selection)),
      all_selected_(selection_.selects_all()),
      regions_(keeps_coow_ ? kTravellingRegions / 2 : kTravellingRegions,
               keeps_coow_ || path_choice_.followed()),
      windows_(windows.on()
                   ? std::make_unique<Windows>(windows, regions_, threads_)
                   : nullptr) {
  for (int i = 0; i < left_out(); ++i) {
    const std::string& name = path_choice_.without[static_cast<size_t>(i)];
    keys_left_out_[i] = text_hash(name.data(), name.size());
  }
  if (path_choice_.regions) path_regions_ = std::make_unique<PathRegions>();
}

Process::~Process() = default;

Thread& Process::add_thread(ThreadKind kind, int64_t now_ns) {
  Thread* const thread =
      new Thread(*this, threads_.next_number(), kind, now_ns);
  if (kind == ThreadKind::kProgram && threads_.make_primary(*thread)) {
    thread->set_member();
    thread->set_primary();
  } else if (kind == ThreadKind::kProgram) {
    works_alone(thread->last_event_ns());
  }
  threads_.add(*thread);
  return *thread;
}

Thread& Process::take_foreign(int64_t now_ns, bool counts) {
  Thread* const ended = threads_.take_foreign(counts);
  if (ended == nullptr) return add_thread(ThreadKind::kForeign, now_ns);
  ended->was_anothers = true;
  ended->begin_again(ThreadKind::kForeign, now_ns);
  return *ended;
}

CounterQuantity::CounterQuantity(std::string_view counter)
    : name(counter_amount(counter)),
      quantity{name.c_str(), "",
               counter == kCountedUseful ? std::optional(State::kUseful)
                                         : std::nullopt} {}

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

int Process::find_key(uint64_t key) {
  int slot = find_slot(key);
  if (slot < 0) {
    const MutexLock lock(mutex_);
    slot = find_slot(key);
    if (slot < 0 && lock.held() && region_count() < travelling_regions()) {
      slot = regions_.add("", key);
    }
  }
  if (slot < 0 || slot >= travelling_regions()) {
    regions_.travelling().fill();
    return -1;
  }
  return slot;
}

// REQUIRES: mutex_ is held, and the region is not in this state already.
void Process::set_open(int slot, bool open, Thread& thread) {
  Region& r = regions_.at(slot);
  // Another thread may have opened or closed it at a later time.  Time that was
  // inside the region stays inside.
  if (r.changed_ns() > thread.last_event_ns()) {
    thread.book_in_change(r.changed_ns());
  }
  const int64_t now_ns = thread.last_event_ns();
  regions_.set_open(r, open, now_ns, threads_.outside_mpi_at(now_ns));
  if (path_regions_ != nullptr && r.key() != kGlobalKey) [[unlikely]] {
    path_regions_->set_open(slot, open, now_ns);
  }
  if (open) r.begin_visit(thread);
  regions_.changed();
  RegionWatcher* const watcher = region_watcher();
  if (watcher != nullptr) [[unlikely]]
    watcher->region_changed(slot, open, now_ns);
}

bool Process::window_is_due(int64_t now_ns) {
  return windows_ != nullptr && windows_->is_due(now_ns);
}

void Process::change_window(int64_t now_ns) {
  if (!window_is_due(now_ns)) return;
  const MutexLock lock(mutex_);
  if (lock.held()) windows_->change(now_ns);
}

void Process::restart_regions(Thread& thread) {
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    const std::vector<Thread*> all = threads_.all();
    for_each_part([&](const TotalsPart& part) { part.restart(all); });
    for (Thread* const each : all) each->cost.restart(each->events());
    const int count = region_count();
    for (int slot = 0; slot < count; ++slot) {
      Region& old = regions_.at(slot);
      const uint64_t key = old.key();
      old.forget_key();
      if (old.depth() == 0) continue;
      set_open(slot, false, thread);
      const int again = regions_.add(old.name(), key);
      if (again < 0) continue;
      regions_.at(again).take_starts(old);
      set_open(again, true, thread);
    }
    if (windows_ != nullptr) windows_->restart();
  }
  thread.book(thread.last_event_ns());
}

void Process::add_parallel_instance(int64_t begin_ns, uint32_t begin_epoch,
                                    const CommonIdle& common) {
  regions_.add_common_idle(common.idle_ns);
  if (begin_epoch == epoch()) return;
  // If the instance began before the region was opened, the common idle time
  // inside the region is not known and counts as imbalance.
  const MutexLock lock(mutex_);
  if (lock.held()) regions_.lose_common_idle(begin_ns, common.idle_ns);
}

}  // namespace poprt
