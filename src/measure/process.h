// Process: the threads and regions of one process.
//
// It is made of its ThreadList (threads and cores), its Regions (open or not,
// COM and COMP, what travels), its ProcessTexts and, in few runs, its Windows
// and PathRegions.
//
// Invariants:
//  1. A region opens or closes at the last event of the thread that does it, or
//     at the region's last change if that was later.  So no time is negative.
//  2. The process has COMP before the primary thread's two times of OutsideMpi,
//     if they differ, raise any clock.
//  3. A mutex protects opening and closing.  Readers need no mutex, nor does a
//     signal handler that has interrupted the holder (mutex.h).
//
// Time is always an argument, so a test may have several processes.
#ifndef POPRT_MEASURE_PROCESS_H_
#define POPRT_MEASURE_PROCESS_H_

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "base/mutex.h"
#include "base/path_choice.h"
#include "base/region_selection.h"
#include "clocks/clock_set.h"
#include "clocks/com_start.h"
#include "measure/counter_readings.h"
#include "measure/path_regions.h"
#include "measure/pointer_table.h"
#include "measure/process_texts.h"
#include "measure/region_names.h"
#include "measure/region_watcher.h"
#include "measure/regions.h"
#include "measure/thread.h"
#include "measure/thread_list.h"
#include "model/quantities.h"
#include "model/totals.h"
#include "model/windows.h"

namespace poprt {

// Adds to the totals of a process what is more than times and clocks of its
// regions.  One object serves all processes: what it counts is in the threads'
// LayerState.
class TotalsPart {
 public:
  // The threads should be at rest; their present states are taken to end at
  // `now_ns`.  All other totals are in `job` already.
  virtual void add_to(const std::vector<Thread*>& threads, int64_t now_ns,
                      JobTotals* job) const = 0;
  // The same while threads run, perhaps in a signal handler: adds what can be
  // read in little time.
  virtual void add_while_running(const std::vector<Thread*>&, int64_t,
                                 JobTotals*) const {}
  // An estimate of the tool's own time on a thread for this part, besides the
  // thread's ToolCost.
  virtual int64_t overhead_ps(const Thread&) const { return 0; }
  // Measurement begins again: drops what was counted before.
  virtual void restart(const std::vector<Thread*>& threads) const = 0;

 protected:
  ~TotalsPart() = default;
};

class Windows;

// A quantity with its name, which is known only at run time.
struct CounterQuantity {
  explicit CounterQuantity(std::string_view counter);
  std::string name;
  Quantity quantity;
};

class Process {
 public:
  // `selection`: which of the program's regions are measured.  `thread_rows`:
  // totals have rows of threads.
  explicit Process(RegionSelection selection = {}, PathChoice path = {},
                   const WindowSpec& windows = {}, bool thread_rows = false);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Adds a thread.  The first kProgram thread is the primary thread, and only
  // it is a member from the start.
  Thread& add_thread(ThreadKind kind, int64_t now_ns);
  // From now on totals have no OpenMP threads but the primary thread and those
  // that have called MPI.
  void forget_openmp() { forgets_openmp_.store(true); }
  bool forgets_openmp() const { return forgets_openmp_.load(); }
  // A member's Thread stands for a core.  A member that ends gives the core
  // back, and the next one that begins takes it.  So a process has as many
  // members as lived at once.  Null: no core is free.
  Thread* take_core() { return threads_.take_core(); }
  void give_back(Thread& core) { threads_.give_back(core); }
  // The Thread of a foreign thread that has ended, or a new one.  `counts`: the
  // calling thread has had no Thread before.
  Thread& take_foreign(int64_t now_ns, bool counts);
  void give_back_foreign(Thread& ended) { threads_.give_back_foreign(ended); }
  const ThreadList& threads() const { return threads_; }
  // Adds `part` to the totals from now on.  Idempotent and thread-safe.  `part`
  // must live as long as the process.
  void add_part(const TotalsPart& part) { parts_.add(part); }
  // The number of a quantity in the accounts of threads, the same at each call.
  // The quantity is in the totals from now on.  kNoAccount: there are too many.
  // `quantity` lives as long as the process.
  int account_of(const Quantity& quantity) { return quantities_.add(quantity); }
  // All accounts have numbers below this one.
  int account_count() const { return quantities_.count(); }
  // Threads that are added from now on count with these counters in useful
  // time.  `source` lives as long as the process.  REQUIRES: no other thread
  // uses the process yet.  False: there are too many quantities.
  bool count_with(CounterSource& source);
  // Null without counters.
  const Counting* counting() const { return counting_.get(); }
  // What the tool's part of an MPI call counts outside of its two events, by
  // counter (call_cost.h).
  void set_outside_counts(const int64_t* counts);
  Thread* primary() const { return threads_.primary(); }

