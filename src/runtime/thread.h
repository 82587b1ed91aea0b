// Thread: what one thread of the program does, for how long, and its clocks.
//
// The thread itself is the only writer; who reports reads it at the end.  A
// Thread is never freed before its Process: its totals are read after the
// thread has ended.  Time is an argument, in ns since measurement began, and
// never runs backwards on one thread.
//
// Invariant, at any time: the eight totals add up to the time of the last
// event.
//
// Regions cost nothing while they do not change.  Inside an open region a
// time or clock is kept as the difference to the thread's own total, which
// goes on by itself; when the process has opened or closed a region, each
// thread notices at its next event and converts (catch_up).
#ifndef POPRT_RUNTIME_THREAD_H_
#define POPRT_RUNTIME_THREAD_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "runtime/barrier_clock.h"
#include "runtime/cell.h"
#include "runtime/clock_message.h"
#include "runtime/clock_set.h"
#include "runtime/samples.h"
#include "runtime/sync_clock.h"

namespace poprt {

class Process;
struct Elapsed;
struct OmpThread;

// Time in MPI-IO is time in MPI, and only its sum is also kept apart.
enum class State : uint8_t { kUseful, kMpi, kMpiIo, kOmp };
inline constexpr int kStates = 4;
constexpr bool in_mpi(State state) {
  return state == State::kMpi || state == State::kMpiIo;
}

// Totals are split by whether the thread's process-level line is inside a
// parallel region (1) or not (0).
inline constexpr int kTimes = 2 * kStates;
constexpr int time_index(bool in_parallel, State state) {
  return (in_parallel ? kStates : 0) + static_cast<int>(state);
}

// What a thread did in one region, and its clocks there.
struct ThreadRegion {
  int64_t time_ns[kTimes] = {};
  ClockSet clocks;

  // In MPI, MPI-IO included.
  int64_t mpi_ns(bool in_parallel) const {
    return time_ns[time_index(in_parallel, State::kMpi)] +
           time_ns[time_index(in_parallel, State::kMpiIo)];
  }
};

// The thread-local clocks, which are a thread's own totals.
struct OwnClocks {
  int64_t ns[kClockKinds] = {};
};

// The process-level line's time outside MPI: outside all of it, which is what
// COM counts, and outside that which is not inside parallel regions (COMP).
struct OutsideMpi {
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
};

// The totals of a thread at one event, for a merge that comes later.
struct Moment {
  OwnClocks own;
  OutsideMpi outside;
  uint32_t epoch = 0;  // of the process's regions
};

enum class ThreadKind : uint8_t {
  kProgram,  // starts at work: the thread that starts measurement
  kWorker,   // an OpenMP worker: idle before it begins
  kForeign,  // unknown to OpenMP: only its MPI time is of interest
};

class Thread {
 public:
  // Use Process::add_thread().  Threads count from 1.
  Thread(Process& process, uint32_t number, ThreadKind kind, int64_t now_ns);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  Process& process() const { return process_; }
  uint32_t number() const { return number_; }
  State state() const { return state_.load(std::memory_order_relaxed); }
  int64_t last_event_ns() const { return since_.get(); }
  bool in_parallel() const { return depth_ > 0; }

  // Books the time since the last event under the state that ends.
  void switch_to(State next, int64_t now_ns) {
    book(now_ns);
    state_.store(next, std::memory_order_relaxed);
  }
  // An event that leaves the state as it is.
  void book(int64_t now_ns) {
    const int64_t since = since_.get();
    // Time stamps of two cores may differ by a few ticks.
    int64_t now = std::max(now_ns, since);
    if (process_epoch_.load(std::memory_order_acquire) != epoch_) {
      now = catch_up(now);
    }
    total_[time_index(depth_ > 0, state())].add(now - since);
    since_.set(now);
    events_.add(1);
  }
  // The time since the last event was the tool's own work at that event, which
  // counts as the OpenMP runtime's whatever the state.
  void book_own_work(int64_t now_ns);

  // The process-level line enters or leaves a parallel region.  Call them
  // directly after the event that books the time before.
  void enter_parallel() { set_depth(depth_ + 1); }
  void leave_parallel() { set_depth(depth_ - 1); }

  // A member counts in the process's number of threads.
  void set_member() { member_.store(true, std::memory_order_relaxed); }
  bool member() const { return member_.load(std::memory_order_relaxed); }
  ThreadKind kind() const { return kind_; }

  // Clocks at the last event: out to a synchronisation object, in from one.
  void store_to(SyncClock& sync);
  void raise_to(SyncClock& sync);
  void merge(const SyncClock& sync);
  void raise_to(BarrierClock& barrier, uint32_t round, int64_t busy_ns);
  void merge(const BarrierClock& barrier, uint32_t round);

  // The same over processes.  `capacity` bounds the number of regions.
  void store_to(ClockMessage& message, int capacity = ClockMessage::kCapacity);
  // Into `entries`; how many.  `travelling_entries()` are enough.
  int store_to(ClockEntry* entries, int capacity, int32_t* incomplete);
  int travelling_entries() const;
  void merge(const ClockMessage& message);
  Moment moment() const;
  // A merge that belongs to an earlier event of this thread.
  void merge_late(const ClockMessage& message, const Moment& event);

