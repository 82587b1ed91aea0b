// ThreadLine: whether a thread is on the line of its process, to which COM and
// COMP belong at first (com_start.h).  Used by the thread only.
//
// Invariants:
//  1. Only the primary thread is on the line, and only while it has no other
//     thread in each team that it is in.
//  2. In all teams inside of a team of two or more it is not on the line.
#ifndef POPRT_MEASURE_THREAD_LINE_H_
#define POPRT_MEASURE_THREAD_LINE_H_

#include <algorithm>

namespace poprt {

class ThreadLine {
 public:
  bool is_line() const { return is_line_; }
  bool is_primary() const { return is_primary_; }

  // `depth`: how many parallel regions the thread is in.
  void set_primary(int depth) {
    is_primary_ = true;
    set_depth(depth);
  }
  // To be called when the depth changes.
  void set_depth(int depth) {
    alone_ = std::min(alone_, depth);
    is_line_ = is_primary_ && depth == alone_;
  }
  // The team that the thread has entered last has no other thread.
  void is_alone(int depth) {
    if (alone_ + 1 == depth) ++alone_;
    set_depth(depth);
  }

 private:
  bool is_primary_ = false;
  bool is_line_ = false;
  // How many teams, from the outermost one on, have no other thread.
  int alone_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_LINE_H_
