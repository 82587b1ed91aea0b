// Thread: the state, times, clocks and amounts of one thread of the program.
//
// The thread that a Thread belongs to calls its functions, unless a comment
// names another caller.  Only this thread writes, except for the end of a
// stretch that another thread sees (ElsewhereEnd).  Any thread may read.  A
// Thread lives as long as its Process.  All times are in ns since the start of
// measurement; a time that is before the last event is taken for its time.
//
// Invariants:
//  1. At the end of each event the records of regions are those of one moment
//     of that event, and known_epoch() is the process's epoch at that moment.
//  2. Only an event that sees another epoch than the last one converts records
//     (catch_up), so regions cost nothing while none is opened or closed.
//  3. Clocks are read, given and raised as they were at the last event.
#ifndef POPRT_MEASURE_THREAD_H_
#define POPRT_MEASURE_THREAD_H_

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>

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

// The totals of a thread at one event, for a later merge of clocks that belong
// to this event.
struct Moment {
  OwnClocks own;
  OutsideMpi outside;
  uint32_t epoch = 0;  // known_epoch()
};

// An MPI call in which clocks arrived: the slots of the regions in which it
// counts, its wait for a late partner, and the rest of its time.
struct CallTime {
  std::bitset<kMaxRegions> regions;
  int64_t waited_ns = 0;
  int64_t transfer_ns = 0;
};

enum class ThreadKind : uint8_t {
  kProgram,  // in useful code from the start: it starts measurement
  kWorker,   // an OpenMP worker, which is idle before it begins
  kForeign,  // unknown to OpenMP: only its MPI time is kept
};

// The base of what a layer of events keeps of a thread.
struct LayerState {};

class Thread {
 public:
  // For Process::add_thread().  Numbers begin at 1.
  Thread(Process& process, uint32_t number, ThreadKind kind, int64_t now_ns);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  Process& process() const { return process_; }
  uint32_t number() const { return number_; }
  State state() const { return timeline().state(); }
  int64_t last_event_ns() const { return timeline().since(); }
  bool in_parallel() const { return timeline().in_parallel(); }

  // An event: books the time since the last event under the present state, and
  // sets the next state.  All functions that make an event do nothing in a
  // signal handler that has interrupted an event.
  void switch_to(State next, int64_t now_ns) {
    if (book(now_ns)) timeline().turn_to(next);
  }
  // Sets the state from the last event on.
  void turn_to(State next) { timeline().turn_to(next); }
  // As switch_to(), for a stretch whose two events are counted at its end.
  void begin_stretch(State next, int64_t now_ns) {
    if (book<0>(now_ns)) timeline().turn_to(next);
  }
  void end_stretch(State next, int64_t now_ns) {
    if (book<2>(now_ns)) timeline().turn_to(next);
  }
  // An event without a change of state.  False: nothing was done.
  template <int kEvents = 1>
  bool book(int64_t now_ns) {
    if (!timeline().begin_event()) [[unlikely]]
      return false;
    book_inside<kEvents>(now_ns);
    timeline().end_event();
    return true;
  }
  // As switch_to(), and adds the time since `from_ns` or the last event, the
  // later one, to an account.  Returns that time.  REQUIRES: keep_account()
  // gave the number.  If `from_ns` is after the last event, no region was
  // opened or closed since the last event.
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
  // Whether the thread is in an event.  True on the thread itself: the caller
  // is a signal handler that has interrupted the event.
  bool in_event() const { return timeline().in_event(); }
  // Whether events only book time as long as no region is opened or closed.
  bool is_quiet() const { return epochs_.is_quiet(); }
  // The epoch of the process that the thread's records are of.
  uint32_t known_epoch() const { return epochs_.value(); }
  // As book(), for a caller that holds the process's mutex.
  void book_in_change(int64_t now_ns);
  // The account of a quantity on this thread.  What is added is in no total if
  // the process has too many quantities.
  int keep_account(const Quantity& quantity);
  // Books the time since the last event, which was the tool's own work at that
  // event, as OpenMP time.
  void book_own_work(int64_t now_ns);

