// Single events of the runtime layer. event_times.cc measures their time,
// tests/instructions counts their instructions.
//
// Global and one region are open on two threads of a process, as in the
// programs of scripts/bench. The time advances with each event.
#ifndef POPRT_BENCH_EVENTS_H_
#define POPRT_BENCH_EVENTS_H_

#include "measure/process.h"

namespace poprt::bench {

class Events {
 public:
  Events() {
    for (const char* region : {"Global", "bench"}) {
      process_.region_start(thread_, region);
    }
    thread_.book(now_ += 10);
    worker_.book(now_);
    thread_.store_to(message_);
    other_ = message_;
    thread_.store_to(stored_);
  }

  void transition() {
    thread_.switch_to(
        thread_.state() == State::kMpi ? State::kUseful : State::kMpi,
        now_ += 10);
  }

  // A region opens or closes; the thread converts its records at its next
  // event.
  void region_switch() {
    thread_.book(now_ += 10);
    if (open_) {
      process_.region_stop(thread_, "bench");
    } else {
      process_.region_start(thread_, "bench");
    }
    open_ = !open_;
    transition();
  }

  // Opens or closes a region by its handle.
  void handle_switch() {
    thread_.book(now_ += 10);
    if (open_) {
      process_.region_leave(thread_, handle_);
    } else {
      process_.region_enter(thread_, handle_);
    }
    open_ = !open_;
    transition();
  }

  // What a fork does: one thread's clocks are merged into another's.
  void store_and_merge() {
    transition();
    thread_.store_to(sync_);
    worker_.merge(sync_);
  }
  // What the end of a task does to its task group, when the clocks grow each
  // time.
  void raise_and_merge() {
    transition();
    thread_.raise_to(sync_);
    worker_.merge(sync_);
  }
  // Raise and merge when no clock grows.
  void raise_nothing() { thread_.raise_to(stored_); }
  void merge_nothing() { thread_.merge(stored_); }

  // The clocks of a message at its sender and its receiver, without the
  // transport.
  void store_message() { thread_.store_to(message_); }
  void merge_message() { thread_.merge(message_); }
  // What a reduction does at each of its steps.
  void merge_messages() { merge(other_, message_, ClockMessage::kCapacity); }

 private:
  Process process_;
  Thread& thread_ = process_.add_thread(ThreadKind::kProgram, 0);
  Thread& worker_ = process_.add_thread(ThreadKind::kWorker, 0);
  const int handle_ = process_.region_find("bench");
  int64_t now_ = 0;
  bool open_ = true;
  SyncClock sync_;
  SyncClock stored_;
  ClockMessage message_;
  ClockMessage other_;
};

struct Event {
  const char* name;
  void (Events::*run)();
};
inline constexpr Event kEvents[] = {
    {"transition", &Events::transition},
    {"region switch", &Events::region_switch},
    {"region switch by handle", &Events::handle_switch},
    {"store, merge", &Events::store_and_merge},
    {"raise, merge", &Events::raise_and_merge},
    {"raise nothing", &Events::raise_nothing},
    {"merge nothing", &Events::merge_nothing},
    {"store message", &Events::store_message},
    {"merge message", &Events::merge_message},
    {"merge messages", &Events::merge_messages},
};

}  // namespace poprt::bench

#endif  // POPRT_BENCH_EVENTS_H_
