// Process: the threads and regions of one process, and its clocks COM and COMP,
// which belong to the process as long as its primary thread alone calls MPI,
// outside of parallel regions.  Then each thread keeps them (com_start.h).
//
// COM leaves out all MPI of the primary thread; COMP counts MPI inside parallel
// regions.  They are equal until threads keep them, or until another process
// says that they differ.  From then on COMP is kept as well.
//
// A mutex protects opening and closing regions, which any thread may do; the
// other threads read a region's state without it.  A call from a signal handler
// that has interrupted another such call does without (mutex.h).  Time is
// always an argument, so a test may have several processes.
#ifndef POPRT_MEASURE_PROCESS_H_
#define POPRT_MEASURE_PROCESS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "base/memory.h"
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
#include "measure/region_table.h"
#include "measure/thread.h"
#include "model/quantities.h"
#include "model/totals.h"
#include "model/windows.h"

namespace poprt {

// Adds to the totals of a process what is more than times and clocks of its
// regions.  One object serves all processes: what it counts is in the threads'
// LayerState.
class TotalsPart {
 public:
  // The threads should be at rest; what is under way is taken to end at
  // `now_ns`.  All other totals are in `job` already.
  virtual void add_to(const std::vector<Thread*>& threads, int64_t now_ns,
                      JobTotals* job) const = 0;
  // Whether the threads may be running, and little time is needed.
  virtual bool reads_running_threads() const { return false; }
  // An estimate of the tool's own time on a thread for this part.
  virtual int64_t overhead_ps(const Thread& thread) const = 0;
  // Measurement begins again: drops what was counted before.
  virtual void restart(const std::vector<Thread*>& threads) const = 0;

 protected:
  ~TotalsPart() = default;
};

struct KeptWindow;
struct WindowBegin;
struct Windows;
struct WindowsOfProcess;

// A quantity with its name, which is known only at run time.
struct CounterQuantity {
  explicit CounterQuantity(std::string_view counter);
  std::string name;
  Quantity quantity;
};

class Process {
 public:
  // Opens only regions that the program starts and `selection` selects.
  // `thread_rows`: totals have rows of threads.
  explicit Process(RegionSelection selection = {}, PathChoice path = {},
                   const WindowSpec& windows = {}, bool thread_rows = false);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Adds a thread.  The first kProgram thread is the primary thread, and only
  // it is a member from the start.
  Thread& add_thread(ThreadKind kind, int64_t now_ns);
  // Totals are without OpenMP's threads from now on, but for the primary thread
  // and those that have called MPI.
  void forget_openmp() { forgets_openmp_.store(true); }
  // A Thread of a member stands for a core: when the member ends it gives the
  // core back, and the next one that begins takes it.  So a process has as many
  // members as lived at once.  Null: all have threads.
  Thread* take_core();
  void give_back(Thread& core);
  // Those that were added so far, the last one first.
  template <class Visit>
  void for_each_thread(Visit visit) const {
    for (const Thread* each = threads_.load(std::memory_order_acquire);
         each != nullptr; each = each->earlier) {
      visit(*each);
    }
  }
  // Adds `part` to the totals from now on.  Idempotent and thread-safe.  `part`
  // must live as long as the process.
  void add_part(const TotalsPart& part);
  // The number of a quantity in the accounts of this process's threads; from
  // here on it is in the totals. The same for the same quantity. kNoAccount:
  // there are too many. `quantity` lives as long as the process.
  int account_of(const Quantity& quantity);
  // All accounts have numbers below.
  int account_count() const { return quantities_.count(); }
  // Threads that are added from now on count with these counters in useful
  // time.  `source` lives as long as the process.  REQUIRES: no other thread
  // uses the process yet.  False: there are too many quantities.
  bool count_with(CounterSource& source);
  // Null without counters.
  const Counting* counting() const { return counting_.get(); }
  // What a call counts outside of its two events, by counter (call_cost.h).
  void set_outside_counts(const int64_t* counts);
  Thread* primary() const { return primary_.load(std::memory_order_acquire); }

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

  // Begins measurement anew at the caller's last event: drops the values of all
  // regions; open regions stay open.
  void restart_regions(Thread& thread);

