// Regions: the regions of a process with what opening and closing them changes:
// their times, COM and COMP, the epoch, and what of them travels.
//
// Invariants:
//  1. After a region was opened or closed, all clocks in it run or rest as its
//     time does, and then the epoch changes.  A thread may see the region
//     before the epoch.
//  2. If the primary thread's two times of OutsideMpi differ, the process has
//     COMP (begin_comp()) before a region or window is opened or closed.
//  3. Whoever adds, opens or closes holds the process's mutex; all may read.
#ifndef POPRT_MEASURE_REGIONS_H_
#define POPRT_MEASURE_REGIONS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/cell.h"
#include "measure/com_keeper.h"
#include "measure/epochs.h"
#include "measure/region.h"
#include "measure/region_table.h"
#include "measure/travelling_regions.h"

namespace poprt {

class Regions {
 public:
  // `travelling`: how many regions may travel.  `sends_more`: messages have
  // further entries from the start.
  Regions(int travelling, bool sends_more)
      : travelling_(travelling), sends_more_(sends_more) {}

  int count() const { return table_.count(); }
  const Region& at(int slot) const { return table_.at(slot); }
  Region& at(int slot) { return table_.at(slot); }
  int find(uint64_t key) const { return table_.find(key); }
  const Epoch& epoch() const { return epoch_; }
  const TravellingRegions& travelling() const { return travelling_; }
  TravellingRegions& travelling() { return travelling_; }
  const ComKeeper& com() const { return com_; }
  ComKeeper& com() { return com_; }
  // Whether messages may have entries of COMP, COOW or a path.
  bool sends_more() const {
    return sends_more_.load(std::memory_order_acquire);
  }

  // As RegionTable::add().
  int add(std::string_view name, uint64_t key);
  // Opens or closes a region of the program, or a window.  `outside`: of the
  // primary thread, at `now_ns`.  REQUIRES: the region is not in this state
  // already.  Call changed() next for regions of the program.
  void set_open(Region& r, bool open, int64_t now_ns,
                const OutsideMpi& outside) {
    if (outside.com_ns != outside.comp_ns) begin_comp();
    r.set_open(open, now_ns, outside, com_.has_comp(), common_idle_ns_.get());
  }
  void changed() { epoch_.change_program_region(); }
  void set_window_open(Region& r, bool open, int64_t now_ns,
                       const OutsideMpi& outside) {
    set_open(r, open, now_ns, outside);
    epoch_.change_window();
  }
  void windows_changed() { epoch_.change_window(); }

  void begin_comp();
  // As ComKeeper::keep_in_threads().
  void keep_com_in_threads(std::unique_ptr<ComStart> start, int64_t now_ns,
                           const OutsideMpi& outside);

  // All threads were idle for `ns` in parallel regions.
  void add_common_idle(int64_t ns) { common_idle_ns_.add(ns); }
  CommonIdle common_idle(const Region& r) const {
    return r.common_idle(common_idle_ns_.get());
  }
  // Takes `ns` of that time off open regions that have changed after
  // `begin_ns`, because it is not known how much of it was in these.
  void lose_common_idle(int64_t begin_ns, int64_t ns);

 private:
  RegionTable table_;
  Epoch epoch_;
  TravellingRegions travelling_;
  ComKeeper com_;
  std::atomic<bool> sends_more_;
  Cell common_idle_ns_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGIONS_H_
