// BarrierClock: the clocks, and an Arrival, that each thread of a team brings
// to a barrier.  A thread that leaves the barrier merges what the others
// brought.
//
// A thread writes to a seat, which the others read once when they leave.  The
// first kSeats threads have a seat each, and all further threads share kSeats
// others.  So no cache line is written by all threads, and in a large team no
// thread reads the lines of every other one.
//
// Each use of the object has another round.  The values of other rounds in a
// seat are ignored, so seats are never cleared.  All barriers of one parallel
// region instance may have the same round, because clocks only grow.
#ifndef POPRT_CLOCKS_BARRIER_CLOCK_H_
#define POPRT_CLOCKS_BARRIER_CLOCK_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "base/cell.h"
#include "clocks/sync_clock.h"

namespace poprt {

// What a thread brings to a barrier besides its clocks.
struct Arrival {
  int64_t busy_ns = 0;  // useful and MPI time in the parallel region instance
  // When the thread came, or ended the last task that it executed while it
  // waited.
  int64_t came_ns = 0;
  // Since the last barrier: the useful time, and how late the thread began.
  // kRare: the thread did more than useful work, a late begin and the runtime's
  // work, so both are not known from here (openmp/interval.h).
  static constexpr int64_t kRare = -1;
  int64_t useful_ns = 0;
  int64_t not_started_ns = kRare;

  // Becomes what two threads bring together.  The last two members are those of
  // the thread that came last; kRare if both came last.
  void raise(const Arrival& other) {
    busy_ns = std::max(busy_ns, other.busy_ns);
    if (other.came_ns < came_ns) return;
    not_started_ns = other.came_ns > came_ns ? other.not_started_ns : kRare;
    useful_ns = other.useful_ns;
    came_ns = other.came_ns;
  }
};

class BarrierClock {
 public:
  // The thread reaches the barrier.  `clocks` has store_to(SyncClock&) and
  // raise_in(SyncClock::Raising&).  Threads are numbered from 1.
  template <class Clocks>
  void reach(uint32_t thread, uint32_t round, const Arrival& arrival,
             Clocks clocks) {
    Seat* const seat = own_seat(thread);
    if (seat == nullptr) {
      return raise_shared(thread, round, arrival, clocks);
    }
    clocks.store_to(seat->clocks);
    seat->set(arrival);
    seat->round.store(round, std::memory_order_release);
  }

  // As reach(), in a shared seat: for a thread without a seat of its own, and
  // for clocks that are not those of the thread's last event.
  template <class Clocks>
  void raise_shared(uint32_t thread, uint32_t round, const Arrival& arrival,
                    Clocks clocks) {
    const uint32_t number = thread % kSeats;
    Seat& seat = seats_[kSeats + number];
    {
      SyncClock::Raising raising(seat.clocks);
      if (seat.round.load(std::memory_order_relaxed) != round) {
        seat.clocks.reset();
        seat.set(Arrival());
      }
      seat.raise(arrival);
      clocks.raise_in(raising);
      seat.round.store(round, std::memory_order_release);
    }
    mark_used(kSeats + number);
  }

  // The latest SyncClock::came_ns() of the others in this round.
  int64_t came_ns(uint32_t thread, uint32_t round) const {
    int64_t came_ns = SyncClock::kNever;
    for_each(thread, round, nullptr, [&](const SyncClock& clocks) {
      came_ns = std::max(came_ns, clocks.came_ns());
    });
    return came_ns;
  }

  // The thread is going to reach this barrier next.
  void expect(uint32_t thread) {
    Seat& usual = seats_[thread % kSeats];
    if (usual.owner.load(std::memory_order_relaxed) != thread) return;
    will_write(&usual, kUsualBytes);
  }

  // The thread is going to call for_each() soon.
  void expect_others(uint32_t thread) const {
    uint32_t used = used_.load(std::memory_order_relaxed);
    for (; used != 0; used &= used - 1) {
      const auto number = static_cast<uint32_t>(__builtin_ctz(used));
      if (number == thread % kSeats) continue;
      const Seat& seat = seats_[number];
      will_read(&seat, kUsualBytes);
    }
  }

  // Calls `merge(const SyncClock&)` for each seat that was used in this round,
  // except the thread's own.  Raises `most`, if it is not null, to what these
  // threads have brought.
  template <class Merge>
  void for_each(uint32_t thread, uint32_t round, Arrival* most,
                Merge merge) const {
    for_each_seat(round, [&](const Seat& seat) {
      if (seat.owner.load(std::memory_order_relaxed) == thread) return;
      merge(seat.clocks);
      if (most != nullptr) most->raise(seat.arrival());
    });
  }

  // Calls `visit(const Arrival&)` for each of the other threads with seats of
  // their own.
  template <class Visit>
  void for_each_arrival(uint32_t thread, uint32_t round, Visit visit) const {
    for_each_seat(round, [&](const Seat& seat) {
      const uint32_t owner = seat.owner.load(std::memory_order_relaxed);
      if (owner != 0 && owner != thread) visit(seat.arrival());
    });
  }

 private:
  static constexpr int kSeats = 8;

  struct alignas(64) Seat {
    std::atomic<uint32_t> owner{0};  // number of the thread; 0 if free
    std::atomic<uint32_t> round{0};  // to which the other members belong
    Cell busy_ns;
    Cell came_ns;
    Cell useful_ns;
    Cell not_started_ns;
    SyncClock clocks;

    Arrival arrival() const {
      return {busy_ns.get(), came_ns.get(), useful_ns.get(),
              not_started_ns.get()};
    }
    void set(const Arrival& arrival) {
      busy_ns.set(arrival.busy_ns);
      came_ns.set(arrival.came_ns);
      useful_ns.set(arrival.useful_ns);
      not_started_ns.set(arrival.not_started_ns);
    }
    void raise(const Arrival& other) {
      Arrival most = arrival();
      most.raise(other);
      set(most);
    }
  };
  // Of a seat with the usual clocks of two running regions.
  static constexpr size_t kUsualBytes = 128;

  template <class Visit>
  void for_each_seat(uint32_t round, Visit visit) const {
    uint32_t used = used_.load(std::memory_order_relaxed);
    for (; used != 0; used &= used - 1) {
      const Seat& seat = seats_[__builtin_ctz(used)];
      if (seat.round.load(std::memory_order_acquire) == round) visit(seat);
    }
  }

  // Null if the thread has to share a seat.
  Seat* own_seat(uint32_t thread) {
    Seat& usual = seats_[thread % kSeats];
    if (usual.owner.load(std::memory_order_relaxed) == thread) return &usual;
    return find_seat(thread);
  }
  Seat* find_seat(uint32_t thread);
  void mark_used(uint32_t number) {
    const uint32_t bit = 1u << number;
    if ((used_.load(std::memory_order_relaxed) & bit) == 0) used_.fetch_or(bit);
  }

  std::atomic<uint32_t> used_{0};  // one bit for each seat that was ever used
  Seat seats_[2 * kSeats];         // first the threads' own, then shared ones
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_BARRIER_CLOCK_H_
