// Thread: what one thread of the program does, for how long, and its clocks.
//
// Only the thread itself writes, but for the end of a stretch that another one
// sees (ElsewhereEnd); others may read at any time.  A Thread lives as long as
// its Process, because its totals are read after the thread has ended.
// Time is always an argument, in ns since the start of measurement, and never
// runs backwards on one thread.
//
// It is made of its ThreadClocks (states, times, and clocks of each region),
// its SeenEpoch (whether these are of the present), its ThreadLine (whether it
// is on the process's line), its Accounts (amounts of quantities) and, in few
// runs, its ThreadWindows and PathFollower.  What it does itself is to keep
// these together, at events, and to exchange clocks with other processes:
//
//  1. At the end of each event the records are those of the process's regions
//     of some moment of that event, and known_epoch() is of that moment.
//  2. Regions cost nothing while none is opened or closed: only an event that
//     sees another epoch converts records (catch_up).
//  3. Clocks are read, given and raised as of the last event.
#ifndef POPRT_MEASURE_THREAD_H_
#define POPRT_MEASURE_THREAD_H_

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/cell.h"
#include "clocks/barrier_clock.h"
#include "clocks/clock_message.h"
#include "clocks/clock_set.h"
#include "clocks/clock_weights.h"
#include "clocks/com_start.h"
#include "clocks/own_clocks.h"
#include "clocks/path_note.h"
#include "clocks/sync_clock.h"
#include "measure/accounts.h"
#include "measure/cpu_clock.h"
#include "measure/elsewhere_end.h"
#include "measure/epochs.h"
#include "measure/path_follower.h"
#include "measure/thread_clocks.h"
#include "measure/thread_line.h"
#include "measure/tool_cost.h"
#include "states/states.h"

namespace poprt {

class ChangedRegions;
class KnownRegions;
class PackedClocks;
class PassedAmounts;
class Process;
class Region;
class ThreadWindows;
struct Counting;
struct Quantity;
struct RegionTimes;
struct SentClocks;
struct WindowsOfProcess;
struct WindowTable;

// The totals of a thread at one event, for a merge that is made later.
struct Moment {
  OwnClocks own;
  OutsideMpi outside;
  uint32_t epoch = 0;  // of the process's regions
};

// An MPI call in which clocks arrived: the regions that it counts in, by their
// slots, how long it waited for a late partner, and the rest of its time.
struct CallTime {
  std::bitset<kMaxRegions> regions;
  int64_t waited_ns = 0;
  int64_t transfer_ns = 0;
};

enum class ThreadKind : uint8_t {
  // in useful code from the start: the thread that starts measurement
  kProgram,
  kWorker,   // an OpenMP worker, which is idle before it begins
  kForeign,  // unknown to OpenMP: only its MPI time is kept
};

// What a layer that turns calls into events keeps for each thread is of a type
// that only the layer knows.
struct LayerState {};

class Thread {
 public:
  // Use Process::add_thread().  Numbers begin at 1.
  Thread(Process& process, uint32_t number, ThreadKind kind, int64_t now_ns);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  Process& process() const { return process_; }
  uint32_t number() const { return number_; }
  State state() const { return timeline().state(); }
  int64_t last_event_ns() const { return timeline().since(); }
  bool in_parallel() const { return timeline().in_parallel(); }

