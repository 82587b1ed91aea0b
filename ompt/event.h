// Event: what each callback begins with.
#ifndef POPRT_OMPT_EVENT_H_
#define POPRT_OMPT_EVENT_H_

#include <omp-tools.h>

#include <cstdint>

#include "runtime/events.h"
#include "runtime/tasking.h"

namespace poprt::ompt {

// One event of the calling thread, stamped when it is made.  What the callback
// does from then on is booked as the runtime's when the Event goes, if it was
// enough work to be worth another stamp.
class Event {
 public:
  // `kind` is for a thread of which nothing was heard before.
  explicit Event(ThreadKind kind = ThreadKind::kWorker)
      : thread_(measuring() ? find_thread(kind) : nullptr),
        now_ns_(thread_ == nullptr ? 0 : stamp(*thread_)) {}
  ~Event() {
    // Not for an event that turned out to be none: the time before is not
    // booked yet.
    if (thread_ == nullptr || thread_->last_event_ns() < now_ns_) return;
    if (thread_->process().region_count() > kFewRegions) book_own_work();
    if (--thread_->next_work == 0) [[unlikely]] {
      thread_->next_work = Thread::kEachWork;
      thread_->works.add(poprt::now_ns() - now_ns_);
    }
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // What the tool has done since the event.
  void book_own_work() {
    if (thread_->state() == State::kOmp) return;
    thread_->book_own_work(poprt::now_ns());
  }

  explicit operator bool() const { return thread_ != nullptr; }
  Thread& thread() const { return *thread_; }
  int64_t now_ns() const { return now_ns_; }

 private:
  static int64_t stamp(const Thread& thread) {
    return thread.state() == State::kUseful ? leave_ns() : poprt::now_ns();
  }
  static Thread* find_thread(ThreadKind kind) {
    return t_thread != nullptr ? t_thread : &register_thread(kind);
  }

  Thread* const thread_;
  const int64_t now_ns_;
};

inline Task* known_task(const ompt_data_t* data) {
  return data == nullptr ? nullptr : static_cast<Task*>(data->ptr);
}

// The task that the thread is in; it may have begun before measurement did.
inline Task* current_task(const Event& event, ompt_data_t* data) {
  if (data->ptr == nullptr) {
    if (Task* const joining = joining_task(event.thread())) return joining;
    data->ptr = unheard_task(event.thread());
  }
  return static_cast<Task*>(data->ptr);
}

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_EVENT_H_
