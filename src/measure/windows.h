// Windows of a process and of its threads (POPRT_WINDOWS, model/windows.h).
//
// A live window is a region that the library opens and closes.  There are
// kLiveWindows such regions, used in turn.  So threads account for a window as
// for any region, and its clocks travel to other processes.  When the next
// window begins, the one before is *retired*: the process adds it to the kept
// windows, and each thread does the same with its own part at its next event.
// The region stays closed until its turn comes again, because processes that
// are still in that window need its clocks.
//
// A region's clocks begin anew for each window that it is
// (clocks/window_clock.h).
//
// Where neighbouring windows are merged into one, its clocks are their sums.
// The bounds of the longest paths (model/window_bounds.h) follow from a lower
// bound that each thread keeps, and from the clocks of the region whose visits
// or time are windows, at the begin of each window.
//
// Here are the values; when windows begin and end is process_windows.h.
#ifndef POPRT_MEASURE_WINDOWS_H_
#define POPRT_MEASURE_WINDOWS_H_

#include <algorithm>
#include <cstdint>

#include "clocks/clock_set.h"
#include "clocks/clock_weights.h"
#include "clocks/window_clock.h"
#include "measure/accounts.h"
#include "model/windows.h"

namespace poprt {

// How many windows are regions, so that their clocks travel.
inline constexpr int kLiveWindows = 3;

// The keys of the regions that are the live windows.
constexpr uint64_t live_window_key(int i) {
  return 0x9E3A'51C4'07D6'B82F + static_cast<uint64_t>(i);
}
constexpr bool is_live_window(uint64_t key) {
  return key >= live_window_key(0) && key < live_window_key(kLiveWindows);
}

// A window of the process that is over, or several that were merged.
struct KeptWindow {
  int64_t elapsed_ns = 0;
  // Valid as long as COM and COMP belong to the process.
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
  // Lower bounds of both, and the primary thread's time that counts in them.
  int64_t com_least_ns = 0;
  int64_t comp_least_ns = 0;
  int64_t own_com_ns = 0;
  int64_t own_comp_ns = 0;
  int64_t common_idle_ns = 0;
  int64_t visits = 0;
  // A clock was lost, because one of a later window came from a process that
  // was far ahead.
  bool lost = false;

  // `other` is the window that came after this one.
  void add(const KeptWindow& other);
};

// When a window began: the time of the region whose visits or time are windows,
// and its COM and COMP, if they are the process's.
struct WindowBegin {
  int64_t elapsed_ns = -1;  // -1: there was no such window
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
};

struct LiveWindow {
  int slot = -1;           // of the region
  int64_t step = -1;       // the window's first step; -1: no window yet
  bool retired = false;    // the window is among the kept ones
  int64_t elapsed_ns = 0;  // if retired
  int64_t visits = 0;
  // The primary thread's time that counts in COM and COMP here: in visits that
  // are over, less that time before a visit that is not.
  int64_t own_com_ns = 0;
  int64_t own_comp_ns = 0;

  bool has(int64_t first_step) const { return !retired && step == first_step; }
};

// The windows of a process, by value.
struct WindowsOfProcess {
  int level = 0;  // of the kept windows
  KeptWindow kept[kKeptWindows];
  WindowBegin begins[kKeptWindows];
  LiveWindow live[kLiveWindows];
  int current = -1;  // of `live`; -1: none yet
  uint32_t run = 0;  // how often measurement began anew

  // Where the window that begins with this step is kept.
  int64_t index_of(int64_t step) const { return step >> level; }
  // Merges neighbours until windows of this level have room.
  void coarsen(int to_level);
};

// What a thread has of a live window, as of its last event.
struct LiveRecord {
  int64_t time_ns[kTimes] = {};
  int64_t clock[kClocks] = {};
  int64_t elapsed_ns = 0;  // of the region, as the thread knows it
  int64_t amount[kMaxAccounts] = {};
};

// The time since the thread's last event, all in one state.
struct Stretch {
  int time_index = 0;  // of that state
  // By kind of clock: from when on the stretch counts, in ns since its begin.
  int64_t counts_from_ns[kClockKinds] = {};
  int accounts = 0;  // how many there are

  // What counts of the `inside_ns` that begin `begin_ns` after the stretch
  // does.
  int64_t counted_ns(int kind, int64_t begin_ns, int64_t inside_ns) const {
    const int64_t from_ns = std::max(begin_ns, counts_from_ns[kind]);
    return std::max<int64_t>(0, begin_ns + inside_ns - from_ns);
  }
};

// The clocks of the region whose visits or time are windows, as a thread has
// them.
struct BaseClocks {
  int64_t elapsed_ns = -1;  // the region's time then; -1: not known yet
  int64_t clock[kClocks] = {};
};

// What a thread has of each kept window.
struct WindowTable {
  struct Kept : LiveRecord {
    // A lower bound of each clock: the length of some path to the thread's last
    // event.
    int64_t least[kClocks] = {};
    bool lost = false;

    void raise_least(const int64_t (&clocks)[kClocks]);
  };
  int level = 0;
  Kept kept[kKeptWindows];
  BaseClocks begins[kKeptWindows];  // when the process began the window
  // Of which windows the records of the live windows' regions are.
  int64_t step[kLiveWindows] = {-1, -1, -1};
  // The ordinal of the last window that the thread knows to have begun.
  int64_t begun = -1;
  uint32_t run = 0;
  uint32_t serial = 0;  // Windows::serial()

  // Merges neighbours until windows of this level have room.
  void coarsen(int to_level);
  // Sets `begins` of windows that began since the thread's last event.  `base`:
  // at that event.
  void note_begins(const WindowsOfProcess& process, const Stretch& stretch,
                   const BaseClocks& base);
  // Adds the record of live window `i`, which is over or is read now.
  void take(int i, const LiveRecord& record);
  // The record of live window `i` may have clocks of others for a window in
  // which this thread had no event.  Adds these clocks if the window's ordinal
  // is at most `last`.  Returns the ordinal, else -1.  To be called after
  // take().
  int64_t take_early(int i, const int64_t (&clock)[kClocks], int64_t last);
  // Adds the time since the thread's last event in windows that are kept now.
  // `amount_of(account, begin, inside)`: the account's amount in the `inside`
  // ns that begin `begin` ns after that event.
  template <class AmountOf>
  void settle(const WindowsOfProcess& process, const Stretch& stretch,
              AmountOf amount_of) {
    int64_t begin_ns = 0;
    for (int i = 0; i < kKeptWindows; ++i) {
      Kept& own = kept[i];
      const int64_t inside_ns = process.kept[i].elapsed_ns - own.elapsed_ns;
      if (inside_ns == 0) continue;
      own.elapsed_ns += inside_ns;
      own.time_ns[stretch.time_index] += inside_ns;
      for_each_clock([&](int clock, int kind) {
        const int64_t ns = stretch.counted_ns(kind, begin_ns, inside_ns);
        own.clock[clock] += ns;
        own.least[clock] += ns;
      });
      for (int account = 0; account < stretch.accounts; ++account) {
        own.amount[account] += amount_of(account, begin_ns, inside_ns);
      }
      begin_ns += inside_ns;
    }
  }
};

}  // namespace poprt

#endif  // POPRT_MEASURE_WINDOWS_H_