  // Books the time since the last event under the state that ends here.  In a
  // signal handler that has interrupted an event, this and its like do nothing:
  // what the handler takes is part of that event.
  void switch_to(State next, int64_t now_ns) {
    if (book(now_ns)) timeline().turn_to(next);
  }
  // The state that follows the last event, which has booked what was before, is
  // this one.
  void turn_to(State next) { timeline().turn_to(next); }
  // As switch_to(), for a stretch whose begin and end count as two events at
  // its end.
  void begin_stretch(State next, int64_t now_ns) {
    if (book<0>(now_ns)) timeline().turn_to(next);
  }
  void end_stretch(State next, int64_t now_ns) {
    if (book<2>(now_ns)) timeline().turn_to(next);
  }
  // Books it without a change of state.  False: in a signal handler, see
  // switch_to().
  template <int kEvents = 1>
  bool book(int64_t now_ns) {
    if (!timeline().begin_event()) [[unlikely]]
      return false;
    book_inside<kEvents>(now_ns);
    timeline().end_event();
    return true;
  }
  // As switch_to(). The time since `from_ns`, but at most since the last event,
  // is an amount of this quantity too. Returns how long that was.
  // Inlined because nearly all of it is what switch_to() does.
  //
  // REQUIRES: keep_account() gave the number. If `from_ns` is after the last
  // event, no region was opened or closed since then.
  [[gnu::always_inline]] int64_t switch_to(State next, int64_t now_ns,
                                           int account,
                                           int64_t from_ns = INT64_MIN) {
    if (!timeline().begin_event()) [[unlikely]]
      return 0;
    const int64_t since = timeline().since();
    const int64_t now = std::max(now_ns, since);
    int64_t part = now - since;
    if (from_ns != INT64_MIN) {
      part = std::max<int64_t>(0, now - std::max(from_ns, since));
    }
    if (!epochs_.is_quiet_now()) [[unlikely]]
      return switch_after_change(next, now, account, part);
    accounts_.load(std::memory_order_relaxed)->add(account, part);
    timeline().book(since, now, 1);
    timeline().turn_to(next);
    timeline().end_event();
    return part;
  }
  // Whether the thread is in an event: as the caller, a signal handler that has
  // interrupted it.
  bool in_event() const { return timeline().in_event(); }
  // Whether an event does no more than to book the time, as long as no region
  // is opened or closed.
  bool is_quiet() const { return epochs_.is_quiet(); }
  // Process::epoch() as of the thread's records.
  uint32_t known_epoch() const { return epochs_.value(); }
  // As book(), for a caller that holds the process's mutex.
  void book_in_change(int64_t now_ns);
  // The number of a quantity for this, valid on this thread.
  int keep_account(const Quantity& quantity);
  // The time since the last event was the tool's own work at that event: books
  // it as OpenMP time, whatever the state.
  void book_own_work(int64_t now_ns);

  // The thread's process enters or leaves a parallel region.  To be called
  // directly after the event that books the time before.
  void enter_parallel() { set_depth(timeline().depth() + 1); }
  void leave_parallel() { set_depth(timeline().depth() - 1); }
  // The thread is the only one of the team that it has entered last.
  void is_alone_in_team() { line_.is_alone(timeline().depth()); }

  // The stretch that began with the last event may end without an event of this
  // thread: it is then in state `after`.  Counts until the next event.
  void may_end_elsewhere(State after);
  // For another thread: the stretch that began at `began_ns` ended at `now_ns`.
  // Returns whether the thread was still in it; else nothing happens.
  bool end_elsewhere(int64_t began_ns, int64_t now_ns);

  // A core that no thread has (Process::take_core()) is that of a thread which
  // begins now.
  void begin_again(ThreadKind kind, int64_t now_ns);

  // Where COM and COMP are kept for each thread, what the stretch that ends
  // with the next event was, if it was one in OpenMP's runtime.  A wait until
  // another thread came at `came_ns` (SyncClock::kNever: none did): till then
  // it counts in COMP only.  In no team until `came_ns`: till then it counts in
  // neither. The next event is a merge as of `came_ns`.
  void has_waited(int64_t came_ns) {
    if (!epochs_.is_quiet_now()) clocks_.com().has_waited(came_ns);
  }
  void has_waited_for(const SyncClock& sync) {
    if (!epochs_.is_quiet_now()) clocks_.com().has_waited(sync.came_ns());
  }
  void was_in_no_team(int64_t came_ns) {
    if (!epochs_.is_quiet_now()) clocks_.com().was_in_no_team(came_ns);
    joins_team();
  }
  // Where reading when the last one came takes time: whether it is needed.
  bool needs_wait() const { return !epochs_.is_quiet_now(); }
  // From the last event on the thread is in no team, or in one.
  void leaves_team() { clocks_.com().leaves_team(); }
  void joins_team() { clocks_.com().joins_team(); }

  // To be called when the thread has entered MPI.  Where that is not on the
  // line of the primary thread, COM and COMP are kept for each thread from then
  // on.
  void entered_mpi() {
    if (!line_.is_line()) [[unlikely]]
      keep_com();
  }
  void keep_com();
  void set_primary() { line_.set_primary(timeline().depth()); }

  // Members count in the process's number of threads.
  void set_member() { member_.store(true, std::memory_order_relaxed); }
  bool member() const { return member_.load(std::memory_order_relaxed); }
  ThreadKind kind() const { return kind_; }

