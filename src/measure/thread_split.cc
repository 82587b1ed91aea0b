// Synchronisation without the quick way of ThreadClocks: thread and object have
// other running regions or other resting clocks (region_split.h), a note of the
// longest path goes with the clocks, or the thread keeps COM and COMP.

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {

void Thread::raise_com(RegionRecord& r, int slot, int64_t com_ns,
                       const OwnClocks& base, const OutsideMpi& outside) {
  if (keeps_com()) return ThreadClocks::raise_own_com(r, com_ns, base);
  if (!process_.raise_com(slot, com_ns, outside)) return;
  clocks_.records().rests_later(r);
  ++com_changes_;
  process_.count_com_change();
}

bool Thread::sends_more() const { return process_.sends_more(); }

void Thread::store_all_to(SyncClock& sync) {
  const int count = clocks_.records().count();
  const OwnClocks own = clocks_.all_own();
  if (clocks_.records().quick_count() > 0) {
    SyncClock::Storing storing(sync, clocks_.records().split());
    clocks_.records().for_each(count, [&](int slot, const RegionRecord& r) {
      storing.store(slot, r.clocks(own));
    });
    return storing.publish(count);
  }
  clocks_.records().for_each(count, [&](int slot, const RegionRecord& r) {
    sync.store(slot, clocks_.given(r, own));
  });
  if (path_ == nullptr) {
    sync.publish(count);
  } else {
    sync.publish(count, path_->path().note());
    path_->path().given();
  }
  if (keeps_com()) sync.publish_com(came_ns());
}

// Nobody waits for a foreign thread.
int64_t Thread::came_ns() const {
  return kind_ == ThreadKind::kForeign ? SyncClock::kNever : timeline().since();
}

void Thread::raise_all_in(SyncClock::Raising& raising) {
  const int count = clocks_.records().count();
  const OwnClocks own = clocks_.all_own();
  clocks_.records().for_each(count, [&](int slot, const RegionRecord& r) {
    raising.raise(slot, clocks_.given(r, own));
  });
  if (path_ == nullptr) {
    raising.publish(count);
  } else {
    raising.publish(count, path_->path().note());
    path_->path().given();
  }
  if (keeps_com()) raising.publish_com(came_ns());
}

void Thread::merge_all(const SyncClock& sync) {
  const OwnClocks own = clocks_.all_own();
  const SyncClock::Size size = sync.size();
  if (size.is_empty()) return;
  const int count = size.regions();
  clocks_.records().need(count);
  if (clocks_.records().quick_count() > 0)
    return clocks_.records().merge(sync, count, own);
  const int64_t tail_ns = clocks_.com().merge_tail_ns();
  clocks_.records().for_each(count, [&](int slot, RegionRecord& r) {
    const ClockSet clocks = sync.get(slot);
    const OwnClocks base =
        clocks_.base_as_of(r, process_.region(slot).changed_ns(), own, tail_ns);
    for_each_clock([&](int i, int kind) {
      r.clock[i].raise(clocks.ns[i] - base.ns[kind]);
    });
  });
  // A region that the object lacks had no clocks at that time.
  for (int slot = count; slot < clocks_.records().count(); ++slot) {
    if (tail_ns == 0) break;
    RegionRecord& r = clocks_.records().at(slot);
    const OwnClocks base =
        clocks_.base_as_of(r, process_.region(slot).changed_ns(), own, tail_ns);
    r.clock[kGlobalCom].raise(-base.ns[kCom]);
    r.clock[kGlobalComp].raise(-base.ns[kComp]);
  }
  PathNote note;
  if (path_ != nullptr && size.has_note() && sync.read_note(&note)) {
    path_->path().merge(note, process_.rank());
  }
}

}  // namespace poprt
