// Turns: which of many short pieces of work are timed, and how many there were.
//
// One in kEach is timed while they come in quick succession; a prime number,
// because events come in patterns.  After a pause it is the next one, then one
// in two, in four and so on: what is done only at timed work (due_work.h) does
// not wait for many pauses.
#ifndef POPRT_MEASURE_TURNS_H_
#define POPRT_MEASURE_TURNS_H_

#include <algorithm>
#include <cstdint>

#include "base/cell.h"

namespace poprt {

class Turns {
 public:
  static constexpr int kEach = 61;

  // Further apart than `rare_ns`, on average, each is timed.  By default that
  // costs less than 0.1 %.
  explicit Turns(int64_t rare_ns = 160'000) : rare_ns_(rare_ns) {}

  // The next piece of work is of another kind: it is looked at.
  void begin_anew() {
    count_.add(step_ - left);
    left = step_ = 1;
  }

  // A further piece of work; true if it is to be looked at.  By the thread that
  // does the work, like all here but timed_count().
  bool take() { return --left == 0; }
  // Of a piece that is looked at: whether it is to be timed.
  bool is_timed() {
    if (!takes_each_) return true;
    left = 1;
    return --rest_ == 0;
  }
  // From now on each piece is looked at, but only one in kEach is timed.
  void take_each() {
    count_.add(step_ - left);
    step_ = rest_ = kEach;
    left = 1;
    takes_each_ = true;
  }
  // The piece of work that is timed has been at `now_ns`.
  void next(int64_t now_ns) {
    count_.add(step_);
    if (takes_each_) {
      rest_ = kEach;
      return;
    }
    const bool rare = now_ns - last_ns_ > step_ * rare_ns_;
    last_ns_ = now_ns;
    left = step_ = rare ? 1 : std::min(2 * step_, kEach);
  }
  int64_t count() const {
    return count_.get() + step_ - (takes_each_ ? rest_ : left);
  }
  // Until the last one that was timed; by any thread.
  int64_t timed_count() const { return count_.get(); }

  // Until the next one that is looked at.
  int left = 1;

 private:
  const int64_t rare_ns_;
  bool takes_each_ = false;
  int rest_ = 1;  // if it takes each: until the next one that is timed
  int step_ = 1;
  int64_t last_ns_ = 0;
  Cell count_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_TURNS_H_