  // The thread enters or leaves a parallel region.  To be called directly after
  // the event that books the time before.
  void enter_parallel() { set_depth(timeline().depth() + 1); }
  void leave_parallel() { set_depth(timeline().depth() - 1); }
  // The team that the thread has entered last has no other thread.
  void is_alone_in_team() { line_.is_alone(timeline().depth()); }

  // Another thread may tell the end of the stretch that began with the last
  // event, by end_elsewhere() before this thread's next event.  The thread is
  // in state `after` from that end on.
  void may_end_elsewhere(State after);
  // For another thread: the stretch that began at `began_ns` ended at `now_ns`.
  // False: it had ended before, and nothing happens.
  bool end_elsewhere(int64_t began_ns, int64_t now_ns);

  // A new thread begins on this core, which no thread has.
  void begin_again(ThreadKind kind, int64_t now_ns);

  // What the stretch in OpenMP's runtime was that ends with the next event, for
  // a thread that keeps COM and COMP.  has_waited(): the thread waited until
  // another one came at `came_ns`, and until then only COMP counts (kNever: COM
  // and COMP count).  was_in_no_team(): until `came_ns` neither counts (kNever:
  // neither counts at all).  The next event merges COM and COMP as of
  // `came_ns`.
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
  // Whether has_waited() has an effect.
  bool needs_wait() const { return !epochs_.is_quiet_now(); }
  // From the last event on the thread is in no team, or in a team.
  void leaves_team() { clocks_.com().leaves_team(); }
  void joins_team() { clocks_.com().joins_team(); }

  // To be called when the thread has entered MPI.  If the thread is not on the
  // process's line (ThreadLine), each thread keeps COM and COMP from now on.
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

  // Stores the clocks at the last event in an object of synchronisation, raises
  // them there, or merges what is there.
  void store_to(SyncClock& sync);
  void raise_to(SyncClock& sync);
  void raise_to(SyncClock::Raising& raising);
  void merge(const SyncClock& sync);
  // For another thread: the clocks at `now_ns`, if the thread stays in its
  // state until then.  Exact if the thread is at rest.
  void store_to(SyncClock& sync, int64_t now_ns) const;
  void raise_to(BarrierClock& barrier, uint32_t round, const Arrival& arrival);
  // `most` as in BarrierClock::for_each().
  void merge(const BarrierClock& barrier, uint32_t round,
             Arrival* most = nullptr);

  // Stores the clocks at the last event for a message to another process, in at
  // most `capacity` entries.
  void store_to(ClockMessage& message, int capacity = ClockMessage::kCapacity);
  // Returns how many entries were stored, and sets `*incomplete` to 1 if more
  // were needed.  travelling_entries(): how many may be needed.
  int store_to(ClockEntry* entries, int capacity, int32_t* incomplete);
  int travelling_entries() const;
  // As store_to(), if the thread has clocks of exactly these regions and they
  // can be packed.  False: `packed` is of no use.
  bool store_to(PackedClocks* packed, const KnownRegions& regions);
  // Packs the clocks that have changed since `sent`, in at most `most` entries.
  // Returns none if there are more, if the process has at most kAlwaysRunning
  // regions, or if a clock cannot be packed.
  ChangedRegions pack_changed(const SentClocks& sent, int most,
                              unsigned char* packed);
  // The `most` that is enough for pack_changed().
  int most_changed(const SentClocks& sent) const;
  // What the store_to() or pack_changed() that follows sends.  To be called
  // first, because a signal handler may change clocks in between.
  SentClocks sent_now() const;
  // Whether pack_changed() may return any.
  bool knows_changes() const {
    return clocks_.records().quick_count() > kAlwaysRunning && !sends_more();
  }
  // Returns how far ALL of Global in the message is ahead of the thread's own;
  // less than any time if the message lacks Global.
  int64_t merge(const ClockMessage& message);
  // ALL of Global at the last event; 0 if there is no Global.
  int64_t all_ns() const;
  Moment moment() const;
  // Merges clocks that belong to an earlier event of this thread.
  void merge_as_of(const ClockMessage& message, const Moment& event);
  // Merges COOW as of `event` (thread_further.cc), after all other clocks of
  // the message.  `message`: null if the partner's clocks are not known.
  void merge_coow(const ClockMessage* message, const CallTime& call,
                  const Moment& event);
  // Adds to COOW of the regions that were open at the last event.
  void add_to_coow(int64_t ns);

