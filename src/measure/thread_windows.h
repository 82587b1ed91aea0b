// ThreadWindows: the times, clocks and amounts of a thread in the windows of
// its process (POPRT_WINDOWS).
//
// Invariants:
//  1. After follow(), table() has each window that is over, and the records of
//     the live windows' regions are those of the windows in table().step.
//  2. While a Hold exists, the thread's events leave all records as they are.
//  3. Only the thread writes.  The callers of follow() and values_at() hold the
//     process's mutex.
#ifndef POPRT_MEASURE_THREAD_WINDOWS_H_
#define POPRT_MEASURE_THREAD_WINDOWS_H_

#include <cstdint>

#include "clocks/com_start.h"
#include "measure/accounts.h"
#include "measure/process_windows.h"
#include "measure/thread_clocks.h"
#include "measure/windows.h"

namespace poprt {

class ThreadWindows {
 public:
  // `clocks` and `accounts` are those of the thread.
  ThreadWindows(const Windows& process, ThreadClocks& clocks,
                Accounts& accounts)
      : process_(process), clocks_(clocks), accounts_(accounts) {}

  const WindowTable& table() const { return table_; }
  WindowTable& table() { return table_; }

  // For an event while the thread holds the process's mutex to change windows.
  class [[nodiscard]] Hold {
   public:
    explicit Hold(ThreadWindows* windows) : windows_(windows) {
      if (windows_ != nullptr) windows_->waits_ = true;
    }
    ~Hold() {
      if (windows_ != nullptr) windows_->waits_ = false;
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    ThreadWindows* const windows_;
  };
  bool waits() const { return waits_; }

  // At the begin of an event that ends `step`: moves the windows that are over
  // to table(), and makes the records those of the windows that are open now.
  // `accounts`: how many there are.  False: the next event must do it.
  bool follow(const Step& step, const ComTail& tail, int accounts);
  // What the thread has of each window that `windows` keeps, until `now_ns`.
  // The accounts `timed` and `present` also get the time since the last event.
  void values_at(const WindowsOfProcess& windows, int64_t now_ns,
                 const ComTail& tail, int accounts, int timed, int present,
                 WindowTable* table) const;
  // The place in table().kept that the open window will have, and its time; -1:
  // no window is open.
  int64_t open_window(Elapsed* time) const;

 private:
  LiveRecord live_record(int slot, int accounts) const;
  BaseClocks base_clocks() const;
  Stretch stretch(int64_t ns, const ComTail& tail, int accounts) const;

  const Windows& process_;
  ThreadClocks& clocks_;
  Accounts& accounts_;
  WindowTable table_;
  bool waits_ = false;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_WINDOWS_H_