  // Clocks of the last event: stored in a synchronisation object, raised there,
  // or merged from one.
  void store_to(SyncClock& sync);
  void raise_to(SyncClock& sync);
  void raise_to(SyncClock::Raising& raising);
  void merge(const SyncClock& sync);
  // For another thread: the clocks at `now_ns`, if the thread stays in its
  // state until then.  Exact if it is at rest.
  void store_to(SyncClock& sync, int64_t now_ns) const;
  void raise_to(BarrierClock& barrier, uint32_t round, const Arrival& arrival);
  // `most` as in BarrierClock::for_each().
  void merge(const BarrierClock& barrier, uint32_t round,
             Arrival* most = nullptr);

  // For messages to and from other processes.  `capacity` limits the
  // number of entries.
  void store_to(ClockMessage& message, int capacity = ClockMessage::kCapacity);
  // Stores into `entries`, for which travelling_entries() are enough, and
  // returns how many.
  int store_to(ClockEntry* entries, int capacity, int32_t* incomplete);
  int travelling_entries() const;
  // As store_to(), if the message has just these regions and its clocks can be
  // packed.  False: they must be stored the other way.
  bool store_to(PackedClocks* packed, const KnownRegions& regions);
  // Only what has changed since then, in a process of more than kAlwaysRunning
  // regions, at most `most` entries (PackedClocks).  If it returns none, all
  // has to be sent.
  ChangedRegions pack_changed(const SentClocks& sent, int most,
                              unsigned char* packed);
  // Of how many entries that has to have room.
  int most_changed(const SentClocks& sent) const;
  // To be called before clocks are stored that are then sent: all, or what has
  // changed.  A signal handler may change more of them.
  SentClocks sent_now() const;
  // Whether pack_changed() may return any.
  bool knows_changes() const {
    return clocks_.records().quick_count() > kAlwaysRunning && !sends_more();
  }
  // Returns how far ALL of Global in the message is ahead of the thread's; less
  // than any time if it is not there.
  int64_t merge(const ClockMessage& message);
  // ALL of Global at the last event.
  int64_t all_ns() const;
  Moment moment() const;
  // A merge for an earlier event of this thread.
  void merge_as_of(const ClockMessage& message, const Moment& event);
  // Merges COOW as of this event, after everything else in the message: what
  // the call waited weighs nothing, and the rest of it weighs on the path of
  // the partner, too.  `message` is null where the partner's path is not known.
  void merge_coow(const ClockMessage* message, const CallTime& call,
                  const Moment& event);
  // To COOW of the regions that were open at the last event.  Polling weighs
  // nothing there until it turns out not to have waited.
  void add_to_coow(int64_t ns);

  // The longest path, where it is followed (POPRT_PATH); else null.
  ThreadPath* path() const {
    return path_ == nullptr ? nullptr : &path_->path();
  }
  // Merges the path of a message that arrived in a call of which `time_ns` are
  // not counted as a wait yet, after everything else in the message.
  // `then`: the end of the call, if the message comes later.
  void merge_path(const ClockMessage& message, int64_t time_ns,
                  const PathMoment* then = nullptr);
  // The longest path at `now_ns`, as region_at().  Empty where none is
  // followed.
  PathNote path_at(int64_t now_ns) const;

  // Until the last event: what counts in COO, in which nobody is idle.
  int64_t busy_ns() const { return clocks_.own_ns(kCoo); }
  int64_t time_in(State state) const {
    return timeline().total(time_index(false, state)) +
           timeline().total(time_index(true, state));
  }
  int64_t mpi_ns() const { return time_in(State::kMpi); }
  int64_t useful_ns() const { return time_in(State::kUseful); }
  int64_t events() const { return timeline().events(); }
  // Until `now_ns`: since the last event the thread was in its current state.
  int64_t time_in_at(State state, int64_t now_ns) const {
    return time_in(state) +
           (this->state() == state ? timeline().passed_ns(now_ns) : 0);
  }