  // Opens or closes a region for all threads at the caller's last event; call
  // thread.book() first.  Misuse is counted and has no other effect.
  void region_start(Thread& thread, std::string_view name);
  void region_stop(Thread& thread, std::string_view name);

  // Opens or closes a region by handle.  A handle is valid on all threads as
  // long as the process exists. kNoRegion: the region is not selected or cannot
  // be measured.
  static constexpr int kNoRegion = -1;
  int region_find(std::string_view name);
  void region_enter(Thread& thread, int handle);
  void region_leave(Thread& thread, int handle);

  bool selects_all_regions() const { return all_selected_; }
  bool selects_region(std::string_view name) const {
    return selection_.selects(name);
  }

  // There is at most one watcher, which lives as long as the process.  False:
  // there is another one.
  bool watch_regions(RegionWatcher& watcher) {
    RegionWatcher* none = nullptr;
    return region_watcher_.compare_exchange_strong(none, &watcher);
  }
  RegionWatcher* region_watcher() const {
    return region_watcher_.load(std::memory_order_acquire);
  }

  // Begins measurement anew at the caller's last event: drops the values of all
  // regions; open regions stay open.
  void restart_regions(Thread& thread);

  const Regions& regions() const { return regions_; }
  // Epoch::value().
  uint32_t epoch() const { return regions_.epoch().value(); }
  int region_count() const { return regions_.count(); }
  const Region& region(int slot) const { return regions_.at(slot); }
  // The slot of a region, or -1: there is none.
  int find_slot(uint64_t key) const { return regions_.find(key); }
  // The slot of a region that another process has named, which is added if new.
  // -1: the table of travelling regions is full.  `hint`: a likely slot.
  int slot_of_key(uint64_t key, int hint) {
    return hint < region_count() && region(hint).key() == key ? hint
                                                              : find_key(key);
  }

  // Raises COM, and COMP too.  `outside`: outside_mpi() at the event.  Returns
  // whether COM of a region that is closed has become later.
  bool raise_com(int slot, int64_t com_ns, const OutsideMpi& outside) {
    return regions_.com().raise_com(regions_.at(slot), com_ns, outside);
  }
  // Whether raise_com() may change anything.
  bool may_raise_com(int slot, int64_t com_ns, OutsideMpi outside) const {
    return regions_.com().may_raise_com(region(slot), com_ns, outside);
  }
  // A message had no room for a further clock of the region with this slot.
  void lost_clock(int slot) { regions_.travelling().lose_clock(slot); }
  // ComKeeper::changes().
  uint32_t com_changes() const { return regions_.com().changes(); }
  void count_com_change() { regions_.com().count_change(); }
  // Raises COMP by an entry of its kind.
  void raise_comp(const ClockEntry& entry, OutsideMpi outside);
  bool has_comp() const { return regions_.com().has_comp(); }
  // From `now_ns` on each thread keeps COM and COMP.  Does nothing if threads
  // do already, or if there is no memory.
  void keep_com(int64_t now_ns);
  // From `now_ns` on a thread works for which the primary thread does not wait.
  // As keep_com(), as soon as the process has MPI.
  void works_alone(int64_t now_ns);
  // Null as long as COM and COMP belong to the process.
  const ComStart* com_start() const { return regions_.com().start(); }
  // Whether threads keep COOW, and messages carry it.
  bool keeps_coow() const { return keeps_coow_; }
  // For the longest path: what the user wants, the keys of the regions to leave
  // out, this process's rank, and the innermost regions (null: not wanted).
  const PathChoice& path_choice() const { return path_choice_; }
  const uint64_t* keys_left_out() const { return keys_left_out_; }
  int left_out() const { return static_cast<int>(path_choice_.without.size()); }
  int64_t rank() const { return rank_.load(std::memory_order_relaxed); }
  void set_rank(int64_t rank) { rank_.store(rank); }
  const PathRegions* path_regions() const { return path_regions_.get(); }
  bool sends_more() const { return regions_.sends_more(); }
  // The regions with slots below this may be sent to other processes.
  int travelling_regions() const { return regions_.travelling().most(); }
  // How many regions are sent now.
  int regions_to_send() const {
    return regions_.travelling().of(region_count());
  }
  // The primary thread's time outside MPI at an event of `thread`.
  OutsideMpi outside_mpi(const Thread& thread) {
    const OutsideMpi outside =
        primary() == &thread ? thread.outside_mpi()
                             : threads_.outside_mpi_at(thread.last_event_ns());
    if (outside.com_ns != outside.comp_ns) [[unlikely]]
      need_comp();
    return outside;
  }

