// What the quick ways of synchronisation leave: threads and objects of which
// other regions run, or whose resting clocks differ; where a note goes with the
// clocks; where more clocks than the usual ones are kept.
#include <atomic>

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {

void Thread::raise_com(RegionRecord& r, int slot, int64_t com_ns,
                       const OwnClocks& base, const OutsideMpi& outside) {
  if (keeps_com()) return raise_own_com(r, com_ns, base);
  if (!process_.raise_com(slot, com_ns, outside)) return;
  records_.rests_later(r);
  ++com_changes_;
  process_.count_com_change();
}

bool Thread::sends_more() const { return process_.sends_more(); }

void Thread::store_all_to(SyncClock& sync) {
  const int count = records_.count();
  const OwnClocks own = all_own_clocks();
  if (records_.quick_count() > 0) {
    SyncClock::Storing storing(sync, records_.split());
    records_.for_each(count, [&](int slot, const RegionRecord& r) {
      storing.store(slot, r.clocks(own));
    });
    return storing.publish(count);
  }
  records_.for_each(count, [&](int slot, const RegionRecord& r) {
    sync.store(slot, given_clocks(r, own));
  });
  if (path_ == nullptr) {
    sync.publish(count);
  } else {
    sync.publish(count, path_->note());
    path_->given();
  }
  if (keeps_com()) sync.publish_com(came_ns());
}

// Nobody waits for a thread that is not OpenMP's: what it brings came by
// itself.
int64_t Thread::came_ns() const {
  return kind_ == ThreadKind::kForeign ? SyncClock::kNever : timeline_.since();
}

void Thread::raise_all_in(SyncClock::Raising& raising) {
  const int count = records_.count();
  const OwnClocks own = all_own_clocks();
  records_.for_each(count, [&](int slot, const RegionRecord& r) {
    raising.raise(slot, given_clocks(r, own));
  });
  if (path_ == nullptr) {
    raising.publish(count);
  } else {
    raising.publish(count, path_->note());
    path_->given();
  }
  if (keeps_com()) raising.publish_com(came_ns());
}

void Thread::merge_all(const SyncClock& sync) {
  const OwnClocks own = all_own_clocks();
  const SyncClock::Size size = sync.size();
  if (size.is_empty()) return;
  const int count = size.regions();
  records_.need(count);
  if (records_.quick_count() > 0) return records_.merge(sync, count, own);
  records_.for_each(count, [&](int slot, RegionRecord& r) {
    const ClockSet clocks = sync.get(slot);
    const OwnClocks base = base_as_of(r, slot, own, com_.merge_tail_ns());
    for_each_clock([&](int i, int kind) {
      r.clock[i].raise(clocks.ns[i] - base.ns[kind]);
    });
  });
  // A region that was opened since then, before this thread existed.
  for (int slot = count; slot < records_.count(); ++slot) {
    if (com_.merge_tail_ns() == 0) break;
    RegionRecord& r = records_.at(slot);
    const OwnClocks base = base_as_of(r, slot, own, com_.merge_tail_ns());
    r.clock[kGlobalCom].raise(-base.ns[kCom]);
    r.clock[kGlobalComp].raise(-base.ns[kComp]);
  }
  PathNote note;
  if (path_ != nullptr && size.has_note() && sync.read_note(&note)) {
    path_->merge(note, process_.rank());
  }
}

}  // namespace poprt