  // From the last event on, time in MPI is also an amount of this quantity
  // (Process::account_of()), until stop_timing().
  void start_timing(int account);
  void stop_timing();
  // Adds to a quantity in the regions that were open at the last event.
  void add_amount(const Quantity& quantity, int64_t amount);
  // The same by the number that keep_account() gave.
  void count(int account, int64_t amount) {
    accounts_.load(std::memory_order_relaxed)->add(account, amount);
  }
  // The regions that were open at the last event, by their slots; and adds to a
  // quantity in these, which may be closed now.
  std::bitset<kMaxRegions> open_regions() const;
  void count_in(const std::bitset<kMaxRegions>& regions, int account,
                int64_t amount);
  // Adds amounts that belong to `whole_ns` of time that is over, and began at
  // `begin_ns` or later, to the regions in which that was: the time is all that
  // the account `from` has, and has no longer afterwards.
  void share_out(int from, int64_t begin_ns, int64_t whole_ns,
                 const Share* shares, int count);
  // The same of a time of another thread: what its account has, and the time
  // since its last event but for the last `tail_ns`.  If the thread has gone on
  // already (a worker of an inner team of LLVM's, before the team's end is
  // told), only regions that have changed since `begin_ns` are not exact.
  void share_out_of(const Thread& other, int from, int64_t begin_ns,
                    int64_t whole_ns, int64_t tail_ns, const Share* shares,
                    int count);
  // The same of all time between these two. REQUIRES: `begin` is of a time
  // between `begin_ns` and the next change of a region.
  void share_out(const RegionTimes& begin, int64_t begin_ns, int64_t end_ns,
                 const Share* shares, int count);
  // Whether threads have rows. Then what this thread has put into its accounts
  // for another one has to be passed to it, which share_out_of() does itself.
  bool has_row() const { return passed_ != nullptr; }
  // Null if they have none.
  const PassedAmounts* passed() const { return passed_.get(); }
  // What it has counted in these regions, as open_regions().
  void pass(const Thread& other, const std::bitset<kMaxRegions>& regions,
            const Share* shares, int count);
  // What it has shared out, by the share_out() with these arguments.
  void pass(const Thread& other, const RegionTimes& begin, int64_t begin_ns,
            int64_t end_ns, const Share* shares, int count);
  // Does nothing if no region has changed since `times`.
  void note_regions(RegionTimes* times) const;
  // A part of the present state's time that is an amount of a quantity, too.
  // begin_part() returns what end_part() wants to know: the amount so far, in
  // which are parts inside of this one (of a signal handler).  A part that does
  // not end does not count.  end_part() returns what was added.
  int64_t begin_part(const Quantity& quantity, int64_t now_ns);
  int64_t end_part(const Quantity& quantity, int64_t from_ns, int64_t to_ns,
                   int64_t amount_before);
  // From the last event on, the counters of the calling thread, which is this
  // one, are read at each event, until stop_counting().
  void start_counting(const Counting& counting);
  void stop_counting();
  // Whether it has counters, and readings of them that could not be used.
  bool has_counters() const;
  int64_t counter_faults() const;
  // The amount since the thread was added, until its last event.
  int64_t amount(int account) const;
  // For the process: the amount in a region until `now_ns`, as region_at().
  int64_t amount_at(int slot, int account, int64_t now_ns) const;

  // For the process: times and clocks in a region until `now_ns`.  Changes
  // nothing.  Exact if the thread is at rest.
  ThreadRegion region_at(int slot, int64_t now_ns) const;
  // The same of a thread that may be running: read again while an event is
  // changing what is read.  No other thread opens or closes regions meanwhile.
  ThreadRegion settled_region_at(int slot, int64_t now_ns) const;
  // Time outside MPI of this thread's line until `now_ns`.
  OutsideMpi outside_mpi(int64_t now_ns) const;
  // The same until the last event.
  OutsideMpi outside_mpi() const {
    return {timeline().counted_ns<kCom>(), timeline().counted_ns<kComp>()};
  }

  // For the process, as region_at(): what the thread has of each window that
  // `windows` keeps.  The time since its last event is an amount of the account
  // `present`, too. REQUIRES: the process's mutex is held.
  void windows_at(const WindowsOfProcess& windows, int64_t now_ns,
                  WindowTable* table, int present = kNoAccount) const;

  // Null until the layer has set it.  Set by the thread, read by any thread.
  LayerState* layer(EventLayer layer) const {
    return layers_[static_cast<int>(layer)].load(std::memory_order_acquire);
  }
  void set_layer(EventLayer layer, LayerState* state) {
    layers_[static_cast<int>(layer)].store(state, std::memory_order_release);
  }

  // The thread that was added to the process before this one.
  Thread* earlier = nullptr;
  Thread* next_free = nullptr;  // for Process::take_core()
  // A foreign one: of another thread, which has ended, in part.
  bool was_anothers = false;
  // modules/threads hears of the end of the thread that has this core, after
  // OpenMP has, and gives the core back.
  bool ends_in_module = false;
  // Started where the calling thread itself is registered.
  CpuClock cpu;
  // 1 while a call of MPI is measured, so that calls inside of it are not; and
  // how many times clocks that have arrived were not merged, because the
  // program has left the call.  Used by the thread only.
  int mpi_depth = 0;
  uint32_t forgotten_arrivals = 0;

