// Process: the threads and regions of one process, and the critical paths
// outside MPI (COM and COMP), which belong to the process and not to a thread.
//
// COM counts no MPI of the primary thread, COMP counts that inside parallel
// regions.  They are the same until the primary first calls MPI there, or until
// another process says that it has; from then on COMP is kept as well.
//
// Regions are opened and closed under a mutex by whichever thread asks; the
// other threads read a region's state without it.  A call that comes from a
// signal's handler which has interrupted another one gives way (mutex.h).
// Nothing here knows where time comes from, so a test may have several
// processes.
#ifndef POPRT_RUNTIME_PROCESS_H_
#define POPRT_RUNTIME_PROCESS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/totals.h"
#include "runtime/cell.h"
#include "runtime/clock_set.h"
#include "runtime/memory.h"
#include "runtime/mutex.h"
#include "runtime/region_names.h"
#include "runtime/region_selection.h"
#include "runtime/thread.h"

namespace poprt {

// A time that goes on while its region is open: then it is now + offset, else
// the value itself.  As one word both change at once.
struct Elapsed {
  bool open = false;
  int64_t ns = 0;  // value or offset
  int64_t at(int64_t now_ns) const { return open ? ns + now_ns : ns; }

  int64_t word() const { return ns * 2 + (open ? 1 : 0); }
  static Elapsed of(int64_t word) { return {(word & 1) != 0, word >> 1}; }
};

class Region {
 public:
  Region(std::string name, uint64_t key) : name_(std::move(name)), key_(key) {}

  Elapsed elapsed() const {
    return Elapsed::of(elapsed_.load(std::memory_order_acquire));
  }
  // COM and COMP, of which "now" is the process-level line's time outside MPI.
  Elapsed com() const {
    return Elapsed::of(com_.load(std::memory_order_acquire));
  }
  // Means nothing while Process::has_comp() is false.
  Elapsed comp() const {
    return Elapsed::of(comp_.load(std::memory_order_acquire));
  }
  uint64_t key() const { return key_.load(std::memory_order_relaxed); }

 private:
  friend class Process;
  // One of the two clocks: its value or offset, and its "now" when the region
  // was last opened.
  using Word = std::atomic<int64_t>;
  static void set_open(bool open, int64_t own_ns, Word* clock, Word* opened);
  static void raise(int64_t ns, int64_t own_ns, Word* clock,
                    const Word& opened);
  void set_open(bool open, int64_t now_ns, const OutsideMpi& outside);

  // Under the process's mutex.
  std::string name_;  // empty while only the key has been heard of
  int64_t visits_ = 0;
  int depth_ = 0;
  const Thread* opener_ = nullptr;
  int64_t changed_ns_ = 0;  // when it was opened or closed last
  // Idle time shared by all threads of a parallel region instance; kept like
  // a thread's times: value, or difference to the process's total.
  int64_t idle_min_ns_ = 0;

  // Read by every thread.
  std::atomic<uint64_t> key_;  // 0: measured before MPI_Init, shown nowhere
  std::atomic<int64_t> elapsed_{0};
  Word com_{0};
  Word opened_com_ns_{0};
  Word comp_{0};
  Word opened_comp_ns_{0};
};

class Process {
 public:
  // Bytes of a region's name that are kept.
  static constexpr size_t kLongestName = 127;

  // Opens those regions only that the program starts and `selection` selects.
  explicit Process(RegionSelection selection = {})
      : selection_(std::move(selection)),
        all_selected_(selection_.selects_all()) {}
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // A new thread, counted as a member from the start only if it is the
  // primary: the first kProgram thread becomes the primary.
  Thread& add_thread(ThreadKind kind, int64_t now_ns);
  Thread* primary() const { return primary_.load(std::memory_order_acquire); }

  // Opens or closes a region for all threads, at the caller's last event;
  // call thread.book() first.  Misuse is counted and changes nothing else.
  void region_start(Thread& thread, std::string_view name);
  void region_stop(Thread& thread, std::string_view name);

  // The same by a handle, which holds for this process's life, on all threads.
  // kNoRegion: a region that is not selected, or cannot be measured.
  static constexpr int kNoRegion = -1;
  int region_find(std::string_view name);
  void region_enter(Thread& thread, int handle);
  void region_leave(Thread& thread, int handle);

  bool selects_all_regions() const { return all_selected_; }
  bool selects_region(std::string_view name) const {
    return selection_.selects(name);
  }

  // Measurement begins again, at the caller's last event: what the regions
  // have so far is dropped, open ones go on from here.
  void restart_regions(Thread& thread);

  // Changes whenever a region is opened or closed.
  uint32_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  int region_count() const {
    return region_count_.load(std::memory_order_acquire);
  }
  const Region& region(int slot) const {
    return *regions_[slot].load(std::memory_order_acquire);
  }
  // The slot of a region that another process named, or -1: the table of
  // travelling regions is full.
  int slot_of_key(uint64_t key, int hint) {
    return hint < region_count() && region(hint).key() == key ? hint
                                                              : find_key(key);
  }

