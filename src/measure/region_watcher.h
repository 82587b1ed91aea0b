// Who wants to know when regions of the process are opened and closed.
#ifndef POPRT_MEASURE_REGION_WATCHER_H_
#define POPRT_MEASURE_REGION_WATCHER_H_

#include <cstdint>

namespace poprt {

class RegionWatcher {
 public:
  // The region with this slot has been opened or closed, by the program.  The
  // process's mutex is held.
  virtual void region_changed(int slot, bool opens, int64_t now_ns) = 0;

 protected:
  ~RegionWatcher() = default;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGION_WATCHER_H_
