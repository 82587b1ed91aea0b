// Single events of the runtime, for those who measure them: their time
// (event_times.cc) and their instructions (tests/instructions).
//
// Two threads of a process have Global and one region open, as the programs of
// scripts/bench do. Time goes on from event to event.
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

  // The same by a handle.
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

  // What a fork does: the clocks of a thread reach another one.
  void store_and_merge() {
    transition();
    thread_.store_to(sync_);
    worker_.merge(sync_);
  }
  // What a task group does, where the clocks grow each time.
  void raise_and_merge() {
    transition();
    thread_.raise_to(sync_);
    worker_.merge(sync_);
  }
  // The same where nothing grows.
  void raise_nothing() { thread_.raise_to(stored_); }
  void merge_nothing() { thread_.merge(stored_); }

  // What a message does, but for its way.
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
