// Intervals of a team: what its threads lose, by source (docs/metrics.md,
// additive).  An interval ends when the last thread comes to a barrier.
//
// Each thread keeps running sums of what it does.  Before it enters a barrier
// it writes what it did in the interval to a Slot.  When it leaves the barrier,
// it reads the slots of the others, finds the thread that came last, and books
// why it has waited for that thread.  No thread leaves the join barrier, so
// there the primary thread does this for all.  If no thread did anything rare,
// the Arrivals at the barrier tell enough, and no slot is read.
//
// What a thread does is booked at once.  What it waits for is booked when the
// barrier is over, in the regions in which the thread has waited.
#ifndef POPRT_OPENMP_INTERVAL_H_
#define POPRT_OPENMP_INTERVAL_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/cache_line.h"
#include "base/cell.h"
#include "measure/thread.h"
#include "openmp/loss_parts.h"

namespace poprt {

struct OmpThread;
struct Task;
struct Team;

// The interval in which an implicit task is, and the thread's sums at its
// begin. All members of a team have the same begin.  Used by the thread only.
struct Interval {
  static constexpr int64_t kNone = -1;
  int64_t begin_ns = kNone;
  Amounts base;
  int64_t rare_base_ns = 0;  // base.rare_ns()
  int64_t idle_base_ns = 0;  // see OmpThread::idle_ns
  // What the thread has brought to the barrier; not known if not_started_ns is
  // Arrival::kRare.
  UsualAmounts did;
  uint32_t epoch = 0;   // Thread::known_epoch() at the begin
  uint32_t member = 0;  // the thread's number in the team, from 0
};

// What a member of a team has done when it comes to a barrier.  Written by this
// thread only.
struct alignas(64) Slot {
  // The interval's begin plus the time that the member was not idle.  Larger at
  // each later barrier.
  Cell worked_until_ns;
  Cell ns[kDoingAccelerator];         // kDoingRuntime is the rest of the time
  std::atomic<uint32_t> instance{0};  // Team::instance of these values
  std::atomic<const Thread*> thread{nullptr};
  // On a cache line of its own, which is not touched where it stays 0.
  Cell accelerator_ns;

  Amounts amounts(int64_t begin_ns) const;
  void store(const Amounts& did);
  void store(const UsualAmounts& did);

 private:
  void store_accelerator(int64_t did_ns) {
    if (accelerator_ns.get() != did_ns) [[unlikely]]
      accelerator_ns.set(did_ns);
  }
};

// The slots of a team: two for each member, used in turn.
//
// In a small team a thread that leaves a barrier reads all slots.  In a larger
// team each thread that comes raises one of a few words (Group), which tell the
// last thread.  These only grow during a parallel region and are 0 at its
// begin.
class Arrivals {
 public:
  Arrivals() = default;
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // A region of up to `members` threads begins.
  void begin(uint32_t members);
  // The team's primary thread, or a worker, was told the number of members.
  void has(uint32_t members, bool primary) {
    const uint32_t known = size();
    if (members == known || (!primary && members < known)) return;
    size_.store(members, std::memory_order_relaxed);
  }
  uint32_t size() const { return size_.load(std::memory_order_relaxed); }

  // Below, `instance` is that of the team, which began at `team_begin_ns`.
  //
  // Member `index` has come to a barrier of this parity.
  // `did`: Amounts or UsualAmounts.
  template <class Did>
  void come(int parity, uint32_t instance, int64_t team_begin_ns,
            uint32_t index, const Thread& thread, int64_t worked_until_ns,
            const Did& did);
  // Calls `visit(index, slot)` for each member that has come.
  template <class Visit>
  void for_each(int parity, uint32_t instance, Visit visit) const {
    const uint32_t count = std::min(size(), capacity_);
    for (uint32_t i = 0; i < count; ++i) {
      const Slot* const slot = find(parity, instance, i);
      if (slot != nullptr) visit(i, *slot);
    }
  }
  // The slot of a member, or null if the member has not come.
  const Slot* find(int parity, uint32_t instance, uint32_t index) const {
    if (index >= capacity_) return nullptr;
    const Slot& slot = slots_[2 * index + static_cast<uint32_t>(parity)];
    return slot.instance.load(std::memory_order_acquire) == instance ? &slot
                                                                     : nullptr;
  }
  // The slot of the member that came last, and the sum over members of what
  // each has done since `begin_ns`.  Null: nobody has come.
  const Slot* last(int parity, uint32_t instance, int64_t team_begin_ns,
                   int64_t begin_ns, int64_t* busy_sum_ns) const;

 private:
  static constexpr uint32_t kSmall = 8;
  static constexpr uint32_t kMost = 4096;
  static constexpr int kMemberBits = 12;
  static_assert(kMost <= 1u << kMemberBits);
  struct alignas(64) Group {
    // The largest worked_until_ns since the region's begin, and its member.
    std::atomic<int64_t> last{0};
    std::atomic<int64_t> sum{0};  // of all worked_until_ns since then
  };
  struct Groups {
    Group of[2][kSmall];
  };
  // Read by all members, and written only when the number of members changes.
  Slot* slots_ = nullptr;
  Groups* groups_ = nullptr;  // of larger teams
  uint32_t capacity_ = 0;
  std::atomic<uint32_t> size_{0};
};

// Whether a region was opened or closed since the interval began.
bool interval_is_cut(const Thread& thread, const Interval& interval);

// The thread has begun `task`, an implicit task, at its last event.
void interval_first(Thread& thread, OmpThread& omp, Task& task);
// The thread has come to a barrier at its last event.  Sets useful_ns and
// not_started_ns of `arrival`.
void interval_come(Thread& thread, OmpThread& omp, Task& task,
                   Arrival* arrival);
// The thread has left the barrier at its last event.  The last member came at
// `end_ns`, and `all` is what all have brought.  `cut`: the account
// OmpThread::waiting has the thread's wait until then.
void interval_leave(Thread& thread, OmpThread& omp, Task& task,
                    const Arrival& all, int64_t end_ns, bool cut);
// The region has ended at the last event of its primary thread, which came to
// the join barrier at arrival->came_ns.  Sets the other two as interval_come().
void interval_came(const Thread& thread, const OmpThread& omp, Team& team,
                   Arrival* arrival);
// To be called next, at the same event.  `all` and `end_ns`: as above.
void interval_join(Thread& thread, OmpThread& omp, Team& team,
                   const Arrival& all, int64_t came_ns, int64_t end_ns,
                   bool cut);
// A worker is told that its part is over.  Not an event.
void interval_over(Thread& thread, OmpThread& omp, const Interval& interval);

// In place of switch_to(), for a wait in a barrier or taskwait that ends with
// something else than its end, as with a task.
void idle_over(Thread& thread, OmpThread& omp, State next, int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_OPENMP_INTERVAL_H_
