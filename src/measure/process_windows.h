// Windows: when the windows of a process begin and end (POPRT_WINDOWS), and
// what the process has of each.
//
// A window in time begins at the first event behind its time, but as of that
// time: until an event of some thread nothing has happened.  A window of visits
// begins with the first of them.
//
// Invariants:
//  1. At most one window is open.  Its region is open as long as the one is
//     whose visits or time are windows.
//  2. A window that is over is among `kept` once, and its live region is closed
//     until another window has it.
//  3. serial() is another number after each change of `live` and `level`, and
//     the regions' epoch changes as well if that opens or closes a region.
//  4. Who changes it holds the process's mutex, and so does who reads more than
//     is_due(), region_slot() and serial().
#ifndef POPRT_MEASURE_PROCESS_WINDOWS_H_
#define POPRT_MEASURE_PROCESS_WINDOWS_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "measure/regions.h"
#include "measure/thread_list.h"
#include "measure/windows.h"
#include "model/windows.h"

namespace poprt {

class Windows : public WindowsOfProcess {
 public:
  // `threads`: of whose line COM and COMP are.  Both live as long as this.
  Windows(const WindowSpec& what, Regions& regions, const ThreadList& threads);

  const WindowSpec spec;
  // The region whose visits or time are windows; and its slot, or -1: there is
  // none yet.
  const uint64_t region_key;
  int region_slot() const { return slot_.load(std::memory_order_relaxed); }
  uint32_t serial() const { return serial_.load(std::memory_order_acquire); }

  // Whether a window may begin or end at an event at `now_ns`.
  bool is_due(int64_t now_ns);
  // Begins and ends those that are due.
  void change(int64_t now_ns);
  // What the present window was until `now_ns`.  REQUIRES: there is one.
  KeptWindow until(int64_t now_ns) const;
  // The region whose visits or time are windows, at this time.
  WindowBegin begin_at(const Region& base, int64_t at_ns) const;
  // Measurement begins anew.  REQUIRES: no region has the key of a window.
  void restart();

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  void begin(int64_t step, const Region& base, int64_t at_ns);
  void pause(int64_t at_ns);
  void retire();

  Regions& regions_;
  const ThreadList& threads_;
  std::atomic<int> slot_{-1};
  // Region::elapsed() when it was last looked at.
  std::atomic<int64_t> seen_{0};
  // When the present window ends; of windows in time.
  std::atomic<int64_t> due_ns_{kNever};
  std::atomic<uint32_t> serial_{0};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PROCESS_WINDOWS_H_
