// UntimedCalls: short calls that leave useful code, of which most have no time
// stamps, because these would take as long as the calls.
//
// One call in kEach is timed.  The others are taken to be as long as the
// shorter one of the last two that were timed: a thread that has lost its core
// in one of them does not matter, and no more is taken from useful time than
// that. What the calls have taken is booked at the next event.  Used by one
// thread.
#ifndef POPRT_MEASURE_UNTIMED_CALLS_H_
#define POPRT_MEASURE_UNTIMED_CALLS_H_

#include <algorithm>
#include <cstdint>

namespace poprt {

class UntimedCalls {
 public:
  // A prime number, because calls come in patterns.
  static constexpr int kEach = 17;

  // A call begins; the thread's last event was at `last_event_ns`.  True: it is
  // to be timed, with add() behind it.  So are the first two.
  bool take(int64_t last_event_ns) {
    // Below 0: the last timed call was left by siglongjmp().
    if (--left_ <= 0) return true;
    if (since_ns_ != last_event_ns) {
      since_ns_ = last_event_ns;
      count_ = 0;
    }
    ++count_;
    return false;
  }
  void add(int64_t ns) {
    left_ = last_ns_ == kNone ? 1 : kEach;
    usual_ns_ = last_ns_ == kNone ? 0 : std::min(ns, last_ns_);
    last_ns_ = ns;
  }
  // How long the calls have taken that were not timed since the last event,
  // which was at `last_event_ns`.  Forgets them.
  int64_t settle(int64_t last_event_ns) {
    const int64_t count = since_ns_ == last_event_ns ? count_ : 0;
    count_ = 0;
    return count * usual_ns_;
  }

 private:
  static constexpr int64_t kNone = -1;
  int left_ = 1;  // until the next one that is timed
  int64_t usual_ns_ = 0;
  int64_t last_ns_ = kNone;
  int64_t since_ns_ = kNone;  // the event since which they are counted
  int64_t count_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_UNTIMED_CALLS_H_