  // The primary thread has left an outermost parallel region, which began at
  // `begin_ns` when the epoch was `begin_epoch`.
  void add_parallel_instance(int64_t begin_ns, uint32_t begin_epoch,
                             const CommonIdle& common);

  // Null without windows.
  const Windows* windows() const { return windows_.get(); }
  // Whether a window may begin or end at an event at `now_ns`.
  bool window_is_due(int64_t now_ns);
  // Begins and ends windows that are due.  Called at each event if windows have
  // a fixed length, else if a region has changed.
  void change_window(int64_t now_ns);

  bool has_thread_rows() const { return thread_rows_; }

  // Protects the opening and closing of regions and windows.
  Mutex& mutex() const { return mutex_; }

  // Adds a line to the report.
  void note(const std::string& line) { texts_.note(line); }
  // Adds the note of these words (kNoteWords) for the first name that is
  // refused.
  void note_first(std::string_view words, std::string_view name) {
    texts_.note_first(words, name);
  }
  // What the program says of itself.  The last value of a key counts; an empty
  // value removes the key.
  void set_metadata(std::string_view key, std::string_view value);
  void set_has_mpi();
  void set_has_openmp() { set_has(EventLayer::kOpenMp); }
  void set_has_devices() { set_has(EventLayer::kDevices); }
  void set_has(EventLayer layer) {
    has_layer_[static_cast<size_t>(layer)].store(true);
  }
  bool has_layer(EventLayer layer) const {
    return has_layer_[static_cast<size_t>(layer)].load();
  }
  Cell lost_clocks;     // written by the MPI layer, by one thread at a time
  Cell clock_messages;  // likewise
  // Written by all threads.
  std::atomic<int64_t> lost_lock_clocks{0};

  // What the totals are made of.
  const ProcessTexts& texts() const { return texts_; }
  const Quality& misuse() const { return misuse_; }
  const PointerTable<Quantity, kMaxAccounts>& quantities() const {
    return quantities_;
  }
  template <class Visit>
  void for_each_part(Visit visit) const {
    for (int i = 0; i < parts_.count(); ++i) visit(*parts_.at(i));
  }

  // The totals of this process at `now_ns`.  Closes nothing.  kRunning: without
  // notes about the end and most TotalsParts, and a thread's numbers are those
  // of its last event.  Rows of threads have no rank yet (set_rank()).
  enum class Threads { kAtRest, kRunning };
  JobTotals totals(int64_t now_ns, const std::string& host,
                   Threads state = Threads::kAtRest) const;
  // The totals without other regions, constructs and misuse.  They have no
  // region if there is none of this name.
  JobTotals totals_of(std::string_view region, int64_t now_ns,
                      const std::string& host) const;

 private:
  void need_comp();
  int find_key(uint64_t key);
  std::string_view checked_name(std::string_view name, RoomForName& room);
  void note_no_room(std::string_view name);
  void note_shared(std::string_view name);
  void note_stray(std::string_view name);
  void count_misuse(int64_t Quality::*misuse);
  void refuse(int64_t Quality::*misuse, const std::string& line);
  int open(Thread& thread, std::string_view name, uint64_t key, int hint);
  void close(Thread& thread, std::string_view name, uint64_t key, int hint);
  void set_open(int slot, bool open, Thread& thread);

  // A signal handler that has interrupted the holder reads totals without it.
  mutable Mutex mutex_;
  const PathChoice path_choice_;
  const bool keeps_coow_;
  const bool thread_rows_;
  uint64_t keys_left_out_[PathChoice::kMostWithout] = {};
  std::atomic<int64_t> rank_{0};
  std::atomic<bool> has_layer_[kLayers] = {};
  std::atomic<bool> forgets_openmp_{false};

  const RegionSelection selection_;
  const bool all_selected_;
  RegionNames names_;
  Regions regions_;
  std::unique_ptr<PathRegions> path_regions_;

  std::atomic<RegionWatcher*> region_watcher_{nullptr};

  static constexpr int kMaxParts = 16;
  PointerTable<TotalsPart, kMaxParts> parts_;
  PointerTable<Quantity, kMaxAccounts> quantities_;
  std::unique_ptr<Counting> counting_;
  // Of counters.  A list, because quantities are known by their addresses.
  std::list<CounterQuantity> counter_quantities_;
  Quality misuse_;  // without notes
  ProcessTexts texts_;

  // The destructor deletes these first.
  ThreadList threads_;
  std::unique_ptr<Windows> windows_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PROCESS_H_
