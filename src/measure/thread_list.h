// ThreadList: the threads of a process, which of them is the primary thread,
// which stand for cores that no thread has now, and which foreign ones ended.
//
// Invariants:
//  1. A thread that was added stays in the list, and lives, as long as the
//     list.  Any thread may go through it at any time.
//  2. There is one primary thread at most, and it stays.
//  3. A free core, and an ended foreign thread, is given to one taker; a new
//     thread may take it only after it was given back.
#ifndef POPRT_MEASURE_THREAD_LIST_H_
#define POPRT_MEASURE_THREAD_LIST_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "clocks/own_clocks.h"
#include "measure/thread.h"

namespace poprt {

class ThreadList {
 public:
  ThreadList() = default;
  ~ThreadList();
  ThreadList(const ThreadList&) = delete;
  ThreadList& operator=(const ThreadList&) = delete;

  // From 1 on, each once.
  uint32_t next_number() { return ++numbers_; }
  // False: another one is already.
  bool make_primary(Thread& thread) {
    Thread* none = nullptr;
    return primary_.compare_exchange_strong(none, &thread);
  }
  // Null: none yet.
  Thread* primary() const { return primary_.load(std::memory_order_acquire); }
  // Deletes the thread at its own end.
  void add(Thread& thread);

  // The last one that was added first; and all in the order in which they were
  // added.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Thread* each = latest_.load(std::memory_order_acquire);
         each != nullptr; each = each->earlier) {
      visit(*each);
    }
  }
  std::vector<Thread*> all() const;
  // Another number after each change of a thread's times or state, not of the
  // clocks that come from other threads.
  uint64_t changes() const {
    static_assert(kStates < 8);
    uint64_t sum = 0;
    for_each([&](const Thread& thread) {
      sum +=
          8 * static_cast<uint64_t>(thread.last_event_ns() + thread.events()) +
          static_cast<uint64_t>(thread.state());
    });
    return sum;
  }

  // Null: all have threads, or the caller is a handler in here.
  Thread* take_core() { return take(&free_core_); }
  void give_back(Thread& core) { give(core, &free_core_); }
  // The same of foreign threads.  `counts`: the one that takes it is another.
  Thread* take_foreign(bool counts);
  void give_back_foreign(Thread& ended) { give(ended, &free_foreign_); }
  // How many foreign threads there have been on objects of ended ones.
  int64_t foreign_again() const { return foreign_again_.load(); }

  // Time outside MPI of the primary thread's line until `now_ns`; all of it
  // where there is none.
  OutsideMpi outside_mpi_at(int64_t now_ns) const {
    const Thread* const line = primary();
    return line == nullptr ? OutsideMpi{now_ns, now_ns}
                           : line->outside_mpi(now_ns);
  }

 private:
  Thread* take(Thread** first);
  void give(Thread& thread, Thread** first);

  std::atomic<Thread*> latest_{nullptr};
  std::atomic<uint32_t> numbers_{0};
  std::atomic<Thread*> primary_{nullptr};
  Mutex free_mutex_;
  // protected by free_mutex_
  Thread* free_core_ = nullptr;
  Thread* free_foreign_ = nullptr;
  std::atomic<int64_t> foreign_again_{0};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_LIST_H_
