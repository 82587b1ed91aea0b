// Bounds of the clocks of windows.
//
// The longest path in a window is known exactly only as long as its clocks
// travel with messages. Of a window that was made of two, no process knows it:
// the sum of the parts' clocks is an estimate. But the clocks of the region
// that the windows are parts of (Global, or the one whose visits they are) go
// on travelling, and tell between which values it is.
//
// B is such a clock, W the same clock of a window w.  In the window both grow
// alike, and after it W does not grow.  So for each thread, at any time:
//
// - W <= B - b, where b is the least B of any thread when w begins on it: no
//   path that began in w is longer.
// - W >= min(B, k) - e, where e is the largest B of any thread when it had left
//   all windows before w, and k is the least B of any thread when one behind w
//   begins on it.  Before w, B <= e; in w both grow; merging keeps the
//   inequality, since that of the sender holds; and who is behind w has B >= k.
//
// The two meet where all threads have the same B at the begin and at the end of
// a window, as behind a barrier.
//
// Without any of this, a path that ends in a window goes on through all that
// the thread itself does in the next one. So of two windows a, b in which the
// thread's own time is o, L(ab) = max(L(a) + o(b), L(b)) is a lower bound.
#ifndef POPRT_MODEL_WINDOW_BOUNDS_H_
#define POPRT_MODEL_WINDOW_BOUNDS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

struct JobTotals;
struct RegionTotals;

// What is known of a clock in a window.
struct ClockMarks {
  int64_t least_ns = 0;  // L
  // B when the window begins, the least of all threads, and when it is over,
  // the largest.
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  bool operator==(const ClockMarks&) const = default;
};

// The clocks of which B is kept.
enum MarkedClock {
  kMarkedCue,
  kMarkedCom,
  kMarkedComp,
  kMarkedCoo,
  kMarkedAll
};
inline constexpr int kMarkedClocks = 5;

struct WindowMarks {
  uint64_t key = 0;  // as in JobTotals::windows
  ClockMarks clocks[kMarkedClocks];
  // PL-CUE has no paths between processes: these are its bounds.
  int64_t pl_cue_least_ns = 0;
  int64_t pl_cue_most_ns = 0;
  bool operator==(const WindowMarks&) const = default;
};

bool before(const WindowMarks& a, const WindowMarks& b);
// Adds what other processes know of the same window.
void add(WindowMarks* a, const WindowMarks& b);
// Adds the window after this one.
void add_next(WindowMarks* a, const WindowMarks& b);

// A clock of a window is between these.
struct ClockBounds {
  std::string clock;  // as in the run file: "cue_ns"
  int64_t least_ns = 0;
  int64_t most_ns = 0;
};

// The bounds of all clocks of a window.
struct WindowBounds {
  uint64_t key = 0;
  std::vector<ClockBounds> clocks;
};

// Makes the bounds of each window of the job that was measured in parts from
// its marks.  `complete`: whether B has followed every path of the job.
std::vector<WindowBounds> window_bounds(const JobTotals& job, bool complete);

// Brings the clocks of windows between their bounds, which may be those of a
// file that somebody has changed.
void keep_bounds(JobTotals* job);

// The clock of that name; null if there is none.
int64_t RegionTotals::*clock_named(const std::string& name);

}  // namespace poprt

#endif  // POPRT_MODEL_WINDOW_BOUNDS_H_
