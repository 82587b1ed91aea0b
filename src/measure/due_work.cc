#include "measure/due_work.h"

#include <cerrno>

namespace poprt {

constinit std::atomic<int64_t> g_due_ns{INT64_MAX};

namespace {
constinit std::atomic<DueWork*> g_work{nullptr};
}  // namespace

void do_when_due(DueWork& work, int64_t due_ns) {
  g_work.store(&work, std::memory_order_relaxed);
  g_due_ns.store(due_ns, std::memory_order_release);
}

void do_due_work(int64_t now_ns) {
  int64_t due_ns = g_due_ns.load(std::memory_order_acquire);
  // One thread does it; meanwhile it is not due for others.
  if (now_ns < due_ns || !g_due_ns.compare_exchange_strong(
                             due_ns, INT64_MAX, std::memory_order_acq_rel)) {
    return;
  }
  const int saved = errno;
  const int64_t next_ns = g_work.load(std::memory_order_relaxed)->work(now_ns);
  errno = saved;
  g_due_ns.store(next_ns, std::memory_order_release);
}

}  // namespace poprt