  // The longest path; null without POPRT_PATH.
  ThreadPath* path() const {
    return path_ == nullptr ? nullptr : &path_->path();
  }
  // Merges the path of a message that belongs to a call of which `time_ns` are
  // not counted as a wait yet, after all clocks of the message.  `then`: the
  // end of the call, if the message came later.  REQUIRES: path() is not null.
  void merge_path(const ClockMessage& message, int64_t time_ns,
                  const PathMoment* then = nullptr);
  // For the process: the longest path at `now_ns`, as region_at().  Empty
  // without POPRT_PATH.
  PathNote path_at(int64_t now_ns) const;

  // Useful and MPI time until the last event.
  int64_t busy_ns() const { return clocks_.own_ns(kCoo); }
  int64_t time_in(State state) const {
    return timeline().total(time_index(false, state)) +
           timeline().total(time_index(true, state));
  }
  int64_t mpi_ns() const { return time_in(State::kMpi); }
  int64_t useful_ns() const { return time_in(State::kUseful); }
  int64_t accelerator_ns() const { return time_in(State::kAccelerator); }
  int64_t events() const { return timeline().events(); }
  // Until `now_ns`, if the thread stays in its state.
  int64_t time_in_at(State state, int64_t now_ns) const {
    return time_in(state) +
           (this->state() == state ? timeline().passed_ns(now_ns) : 0);
  }

  // From the last event on until stop_timing(), time in the state is also added
  // to an account (Process::account_of()).
  void start_timing(State state, int account);
  void stop_timing(State state);
  // Adds to a quantity in the regions that were open at the last event.
  void add_amount(const Quantity& quantity, int64_t amount);
  // The same by the account that keep_account() gave.
  void count(int account, int64_t amount) {
    accounts_.load(std::memory_order_relaxed)->add(account, amount);
  }
  // The slots of the regions that were open at the last event.  count_in() adds
  // to an account in these regions, even if they are closed now.
  std::bitset<kMaxRegions> open_regions() const;
  void count_in(const std::bitset<kMaxRegions>& regions, int account,
                int64_t amount);
  // Adds amounts to the regions in proportion to how much of a time was in each
  // region.  The time is all that the account `from` has, is `whole_ns` long,
  // and began at `begin_ns` or later.  The account is empty afterwards.
  void share_out(int from, int64_t begin_ns, int64_t whole_ns,
                 const Share* shares, int count);
  // The same for the time that another thread has in its account `from` and
  // since its last event, without the last `tail_ns`.  If that thread has gone
  // on meanwhile, regions that have changed since `begin_ns` are not exact.
  void share_out_of(const Thread& other, int from, int64_t begin_ns,
                    int64_t whole_ns, int64_t tail_ns, const Share* shares,
                    int count);
  // The same for all time from `begin_ns` to `end_ns`.  REQUIRES: `begin` was
  // noted between `begin_ns` and the next change of a region.
  void share_out(const RegionTimes& begin, int64_t begin_ns, int64_t end_ns,
                 const Share* shares, int count);
  // Whether threads have rows.  If so, pass() must tell which amounts in this
  // thread's accounts are another one's; share_out_of() does so itself.
  bool has_row() const { return passed_ != nullptr; }
  const PassedAmounts* passed() const { return passed_.get(); }  // or null
  // After count_in().
  void pass(const Thread& other, const std::bitset<kMaxRegions>& regions,
            const Share* shares, int count);
  // After share_out() with the same arguments.
  void pass(const Thread& other, const RegionTimes& begin, int64_t begin_ns,
            int64_t end_ns, const Share* shares, int count);
  // Does nothing if no region has changed since `times` was set.
  void note_regions(RegionTimes* times) const;
  // A part of the present state's time is also added to a quantity.
  // begin_part() returns the `amount_before` of end_part(), which returns what
  // was added.  A part inside of another one counts once.  A part that does not
  // end does not count.
  int64_t begin_part(const Quantity& quantity, int64_t now_ns);
  int64_t end_part(const Quantity& quantity, int64_t from_ns, int64_t to_ns,
                   int64_t amount_before);
  // From the last event on until stop_counting(), each event reads the counters
  // of the calling thread.
  void start_counting(const Counting& counting);
  void stop_counting();
  bool has_counters() const;
  int64_t counter_faults() const;  // readings that could not be used
  // The amount since the thread was added, until its last event.
  int64_t amount(int account) const;
  // For the process: the amount in a region until `now_ns`, as region_at().
  int64_t amount_at(int slot, int account, int64_t now_ns) const;