  ToolCost cost;

 private:
  template <int kEvents>
  void book_inside(int64_t now_ns) {
    // Time stamps of two cores may differ by a few ticks.
    const int64_t since = timeline().since();
    const int64_t now = std::max(now_ns, since);
    if (!epochs_.is_quiet_now()) return book_after_change(now, kEvents);
    timeline().book(since, now, kEvents);
  }

  [[gnu::always_inline]] Timeline& timeline() { return clocks_.timeline(); }
  [[gnu::always_inline]] const Timeline& timeline() const {
    return clocks_.timeline();
  }
  Accounts& accounts();
  int timed_account() const;
  void keep_windows();
  void begin_path();
  void raise(RegionRecord& r, int slot, const ClockEntry& entry,
             const OwnClocks& base, const OutsideMpi& outside);
  void settle_com(int slot, ClockSet* clocks) const;
  ComTail end_com(int64_t now_ns);
  void merge_entry(RegionRecord& r, int slot, const ClockEntry& entry,
                   const OwnClocks& own, const OutsideMpi& outside,
                   int64_t* ahead_ns);
  void raise_com(RegionRecord& r, int slot, int64_t com_ns,
                 const OwnClocks& base, const OutsideMpi& outside);
  int64_t merge_likely(const ClockMessage& message, int from);
  void merge_comp(const ClockEntry& entry, const Moment& m);
  int64_t merge_at(const ClockMessage& message, const Moment& m);
  static ClockEntry entry_of(uint64_t key, const Region& region,
                             const RegionRecord& r, const OwnClocks& own,
                             const OutsideMpi& outside);
  template <class EntryOf>
  int append(ClockEntry* entries, int stored, int capacity, int32_t* incomplete,
             EntryOf entry_of);
  int further_entries() const;
  int store_further(const OutsideMpi& outside, ClockEntry* entries, int stored,
                    int capacity, int32_t* incomplete);
  void set_depth(int depth) {
    timeline().set_depth(depth);
    line_.set_depth(depth);
  }
  void choose_quiet_epoch();
  bool has_left_regions(int64_t now_ns) const;
  bool sends_more() const;
  int64_t not_before_regions(int64_t now_ns);
  void convert_regions(int64_t now_ns, Step step, const ComTail& tail);
  int64_t catch_up(int64_t now_ns);
  int64_t catch_up_further(int64_t now_ns);
  Step step_until(const Accounts* accounts, int64_t now_ns);
  int64_t catch_up(int64_t now_ns, int account, int64_t* part_ns);
  void book_after_change(int64_t now_ns, int events);
  int64_t switch_after_change(State next, int64_t now_ns, int account,
                              int64_t part_ns);
  void take_end_elsewhere();
  template <class Inside>
  void share_among_regions(int64_t begin_ns, int64_t whole_ns,
                           const Share* shares, int count, Inside inside,
                           const Thread* other = nullptr);
  bool is_open_since(int slot, int64_t begin_ns);
  void pass_in(int slot, const Thread& other, int account, int64_t amount);
  int64_t inside_between(int slot, const RegionTimes& begin, int64_t begin_ns,
                         int64_t end_ns) const;
  void share_among_windows(int64_t whole_ns, const Share* shares, int count,
                           const int64_t* inside);
  // What the quick ways leave (thread_split.cc).
  void store_all_to(SyncClock& sync);
  void raise_all_in(SyncClock::Raising& raising);
  void merge_all(const SyncClock& sync);
  int64_t came_ns() const;
  bool keeps_com() const { return clocks_.com().kept(); }
  // The work of store_to() and merge().
  void store_in(SyncClock& sync);
  void raise_in(SyncClock::Raising& raising);
  void merge(const SyncClock& sync, const OwnClocks& own);

  Process& process_;
  std::atomic<LayerState*> layers_[kLayers] = {};
  const uint32_t number_;
  const ThreadKind kind_;

  // Written by the thread, read by others at the end.
  ThreadClocks clocks_;
  SeenEpoch epochs_;
  ThreadLine line_;
  std::atomic<bool> member_{false};
  std::atomic<Accounts*> accounts_{nullptr};  // made when first used
  ElsewhereEnd elsewhere_;

  // Used by the thread only.
  uint32_t com_changes_ = 0;  // as Process::com_changes(), by this thread

  // Null in most runs.
  std::unique_ptr<PathFollower> path_;
  std::unique_ptr<ThreadWindows> windows_;
  const std::unique_ptr<PassedAmounts> passed_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_H_
