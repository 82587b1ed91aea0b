#include "modules/threads/program_threads.h"

namespace poprt::modules::threads {

// The primary thread counts as inside a parallel region from the creation of
// the first thread to its own first event after the last thread has ended.  To
// be called directly after an event.
void ProgramThreads::settle(Thread& thread) {
  if (thread.process().primary() != &thread) return;
  const bool in_parallel = alive_.load(std::memory_order_relaxed) > 0;
  if (in_parallel == in_parallel_) return;
  in_parallel_ = in_parallel;
  if (in_parallel) {
    thread.enter_parallel();
  } else {
    thread.leave_parallel();
  }
}

void ProgramThreads::creates(Thread& creator, SyncClock& created,
                             int64_t now_ns) {
  creator.process().works_alone(now_ns);
  creator.book(now_ns);
  creator.store_to(created);
  alive_.fetch_add(1, std::memory_order_relaxed);
  settle(creator);
}

void ProgramThreads::not_created(Thread& creator, int64_t now_ns) {
  alive_.fetch_sub(1, std::memory_order_relaxed);
  creator.book(now_ns);
  settle(creator);
}

Thread* ProgramThreads::take_core(Process& process, int64_t now_ns) {
  if (Thread* const core = process.take_core()) {
    core->begin_again(ThreadKind::kWorker, now_ns);
    return core;
  }
  if (cores_.fetch_add(1, std::memory_order_relaxed) >= kMostCores) {
    cores_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  return &process.add_thread(ThreadKind::kWorker, now_ns);
}

Thread* ProgramThreads::begins(Process& process, const SyncClock& created,
                               int64_t now_ns) {
  Thread* const core = take_core(process, now_ns);
  if (core == nullptr) {
    alive_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  begun_.fetch_add(1, std::memory_order_relaxed);
  core->set_member();
  core->ends_in_module = true;
  core->was_in_no_team(created.came_ns());
  core->switch_to(State::kUseful, now_ns);
  core->merge(created);
  return core;
}

void ProgramThreads::ends(Thread& core, Lock* ended, int64_t now_ns) {
  core.switch_to(kIdle, now_ns);
  core.leaves_team();
  if (ended != nullptr) core.store_to(ended->released);
  alive_.fetch_sub(1, std::memory_order_relaxed);
}

void ProgramThreads::give_back(Thread& core) {
  core.ends_in_module = false;
  core.process().give_back(core);
}

LockWait ProgramThreads::wait_begins(Thread& thread, Lock* object,
                                     int64_t now_ns) {
  return lock_wait_begin(thread, object, now_ns);
}

void ProgramThreads::wait_ends(Thread& thread, const LockWait& wait,
                               bool merges, int64_t now_ns) {
  if (merges && wait.lock != nullptr) {
    thread.has_waited_for(wait.lock->released);
  }
  thread.switch_to(wait.before, now_ns);
  settle(thread);
  if (merges && wait.lock != nullptr) merge_left(thread, *wait.lock);
  end_wait(wait);
}

void ProgramThreads::takes(Thread& thread, Lock& object, int64_t now_ns) {
  thread.book(now_ns);
  settle(thread);
  merge_left(thread, object);
}

void ProgramThreads::lets_go(Thread& thread, Lock& object, int64_t now_ns) {
  thread.book(now_ns);
  settle(thread);
  SyncClock::Raising raising(object.released);
  leave_in(raising, thread, object);
}

void ProgramThreads::mutex_wait_ends(Thread& thread, const LockWait& wait,
                                     bool taken, int64_t now_ns) {
  if (taken && wait.lock != nullptr) {
    lock_wait_end(thread, wait, now_ns);
  } else {
    lock_wait_in_vain(thread, wait, now_ns);
  }
  settle(thread);
}

void ProgramThreads::mutex_is_back(Thread& thread, const LockWait& for_mutex,
                                   const LockWait& for_signal) {
  Lock* const mutex = for_mutex.lock;
  if (mutex == nullptr) return;
  const int64_t signalled_ns =
      for_signal.lock == nullptr
          ? 0
          : for_signal.lock->left_ns.load(std::memory_order_relaxed);
  if (is_answered(for_mutex) &&
      mutex->left_ns.load(std::memory_order_relaxed) > signalled_ns) {
    merge_left(thread, *mutex);
  }
  end_wait(for_mutex);
}

}  // namespace poprt::modules::threads
