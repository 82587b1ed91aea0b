// ThreadList: all Threads of a process.  One of them is the primary thread.  A
// Thread is free when its thread has ended: a core, which is the Thread of a
// member, or a foreign Thread.  Thread-safe.
//
// Invariants:
//  1. A Thread that was added stays in the list, and lives, as long as the
//     list.
//  2. There is at most one primary thread, and it never changes.
//  3. A free Thread is given to one taker, until it is given back.
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

  // From 1 on, each number once.
  uint32_t next_number() { return ++numbers_; }
  // False: there is a primary thread already.
  bool make_primary(Thread& thread) {
    Thread* none = nullptr;
    return primary_.compare_exchange_strong(none, &thread);
  }
  // Null if there is none yet.
  Thread* primary() const { return primary_.load(std::memory_order_acquire); }
  // The list deletes the Thread in its destructor.
  void add(Thread& thread);

  // From the last one that was added to the first; all(): the other way round.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Thread* each = latest_.load(std::memory_order_acquire);
         each != nullptr; each = each->earlier) {
      visit(*each);
    }
  }
  std::vector<Thread*> all() const;
  // A number that changes with each event of a thread, but not with a merge.
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

  // Null: no core is free, or the caller is a signal handler that has
  // interrupted one of these functions.
  Thread* take_core() { return take(&free_core_); }
  void give_back(Thread& core) { give(core, &free_core_); }
  // The same for foreign threads.  `counts`: the calling thread has had no
  // Thread before, so foreign_again() counts it.
  Thread* take_foreign(bool counts);
  void give_back_foreign(Thread& ended) { give(ended, &free_foreign_); }
  // How many foreign threads have taken the Thread of an ended one.
  int64_t foreign_again() const { return foreign_again_.load(); }

  // Of the primary thread until `now_ns`.  Without one, all time.
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
  // Under free_mutex_.
  Thread* free_core_ = nullptr;
  Thread* free_foreign_ = nullptr;
  std::atomic<int64_t> foreign_again_{0};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_LIST_H_
