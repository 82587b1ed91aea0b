// ProcessTotals: the totals of a process as of one time.  It only reads: the
// process, its regions and its threads.
//
// Invariants:
//  1. Nothing is closed and nothing changes: it can be made at any time.
//  2. Of a thread that may be running only what is settled is read
//     (Thread::settled_region_at()).
//
// REQUIRES: the process's mutex is held, or cannot be had any more.
#ifndef POPRT_MEASURE_PROCESS_TOTALS_H_
#define POPRT_MEASURE_PROCESS_TOTALS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded.h"
#include "measure/process.h"

namespace poprt {

class ProcessTotals {
 public:
  ProcessTotals(const Process& process, int64_t now_ns,
                const std::string& host);

  // Process::totals() is own() with what its parts add, which may take long.
  JobTotals own(Process::Threads state);
  void add_parts(Process::Threads state, JobTotals* job) const;
  // As Process::totals_of().
  JobTotals of_region(std::string_view region);

 private:
  // The parts of the time in MPI, summed over threads.
  struct MpiParts {
    int64_t waiting_ns = 0;
    int64_t transfer_ns = 0;
    int64_t unknown_ns = 0;

    // Of a thread that was in MPI for `all_ns`.  A call counts in the regions
    // that are open at its end, and another thread may have opened one of them
    // during the call: of no thread there is more than its time in MPI.
    void add(int64_t all_ns, int64_t waiting, int64_t unknown) {
      waiting = bounded<int64_t>(waiting, 0, all_ns);
      unknown = bounded<int64_t>(unknown, 0, all_ns - waiting);
      waiting_ns += waiting;
      unknown_ns += unknown;
      transfer_ns += all_ns - waiting - unknown;
    }
  };
  // The parts of the time in the state accelerator, and the core time that they
  // cost, summed over threads.
  struct AcceleratorParts {
    struct Part {
      int64_t ns = 0;
      int64_t lost_ns = 0;
    };
    Part waiting;
    Part copying;
    Part launching;
    int64_t inside_ns = 0;  // inside parallel regions

    // What a thread booked is at most its time in the state.
    struct Booked {
      int64_t all_ns = 0;
      int64_t waiting_ns = 0;
      int64_t copying_ns = 0;
    };
    // `factor`: what of core time a part of `outside`, the time outside
    // parallel regions, costs.
    void add(Booked outside, Booked inside, int64_t factor);
    void set_in(RegionTotals* totals) const;
  };
  // What the process and its threads have of one region, or of a window.
  struct View {
    // A thread, a member of the process.
    struct Member {
      const Thread* thread = nullptr;
      ThreadRegion region;
      int64_t amount[kMaxAccounts] = {};
    };
    std::string name;
    uint64_t key = 0;
    int64_t in_full_tables = 0;
    int64_t elapsed_ns = 0;
    // As long as they are the process's.
    int64_t com_ns = 0;
    int64_t comp_ns = 0;
    int64_t visits = 0;
    CommonIdle common;
    std::vector<Member> members;
  };

  static std::vector<const Thread*> members_of(
      const Process& process, const std::vector<Thread*>& threads);
  // Everything but regions, constructs and misuse.
  JobTotals counts() const;
  View view_of(int slot) const;
  RegionTotals region_totals(const View& view);
  // Adds kProcessMaxima to a region's totals.
  void add_maxima(const View& view, RegionTotals* totals) const;
  std::vector<ThreadRow> thread_rows(int slot, const View& view,
                                     const RegionTotals& totals) const;
  std::vector<Amount> amounts(const View& view) const;
  // kNoAccount, and 0, if nothing has measured it.
  int account_if_any(const Quantity& quantity) const;
  int64_t amount_of(const View::Member& member, const Quantity& quantity) const;
  AcceleratorParts accelerator_parts(const View& view) const;
  int64_t overhead_ns(const Thread& thread) const;
  LongestPath path() const;
  void note_counters(Quality* quality) const;
  void add_windows(JobTotals* job);
  void spread_waits(const Thread& member, int slot, WindowTable* table) const;
  std::vector<WindowMarks> marks_of(
      const WindowsOfProcess& windows,
      const std::vector<WindowTable>& tables) const;

  const Process& process_;
  const int64_t now_ns_;
  const std::string& host_;
  const uint64_t host_key_;
  // In the order in which they were added; and those that count.
  const std::vector<Thread*> threads_;
  const std::vector<const Thread*> members_;
  // How much the times of a region are off what they should add up to, at most.
  int64_t closure_error_ns_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PROCESS_TOTALS_H_