  // Changes whenever a region is opened or closed; program_epoch() of it if
  // that was one of the program's, and no window.
  uint32_t epoch() const {
    return epoch_.load(std::memory_order_acquire) & ~kThreadsKeepCom;
  }
  int region_count() const { return regions_.count(); }
  const Region& region(int slot) const { return regions_.at(slot); }
  // The slot of a region, or -1: there is none.
  int find_slot(uint64_t key) const { return regions_.find(key); }
  // The slot of a region that another process has named, or -1 if the table of
  // travelling regions is full: not for what this process wants of its own.
  int slot_of_key(uint64_t key, int hint) {
    return hint < region_count() && region(hint).key() == key ? hint
                                                              : find_key(key);
  }

  // Raises COM, and COMP too.  `outside`: outside_mpi() at the event.  Returns
  // whether COM of a region that is closed has become later.
  bool raise_com(int slot, int64_t com_ns, const OutsideMpi& outside);
  // Whether that may change anything.
  bool may_raise_com(int slot, int64_t com_ns, OutsideMpi outside) const {
    return has_comp() ||
           regions_.at(slot).com_.is_later(com_ns, outside.com_ns);
  }
  // A message had no room for a further clock of the region with this slot.
  void lost_clock(int slot);
  // How many times threads have raised COM of closed regions.
  uint32_t com_changes() const {
    return com_changes_.load(std::memory_order_relaxed);
  }
  void count_com_change() {
    com_changes_.fetch_add(1, std::memory_order_relaxed);
  }
  // Raises COMP by an entry of its kind.
  void raise_comp(const ClockEntry& entry, OutsideMpi outside);
  bool has_comp() const { return has_comp_.load(std::memory_order_acquire); }
  // From `now_ns` on, each thread keeps COM and COMP. Does nothing if they do,
  // or if there is no memory for it.
  void keep_com(int64_t now_ns);
  // From `now_ns` on, a thread works for which the primary thread does not
  // wait: as keep_com(), if there is MPI, or when there is.
  void works_alone(int64_t now_ns);
  // Null as long as they belong to the process.
  const ComStart* com_start() const {
    return com_start_.load(std::memory_order_acquire);
  }
  // Whether threads keep COOW, and messages carry it.
  bool keeps_coow() const { return keeps_coow_; }
  // What is followed of the longest path, the keys of the regions that it is to
  // leave out, the rank in it, and the innermost regions (null: not followed).
  const PathChoice& path_choice() const { return path_choice_; }
  const uint64_t* keys_left_out() const { return keys_left_out_; }
  int left_out() const { return static_cast<int>(path_choice_.without.size()); }
  int64_t rank() const { return rank_.load(std::memory_order_relaxed); }
  void set_rank(int64_t rank) { rank_.store(rank); }
  const PathRegions* path_regions() const { return path_regions_.get(); }
  // Whether messages may have entries of COMP, COOW or a path.
  bool sends_more() const {
    return sends_more_.load(std::memory_order_acquire);
  }
  // How many regions are sent to other processes: those with the first slots.
  int travelling_regions() const { return travelling_regions_; }
  // How many regions it has of these.
  int regions_to_send() const {
    return std::min(region_count(), travelling_regions_);
  }
  // The time outside MPI of the primary thread's line, at an event of `thread`.
  OutsideMpi outside_mpi(const Thread& thread) {
    const OutsideMpi outside = primary() == &thread
                                   ? thread.outside_mpi()
                                   : outside_mpi_at(thread.last_event_ns());
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
  // Looks whether the next window has begun. Called at each event of a process
  // with windows in time, else if a region has changed.
  void change_window(int64_t now_ns);

  bool has_thread_rows() const { return thread_rows_; }

  // Adds a line to the report.
  void note(const std::string& line) { texts_.note(line); }
  // Adds a note for what is refused for the reason `what`; only the first name
  // is given.
  void note_first(const std::string& what, std::string_view name) {
    texts_.note_first(what, name);
  }
  // What the program says of itself.  The last value of a key counts; an empty
  // value removes the key.
  void set_metadata(std::string_view key, std::string_view value);
  void set_has_mpi();
  void set_has_openmp() { set_has(EventLayer::kOpenMp); }
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

  // The totals of this process at `now_ns`; closes nothing.  The numbers of a
  // running thread are those of its last event, and what cannot be read while
  // threads run is left out: most parts, and notes about the end.
  // Rows of threads are for set_rank() to complete.
  enum class Threads { kAtRest, kRunning };
  JobTotals totals(int64_t now_ns, const std::string& host,
                   Threads state = Threads::kAtRest) const;
  // The totals with only this region and nothing else that has a name.  Without
  // the region if no thread has been in it.
  JobTotals totals_of(std::string_view region, int64_t now_ns,
                      const std::string& host) const;

 private:
  OutsideMpi outside_mpi_at(int64_t now_ns) const {
    const Thread* const line = primary();
    return line == nullptr ? OutsideMpi{now_ns, now_ns}
                           : line->outside_mpi(now_ns);
  }
  void raise_comp(int slot, int64_t comp_ns, OutsideMpi outside);
  void need_comp();
  void begin_comp();
  int find_key(uint64_t key);
  int add_region(std::string_view name, uint64_t key);
  std::string_view checked_name(std::string_view name, RoomForName& room);
  void note_no_room(std::string_view name);
  void note_shared(std::string_view name);
  void note_stray(std::string_view name);
  // `first`: the name for note_first(); empty if there is none.
  void refuse(int64_t Quality::*count, const std::string& line,
              std::string_view first = {});
  void refuse_region_start(const std::string& line);
  void refuse_region_stop(const std::string& line);
  int open(Thread& thread, std::string_view name, uint64_t key, int hint);
  void close(Thread& thread, std::string_view name, uint64_t key, int hint);
  template <class Visit>
  void for_each_part(Visit visit) const {
    for (int i = 0; i < parts_.count(); ++i) visit(*parts_.at(i));
  }
  // in the order in which they were added
  std::vector<Thread*> threads() const;
  void set_open(int slot, bool open, Thread& thread);
  void set_open_at(Region& region, bool open, int64_t now_ns);
  void set_window_open(Region& region, bool open, int64_t now_ns);
  bool window_is_due(int64_t now_ns);
  void begin_window(int64_t step, const Region& base, int64_t at_ns);
  WindowBegin window_begin_at(const Region& base, int64_t at_ns) const;
  void pause_window(int64_t at_ns);
  void retire_window();
  void restart_windows();
  KeptWindow window_until(int64_t now_ns) const;
  CommonIdle common_idle(const Region& region) const;
  // A signal handler that ends the process may have interrupted the holder of
  // either mutex.  What mutex_ protects are numbers, which can be read in any
  // case.
  mutable Mutex mutex_;
  Mutex cores_mutex_;
  Thread* free_core_ = nullptr;  // protected by cores_mutex_
  Quality misuse_;               // without notes
  ProcessTexts texts_;

  static constexpr int kMaxParts = 12;
  PointerTable<TotalsPart, kMaxParts> parts_;
  PointerTable<Quantity, kMaxAccounts> quantities_;
  std::unique_ptr<Counting> counting_;
  // Of the counters; a list, because quantities are known by their addresses.
  std::list<CounterQuantity> counter_quantities_;
  // the last one added, see Thread::earlier
  std::atomic<Thread*> threads_{nullptr};

  const RegionSelection selection_;
  const bool all_selected_;
  RegionNames names_;

  // Of the primary thread's instances, as CommonIdle.
  Cell common_idle_ns_;

  RegionTable regions_;
  friend class Thread;  // reads epoch_ at each event
  friend class ProcessTotals;
  // A bit beside the epoch, so that threads look when it is set.
  static constexpr uint32_t kThreadsKeepCom = 1;
  std::atomic<uint32_t> epoch_{0};
  std::atomic<uint32_t> thread_count_{0};
  std::atomic<Thread*> primary_{nullptr};
  std::atomic<bool> full_table_{false};
  // The clocks of regions with lower slots have been in all messages.
  std::atomic<int> complete_regions_{kMaxRegions};
  std::atomic<uint32_t> com_changes_{0};
  const PathChoice path_choice_;
  const bool keeps_coow_;
  const int travelling_regions_;
  uint64_t keys_left_out_[PathChoice::kMostWithout] = {};
  std::unique_ptr<PathRegions> path_regions_;
  std::atomic<int64_t> rank_{0};
  std::atomic<const ComStart*> com_start_{nullptr};
  std::atomic<bool> has_comp_{false};
  std::atomic<bool> sends_more_;
  std::atomic<bool> works_alone_{false};
  std::atomic<bool> has_layer_[kLayers] = {};
  std::atomic<bool> forgets_openmp_{false};
  std::unique_ptr<Windows> windows_;
  const bool thread_rows_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PROCESS_H_
