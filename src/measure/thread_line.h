// ThreadLine: whether a thread is on the line of its process, to which COM and
// COMP belong at first (com_start.h): it is the primary thread, and the only
// one in each team that it is in.
//
// Invariants:
//  1. What is entered after a team of two or more is never on the line, until
//     that team is left.
//  2. Another thread than the primary one is never on it.
//  3. Only the thread writes.
#ifndef POPRT_MEASURE_THREAD_LINE_H_
#define POPRT_MEASURE_THREAD_LINE_H_

#include <algorithm>

namespace poprt {

class ThreadLine {
 public:
  bool is_line() const { return is_line_; }
  bool is_primary() const { return is_primary_; }

  // `depth`: in so many parallel regions the thread is now.
  void set_primary(int depth) {
    is_primary_ = true;
    set_depth(depth);
  }
  // To be called whenever that changes.
  void set_depth(int depth) {
    alone_ = std::min(alone_, depth);
    is_line_ = is_primary_ && depth == alone_;
  }
  // It is the only thread of the team that it has entered last.
  void is_alone(int depth) {
    if (alone_ + 1 == depth) ++alone_;
    set_depth(depth);
  }

 private:
  bool is_primary_ = false;
  bool is_line_ = false;
  int alone_ = 0;  // in how many of the outer ones it is alone
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_LINE_H_
