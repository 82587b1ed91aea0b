#include "measure/timeline.h"

#include "base/mutex.h"

namespace poprt {

// Whether the caller is a signal handler.  After so many events it is none: the
// program has left the event by siglongjmp().
bool Timeline::gives_way() {
  constexpr int kMostOfHandler = 64;
  if (gave_way_at_ != events()) gave_way_ = 0;
  gave_way_at_ = events();
  if (++gave_way_ > kMostOfHandler) {
    gave_way_ = 0;
    return false;
  }
  count_call_that_gives_way();
  return true;
}

}  // namespace poprt
