#include "measure/com_keeper.h"

namespace poprt {

void ComKeeper::begin_comp(RegionTable& regions) {
  for (int slot = 0; slot < regions.count(); ++slot) {
    regions.at(slot).comp_becomes_com();
  }
  has_comp_.store(true, std::memory_order_release);
}

void ComKeeper::keep_in_threads(std::unique_ptr<ComStart> start, int64_t now_ns,
                                const OutsideMpi& outside,
                                const RegionTable& regions) {
  start->ns = now_ns;
  start->regions = regions.count();
  for (int slot = 0; slot < start->regions; ++slot) {
    start->com_ns[slot] = com_ns(regions.at(slot), outside);
    start->comp_ns[slot] = comp_ns(regions.at(slot), outside);
  }
  start_.store(start.release(), std::memory_order_release);
}

}  // namespace poprt
