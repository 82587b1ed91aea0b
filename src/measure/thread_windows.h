// ThreadWindows: what a thread has of the windows of its process
// (POPRT_WINDOWS).
//
// Invariants:
//  1. At the end of an event that has followed the regions, table() has each
//     window that is over, and the records of the live ones are those of the
//     windows that are open now: table().step.
//  2. While the thread changes windows itself (a Hold), its events leave all
//     records as they are.
//  3. Only the thread writes, with the process's mutex held where it follows.
//     values_at() is for who holds it.
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
  // Of a thread that has these clocks and accounts.  All live as long as this.
  ThreadWindows(const Windows& process, ThreadClocks& clocks,
                Accounts& accounts)
      : process_(process), clocks_(clocks), accounts_(accounts) {}

  const WindowTable& table() const { return table_; }
  WindowTable& table() { return table_; }

  // Until it is gone the thread holds the process's mutex.
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

  // At the begin of an event that ends `step`: puts the windows that are over
  // among those that are kept, and makes the records those of the present ones.
  // `accounts`: how many there are.  False if that has to wait.
  bool follow(const Step& step, const ComTail& tail, int accounts);
  // What the thread has of each window that `windows` keeps, until `now_ns`.
  // The time since its last event is an amount of these accounts, too.
  void values_at(const WindowsOfProcess& windows, int64_t now_ns,
                 const ComTail& tail, int accounts, int timed, int present,
                 WindowTable* table) const;
  // Which of the windows that are kept the open one will be, or -1; and its
  // time.
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
