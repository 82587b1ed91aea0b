// PathFollower: follows the longest path on one thread (POPRT_PATH), at each of
// its events: what each stretch of it is made of.
//
// Invariants:
//  1. At the end of each event path().note() is as long as ALL of Global, and
//     its parts add up to that; what came in other ways, without a note, is a
//     part of its own.
//  2. It knows the process's regions as the thread's records do.
//  3. Only the thread writes.  path_at() may be called by others at any time:
//     if the thread is in an event, its clocks may be ahead of its path, or the
//     other way round, and what differs is such a part.
#ifndef POPRT_MEASURE_PATH_FOLLOWER_H_
#define POPRT_MEASURE_PATH_FOLLOWER_H_

#include <cstdint>
#include <vector>

#include "clocks/clock_message.h"
#include "clocks/path_note.h"
#include "measure/path_regions.h"
#include "measure/thread_clocks.h"
#include "measure/thread_path.h"

namespace poprt {

class Process;

class PathFollower {
 public:
  // The path of a thread that has these clocks.  Both live as long as this.
  PathFollower(const Process& process, const ThreadClocks& clocks);

  ThreadPath& path() { return path_; }
  const ThreadPath& path() const { return path_; }

  // At an event at `now_ns`, before it books its time.  `changed`: the thread's
  // records are about to follow regions that have been opened or closed.
  // REQUIRES: there are records of all regions.
  void follow(int64_t now_ns, bool changed);
  // As Thread::merge_path().
  void merge(const ClockMessage& message, int64_t time_ns,
             const PathMoment* then);
  // The longest path at `now_ns`, if the thread stays in its state.  `all_ns`:
  // the same of ALL of Global, read whenever it is called.  `waits_for_nobody`:
  // a wait that is under way is on no path.
  template <class AllNs>
  PathNote at(int64_t now_ns, bool waits_for_nobody, AllNs all_ns) const {
    Reading now{ThreadPath(false, 0), State::kOmp, 0, 0};
    const auto read = [&] {
      now.path = path_;
      now.state = clocks_.timeline().state();
      now.all_ns = all_ns();
      read_inside(now_ns, &now);
    };
    if (path_.sequence().read_settled(read)) {
      return note_of(now, waits_for_nobody);
    }
    // It is in the middle of a change: only how long its path is, is known.
    read();
    return unknown(now);
  }

 private:
  // What the thread has at one moment.
  struct Reading {
    ThreadPath path;
    State state;
    int64_t all_ns;
    int64_t inside_ns;  // of it, since the last event
    int64_t weightless_ns[PathNote::kMostWithout] = {};
  };

  uint64_t key_at(int slot) const;
  int64_t inside_since_event(int slot, int64_t now_ns) const;
  int64_t all_ns() const;
  void add(uint64_t useful, int64_t ns);
  void follow_changes(int64_t now_ns, int64_t inside_ns, bool fresh);
  void read_inside(int64_t now_ns, Reading* now) const;
  PathNote note_of(const Reading& now, bool waits_for_nobody) const;
  PathNote unknown(const Reading& now) const;

  ThreadPath path_;
  const Process& process_;
  const ThreadClocks& clocks_;

  // What the thread knows of the regions.  Slots; -1: there is none yet.
  int global_ = -1;
  int left_out_[PathNote::kMostWithout] = {-1, -1, -1, -1};
  int innermost_ = PathRegions::kNone;
  bool is_global_open_ = false;
  std::vector<int64_t> words_;  // of PathRegions, at the last event
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PATH_FOLLOWER_H_