  // Useful and MPI time so far, at the last event.
  int64_t busy_ns() const { return own_ns(kCoo); }
  int64_t mpi_ns() const { return own_ns(kCoo) - own_ns(kCue); }
  int64_t useful_ns() const { return own_ns(kCue); }
  int64_t events() const { return events_.get(); }
  // As of `now_ns`: the thread has been in its state since the last event.
  int64_t useful_at(int64_t now_ns) const {
    return useful_ns() + (state() == State::kUseful ? since_event(now_ns) : 0);
  }
  int64_t mpi_at(int64_t now_ns) const {
    return mpi_ns() + (in_mpi(state()) ? since_event(now_ns) : 0);
  }

  // For the process: what the thread did in a region, as of `now_ns`.  Changes
  // nothing; exact where the thread is at rest.
  ThreadRegion region_at(int slot, int64_t now_ns) const;
  // Time outside MPI on the process-level line, as of `now_ns`.
  OutsideMpi outside_mpi(int64_t now_ns) const;

  // The thread's own, for those who raise events: what OpenMP hangs on a
  // thread (tasking.h), what the MPI layer does, and how deep the program is
  // in MPI calls that are made by MPI itself.
  std::atomic<OmpThread*> omp{nullptr};
  void* mpi = nullptr;
  // The process's thread that came before this one.
  Thread* earlier = nullptr;
  int mpi_depth = 0;

  // What the tool costs.  Of its works at OpenMP's events one in kEachWork is
  // timed; one in a prime number, because events come in patterns.
  static constexpr int kEachWork = 61;
  int next_work = kEachWork;  // the thread's own
  Samples works;
  Samples messages;  // of the MPI layer, one in kEachMessage
  static constexpr int kEachMessage = 64;

 private:
  // Times and clocks of one region.  While `open`, time + total and clock +
  // own total are the values; else the members themselves are.
  struct Record {
    Cell time[kTimes];
    Cell clock[kClocks];
    Cell elapsed;  // as of Region::elapsed, when this record was converted
    std::atomic<bool> open{false};
  };
  static constexpr int kBlock = 8;
  struct Block {
    Record records[kBlock];
  };

  Record& record(int slot) {
    return blocks_[slot / kBlock]
        .load(std::memory_order_relaxed)
        ->records[slot % kBlock];
  }
  const Record* find_record(int slot) const;
  void need_records(int count) {
    if (count > records_.load(std::memory_order_relaxed)) add_records(count);
  }
  void add_records(int count);
  int travelling_regions() const;
  void merge_at(const ClockMessage& message, const Moment& m);
  int store_comp(const OutsideMpi& outside, ClockEntry* entries, int stored,
                 int capacity, int32_t* incomplete);
  void set_depth(int depth);
  int64_t catch_up(int64_t now_ns);
  ThreadRegion values_of(const Record& record, const Elapsed& elapsed,
                         int64_t now_ns) const;
  int64_t own_ns(int kind) const;
  int64_t since_event(int64_t now_ns) const {
    return std::max<int64_t>(0, now_ns - since_.get());
  }
  OwnClocks own_clocks() const {
    return {{own_ns(kCue), own_ns(kCoo), own_ns(kAll)}};
  }
  // What a record's clocks are kept as differences to.  Written so that it
  // stays in registers: a copy of `own` would wait for its stores.
  static OwnClocks base_of(const Record& record, const OwnClocks& own) {
    const int64_t mask = record.open.load(std::memory_order_relaxed) ? -1 : 0;
    return {{own.ns[kCue] & mask, own.ns[kCoo] & mask, own.ns[kAll] & mask}};
  }
  // Inlined, so that what it makes never lies in memory.
  [[gnu::always_inline]] static ClockSet clocks_now(const Record& record,
                                                    const OwnClocks& own) {
    ClockSet clocks;
    const OwnClocks base = base_of(record, own);
    for_each_clock([&](int i, int kind) {
      clocks.ns[i] = record.clock[i].get() + base.ns[kind];
    });
    return clocks;
  }
  void merge(const SyncClock& sync, const OwnClocks& own);

  Process& process_;
  const std::atomic<uint32_t>& process_epoch_;
  const uint32_t number_;
  const ThreadKind kind_;

  // The thread's own; read by others at the end.
  std::atomic<State> state_;
  Cell since_;
  Cell total_[kTimes];
  Cell events_;
  std::atomic<bool> member_{false};
  std::atomic<bool> depth_flag_{false};
  std::atomic<Block*> blocks_[kMaxRegions / kBlock] = {};
  std::atomic<int> records_{0};

  // The thread's own.
  int depth_ = 0;
  uint32_t epoch_ = 0;
};

inline int64_t Thread::own_ns(int kind) const {
  if (kind == kAll) return since_.get();
  if (kind == kCoo) {
    return since_.get() - total_[time_index(false, State::kOmp)].get() -
           total_[time_index(true, State::kOmp)].get();
  }
  return total_[time_index(false, State::kUseful)].get() +
         total_[time_index(true, State::kUseful)].get();
}

}  // namespace poprt

#endif  // POPRT_RUNTIME_THREAD_H_
