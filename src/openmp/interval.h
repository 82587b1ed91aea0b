// Intervals of a team: what its threads lose between two moments at which the
// last one came to a barrier, by source (docs/metrics.md, additive).
//
// Each thread keeps running sums of what it does.  When it comes to a barrier
// it leaves a Slot with what it did in the interval, before the runtime hears
// that it has come; when it leaves the barrier it reads the slots of the
// others, which the runtime orders, finds the one that came last, and books why
// it has waited for it.  Nobody leaves the join, so there the primary thread
// does this for all.  Where threads did nothing rare, what they bring to the
// barrier besides their clocks says enough, and no slot is read (Arrival).
//
// What a thread does in an interval is known when it comes, and is booked as it
// falls.  Only what it waits for is booked later, in the regions in which it
// has waited.
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

// Of an implicit task: the interval that it is in, and the thread's sums at its
// begin.  All members of a team have the same begin.  Used by the thread only.
struct Interval {
  static constexpr int64_t kNone = -1;
  int64_t begin_ns = kNone;
  Amounts base;
  int64_t rare_base_ns = 0;  // base.rare_ns()
  int64_t idle_base_ns = 0;  // see OmpThread::idle_ns
  // What the thread has brought to the barrier.  Nothing is known of it if
  // not_started_ns is Arrival::kRare.
  UsualAmounts did;
  uint32_t epoch = 0;   // of the thread's regions
  uint32_t member = 0;  // of the team, from 0
};

// What a member of a team has done when it comes to a barrier.  Written by this
// thread only.
struct alignas(64) Slot {
  // When it came, less the time that it was idle in the interval: the
  // interval's begin and what it did.  Of two barriers it is larger in the
  // later one.
  Cell worked_until_ns;
  Cell ns[kDoingRuntime];  // all but kDoingRuntime, which is the rest
  std::atomic<uint32_t> instance{0};  // of the team, to which the rest belongs
  std::atomic<const Thread*> thread{nullptr};

  Amounts amounts(int64_t begin_ns) const;
  void store(const Amounts& did);
  void store(const UsualAmounts& did);
};

// The slots of a team, two of each member, which are used in turn.
//
// Who leaves a barrier of a small team looks at all of them.  In a larger team
// each thread that comes raises one of a few words, from which the last one
// follows: they only grow while a parallel region runs, so they are set to zero
// only when it begins.
class Arrivals {
 public:
  Arrivals() = default;
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // A region of up to `members` threads begins.
  void begin(uint32_t members);
  // The team has so many, as its primary thread or a worker is told.
  void has(uint32_t members, bool primary) {
    const uint32_t known = size();
    if (members == known || (!primary && members < known)) return;
    size_.store(members, std::memory_order_relaxed);
  }
  uint32_t size() const { return size_.load(std::memory_order_relaxed); }

  // All this is about an instance of the team, which began at `team_begin_ns`.
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
  // That of a member, or null if it has not come.
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
    // The largest worked_until_ns, from the region's begin, and whose it is.
    std::atomic<int64_t> last{0};
    std::atomic<int64_t> sum{0};  // of all worked_until_ns, likewise
  };
  struct Groups {
    Group of[2][kSmall];
  };
  // Read by all members, and written only if another number of threads takes
  // part than the last time.
  Slot* slots_ = nullptr;
  Groups* groups_ = nullptr;  // of larger teams
  uint32_t capacity_ = 0;
  std::atomic<uint32_t> size_{0};
};

// Whether a region was opened or closed since the interval began.
bool interval_is_cut(const Thread& thread, const Interval& interval);

// The thread has begun `task`, an implicit task, at its last event.
void interval_first(Thread& thread, OmpThread& omp, Task& task);
// It has come to a barrier at its last event.  Sets the last two members of
// what it brings.
void interval_come(Thread& thread, OmpThread& omp, Task& task,
                   Arrival* arrival);
// It has left the barrier at its last event; the last member came at `end_ns`,
// and this is what all have brought.  `cut`: its wait until then is an amount
// of the account OmpThread::waiting.
void interval_leave(Thread& thread, OmpThread& omp, Task& task,
                    const Arrival& all, int64_t end_ns, bool cut);
// The region has ended, at the last event of its primary thread, which came to
// the join at arrival->came_ns.  Sets the last two members of what it brings.
void interval_came(const Thread& thread, const OmpThread& omp, Team& team,
                   Arrival* arrival);
// The same event: the last member came at `end_ns`, and `all` is what all have
// brought.
void interval_join(Thread& thread, OmpThread& omp, Team& team,
                   const Arrival& all, int64_t came_ns, int64_t end_ns,
                   bool cut);
// A worker hears that its part is over.  Not an event.
void interval_over(Thread& thread, OmpThread& omp, const Interval& interval);

// A wait for others ends with something else than the end of the barrier:
// instead of switch_to().
void idle_over(Thread& thread, OmpThread& omp, State next, int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_OPENMP_INTERVAL_H_
