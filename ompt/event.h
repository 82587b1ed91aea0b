// Event: every callback begins by making one.
#ifndef POPRT_OMPT_EVENT_H_
#define POPRT_OMPT_EVENT_H_

#include <omp-tools.h>

#include <cstdint>

#include "devices/host_calls.h"
#include "measure/due_work.h"
#include "measure/events.h"
#include "openmp/tasking.h"

namespace poprt::ompt {

// One event of the calling thread, with the time stamp of its construction.
// None if the thread executes the code of a kernel: that is the device's.  The
// destructor books the callback's own work as OpenMP time if that took
// longer than another time stamp does.
class Event {
 public:
  // `kind` is used only if the thread is not registered yet.
  explicit Event(ThreadKind kind = ThreadKind::kWorker)
      : thread_(measuring() ? find_thread(kind) : nullptr),
        now_ns_(thread_ == nullptr ? 0 : stamp()) {}
  // An event that comes directly behind the last one if `is_direct(thread)`:
  // then it has the time of that one, unless its work is to be timed.
  explicit Event(bool (*is_direct)(const Thread&))
      : thread_(measuring() ? find_thread(ThreadKind::kWorker) : nullptr),
        now_ns_(thread_ == nullptr ? 0
                : is_direct(*thread_) && thread_->cost.works.turns.left > 1
                    ? thread_->last_event_ns()
                    : stamp()) {}
  ~Event() {
    // Nothing was booked at this event: then the time before it is not booked
    // yet either.
    if (thread_ == nullptr || thread_->last_event_ns() < now_ns_) return;
    if (thread_->process().region_count() > kFewRegions) [[unlikely]] {
      book_own_work(*thread_);
    }
    if (thread_->cost.works.turns.take()) [[unlikely]]
      time_work(*thread_, now_ns_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // Books the time since the event as OpenMP's.
  void book_own_work() { book_own_work(*thread_); }

  explicit operator bool() const { return thread_ != nullptr; }
  Thread& thread() const { return *thread_; }
  int64_t now_ns() const { return now_ns_; }

 private:
  // Out of line, so that what nearly all events do is inlined.
  [[gnu::noinline]] static void book_own_work(Thread& thread) {
    if (thread.state() == State::kOmp) return;
    thread.book_own_work(poprt::now_ns());
  }
  [[gnu::noinline]] static void time_work(Thread& thread, int64_t begin_ns) {
    const int64_t now_ns = poprt::now_ns();
    thread.cost.works.turns.next(now_ns);
    thread.cost.works.samples.add(now_ns - begin_ns);
    look_for_due_work(now_ns);
  }
  int64_t stamp() {
    const State state = thread_->state();
    if (state == State::kUseful) return leave_ns();
    if (state == State::kAccelerator && runs_kernel(*thread_)) [[unlikely]]
      thread_ = nullptr;
    return poprt::now_ns();
  }
  static Thread* find_thread(ThreadKind kind) {
    return t_thread != nullptr ? t_thread : &register_thread(kind);
  }

  Thread* thread_;
  const int64_t now_ns_;
};

inline Task* known_task(const ompt_data_t* data) {
  return data == nullptr ? nullptr : static_cast<Task*>(data->ptr);
}

// The task that the thread executes.  A task that began before measurement gets
// an object here.
inline Task* current_task(const Event& event, ompt_data_t* data) {
  if (data->ptr == nullptr) {
    if (Task* const joining = joining_task(event.thread())) return joining;
    data->ptr = unheard_task(event.thread());
  }
  return static_cast<Task*>(data->ptr);
}

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_EVENT_H_
