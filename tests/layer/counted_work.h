// Work that counts how often it was due (measure/due_work.h).
#ifndef POPRT_TESTS_LAYER_COUNTED_WORK_H_
#define POPRT_TESTS_LAYER_COUNTED_WORK_H_

#include <cstdint>

#include "measure/due_work.h"

namespace poprt {

class CountedWork final : public DueWork {
 public:
  int64_t work(int64_t) override {
    ++times;
    return INT64_MAX;
  }
  int times = 0;
};

// How often a piece of work that has long been due is done meanwhile.
template <class Events>
int work_done_in(Events events) {
  static CountedWork work;
  const int before = work.times;
  do_when_due(work, INT64_MIN);
  events();
  do_when_due(work, INT64_MAX);
  return work.times - before;
}

}  // namespace poprt

#endif  // POPRT_TESTS_LAYER_COUNTED_WORK_H_