  // `outside`: outside_mpi() at the event.  Raises COMP as well.
  void raise_com(int slot, int64_t com_ns, const OutsideMpi& outside) {
    Region& r = *regions_[slot].load(std::memory_order_relaxed);
    Region::raise(com_ns, outside.com_ns, &r.com_, r.opened_com_ns_);
    if (has_comp()) [[unlikely]]
      raise_comp(slot, com_ns, outside);
  }
  // By an entry of another process's message: is_comp().
  void raise_comp(const ClockEntry& entry, const OutsideMpi& outside);
  bool has_comp() const { return has_comp_.load(std::memory_order_acquire); }
  // The process-level line's time outside MPI, at an event of `thread`.
  OutsideMpi outside_mpi(const Thread& thread) {
    const OutsideMpi outside = outside_mpi_at(thread.last_event_ns());
    if (outside.com_ns != outside.comp_ns) [[unlikely]]
      need_comp();
    return outside;
  }

  // The primary thread has left an outermost parallel region that began at
  // `begin_ns` when the epoch was `begin_epoch`: the least time that any of
  // its threads was idle in it.
  void add_parallel_instance(int64_t begin_ns, uint32_t begin_epoch,
                             int64_t idle_min_ns);

  // Facts for the report.
  void note(const std::string& line);
  // Of many that are refused for the same reason, `what`, the first is named.
  void note_first(const std::string& what, std::string_view name);
  // What the program says of itself; the last value of a key counts, an empty
  // one takes the key back.
  void set_metadata(std::string_view key, std::string_view value);
  void set_has_mpi() { has_mpi_.store(true); }
  void set_has_openmp() { has_openmp_.store(true); }
  Cell lost_clocks;     // single writer at a time: the MPI layer
  Cell clock_messages;  // likewise

  // The totals of this process as of `now_ns`; closes nothing.  The threads
  // should be at rest: where one is not, its numbers are a moment old.
  JobTotals totals(int64_t now_ns, const std::string& host) const;
  // The same with this region only, and nothing else that has a name; without
  // it where no thread has been in it.
  JobTotals totals_of(std::string_view region, int64_t now_ns,
                      const std::string& host) const;

 private:
  OutsideMpi outside_mpi_at(int64_t now_ns) const {
    const Thread* const line = primary();
    return line == nullptr ? OutsideMpi{now_ns, now_ns}
                           : line->outside_mpi(now_ns);
  }
  void raise_comp(int slot, int64_t comp_ns, const OutsideMpi& outside);
  void need_comp();
  void begin_comp();
  int find_key(uint64_t key);
  int find_slot(uint64_t key) const;
  int add_region(std::string_view name, uint64_t key);
  std::string_view checked_name(std::string_view name);
  void note_no_room(std::string_view name);
  void note_shared(std::string_view name);
  void note_stray(std::string_view name);
  // `first`: see note_first(); empty where the line names nothing.
  void refuse(int64_t Quality::*count, const std::string& line,
              std::string_view first = {});
  void refuse_region_start(const std::string& line);
  void refuse_region_stop(const std::string& line);
  int open(Thread& thread, std::string_view name, uint64_t key, int hint);
  void close(Thread& thread, std::string_view name, uint64_t key, int hint);
  JobTotals totals_of(const std::vector<const Thread*>& members) const;
  void forget_broken_texts();
  // False: there was no memory for it, and all is as it was.
  template <class Change>
  bool change_texts(Change change) {
    texts_changing_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const bool done = memory::attempt(change);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    texts_changing_ = false;
    return done;
  }
  std::vector<Thread*> threads() const;  // in the order of their coming
  std::vector<const Thread*> members() const;
  void set_open(int slot, bool open, Thread& thread);
  RegionTotals region_totals(int slot, int64_t now_ns, uint64_t host,
                             const std::vector<const Thread*>& members,
                             int64_t* closure_error_ns) const;

  // A handler that ends the process may have interrupted whoever holds one of
  // them.  What is under mutex_ is numbers, which can be read all the same.
  mutable Mutex mutex_;
  Quality misuse_;  // without its notes
  mutable Mutex texts_mutex_;
  // Under texts_mutex_.
  std::vector<std::string> notes_;
  std::vector<Metadata> metadata_;  // sorted by key
  bool texts_changing_ = false;     // somebody is at it, or has been left there

  std::atomic<Thread*> threads_{nullptr};  // the latest, see Thread::earlier

  const RegionSelection selection_;
  const bool all_selected_;
  RegionNames names_;

  Cell idle_min_total_ns_;  // the primary thread's

  // Regions by key: open addressing, slot + 1, 0 for none.
  static constexpr int kIndexSize = 2 * kMaxRegions;
  std::atomic<int16_t> index_[kIndexSize] = {};
  std::atomic<Region*> regions_[kMaxRegions] = {};
  std::atomic<int> region_count_{0};
  friend class Thread;  // looks at epoch_ at each event
  std::atomic<uint32_t> epoch_{0};
  std::atomic<uint32_t> thread_count_{0};
  std::atomic<Thread*> primary_{nullptr};
  std::atomic<bool> full_table_{false};
  std::atomic<bool> has_comp_{false};
  std::atomic<bool> has_mpi_{false};
  std::atomic<bool> has_openmp_{false};
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_PROCESS_H_
