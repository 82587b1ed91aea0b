// Work that is due every so often in a long run, such as reading a counter
// before it begins anew.  There is no thread and no signal for it: events look
// whether it is due, not all of them, but those that are rare or slow anyway.
// So it may also be done late, or never.
#ifndef POPRT_MEASURE_DUE_WORK_H_
#define POPRT_MEASURE_DUE_WORK_H_

#include <atomic>
#include <cstdint>

namespace poprt {

// Called by any thread, also in a signal handler; not by two at a time, nor
// while another piece of work is done.
class DueWork {
 public:
  // Returns when it is due again.
  virtual int64_t work(int64_t now_ns) = 0;

 protected:
  ~DueWork() = default;
};

extern std::atomic<int64_t> g_due_ns;  // INT64_MAX: never

// From `due_ns` on.  `work` lives as long as the process; of at most
// kMostDueWork pieces of work, else it is never done.
inline constexpr int kMostDueWork = 4;
void do_when_due(DueWork& work, int64_t due_ns);
// Slow; see look_for_due_work().
[[gnu::cold]] void do_due_work(int64_t now_ns);

// At an event.  Costs a load and a branch.
inline void look_for_due_work(int64_t now_ns) {
  if (now_ns >= g_due_ns.load(std::memory_order_relaxed)) [[unlikely]] {
    do_due_work(now_ns);
  }
}

}  // namespace poprt

#endif  // POPRT_MEASURE_DUE_WORK_H_