  // For the process: times and clocks in a region until `now_ns`.  Exact if the
  // thread is at rest.
  ThreadRegion region_at(int slot, int64_t now_ns) const;
  // The same for a thread that may be running.  REQUIRES: no other thread opens
  // or closes regions meanwhile.
  ThreadRegion settled_region_at(int slot, int64_t now_ns) const;
  // Time outside MPI until `now_ns`, if the thread stays in its state.
  OutsideMpi outside_mpi(int64_t now_ns) const;
  // The same until the last event.
  OutsideMpi outside_mpi() const {
    return {timeline().counted_ns<kCom>(), timeline().counted_ns<kComp>()};
  }

  // For the process: what the thread has of each window that `windows` keeps,
  // as region_at().  The account `present` also gets the time since the last
  // event.  REQUIRES: the caller holds the process's mutex.
  void windows_at(const WindowsOfProcess& windows, int64_t now_ns,
                  WindowTable* table, int present = kNoAccount) const;

  // Null until the thread has set it.
  LayerState* layer(EventLayer layer) const {
    return layers_[static_cast<int>(layer)].load(std::memory_order_acquire);
  }
  void set_layer(EventLayer layer, LayerState* state) {
    layers_[static_cast<int>(layer)].store(state, std::memory_order_release);
  }

  // The thread that was added to the process before this one.
  Thread* earlier = nullptr;
  Thread* next_free = nullptr;  // for ThreadList
  // A part of the values is of another foreign thread, which has ended.
  bool was_anothers = false;
  // modules/threads gives the core back when its thread ends.
  bool ends_in_module = false;
  CpuClock cpu;  // started by the thread itself
  // 1 while an MPI call is measured, so that calls inside it are not.
  int mpi_depth = 0;
  // How often the program has left an MPI call before clocks that had arrived
  // were merged.
  uint32_t forgotten_arrivals = 0;

  ToolCost cost;

 private:
  template <int kEvents>
  void book_inside(int64_t now_ns) {
    // The time stamps of two cores may differ by a few ticks.
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
  // Where the quick ways do not apply (thread_split.cc).
  void store_all_to(SyncClock& sync);
  void raise_all_in(SyncClock::Raising& raising);
  void merge_all(const SyncClock& sync);
  int64_t came_ns() const;
  bool keeps_com() const { return clocks_.com().kept(); }
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

  // Used by the thread only: its own part of Process::com_changes().
  uint32_t com_changes_ = 0;

  // Null in most runs.
  std::unique_ptr<PathFollower> path_;
  std::unique_ptr<ThreadWindows> windows_;
  const std::unique_ptr<PassedAmounts> passed_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_H_
