#include "measure/due_work.h"

#include <algorithm>
#include <cerrno>

#include "base/no_cancellation.h"

namespace poprt {

constinit std::atomic<int64_t> g_due_ns{INT64_MAX};

namespace {

struct Place {
  std::atomic<DueWork*> work{nullptr};
  std::atomic<int64_t> due_ns{INT64_MAX};
};
constinit Place g_places[kMostDueWork];

// When the first of them is due.
int64_t first_due_ns() {
  int64_t first_ns = INT64_MAX;
  for (const Place& place : g_places) {
    first_ns = std::min(first_ns, place.due_ns.load(std::memory_order_acquire));
  }
  return first_ns;
}

}  // namespace

void do_when_due(DueWork& work, int64_t due_ns) {
  for (Place& place : g_places) {
    DueWork* known = nullptr;
    if (!place.work.compare_exchange_strong(known, &work) && known != &work) {
      continue;
    }
    place.due_ns.store(due_ns, std::memory_order_release);
    g_due_ns.store(first_due_ns(), std::memory_order_release);
    return;
  }
}

void do_due_work(int64_t now_ns) {
  int64_t due_ns = g_due_ns.load(std::memory_order_acquire);
  // One thread does it; meanwhile it is not due for others.
  if (now_ns < due_ns || !g_due_ns.compare_exchange_strong(
                             due_ns, INT64_MAX, std::memory_order_acq_rel)) {
    return;
  }
  const int saved = errno;
  const NoCancellation whole;
  for (Place& place : g_places) {
    int64_t its_ns = place.due_ns.load(std::memory_order_acquire);
    if (now_ns < its_ns ||
        !place.due_ns.compare_exchange_strong(its_ns, INT64_MAX)) {
      continue;
    }
    DueWork* const work = place.work.load(std::memory_order_acquire);
    place.due_ns.store(work->work(now_ns), std::memory_order_release);
  }
  errno = saved;
  g_due_ns.store(first_due_ns(), std::memory_order_release);
}

}  // namespace poprt
