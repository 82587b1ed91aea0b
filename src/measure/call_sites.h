// CallSites: the MPI calls of one thread by function, place in the program and
// open regions (POPRT_CALLS=on).  Used by its thread only, and by whoever makes
// the totals at the end of the run.
#ifndef POPRT_MEASURE_CALL_SITES_H_
#define POPRT_MEASURE_CALL_SITES_H_

#include <cstdint>

#include "measure/site_table.h"
#include "measure/thread.h"

namespace poprt {

struct LateRanks;

// For which ranks a thread has waited longest, by the algorithm Space-Saving
// with kMost counters.  LateRanks (model/calls.h) says how exact the numbers
// are.
class LateRankCounters {
 public:
  static constexpr int kMost = 8;
  struct Counter {
    int64_t waiting_ns;
    int64_t error_ns;
    int64_t calls;
    int32_t rank;
  };

  void add(int32_t rank, int64_t waiting_ns, int64_t error_ns = 0);
  void add(const LateRankCounters& call);
  void forget() {
    count_ = 0;
    missing_ns_ = 0;
  }

  int count() const { return count_; }
  const Counter& operator[](int i) const { return counters_[i]; }
  int64_t missing_ns() const { return missing_ns_; }
  LateRanks totals() const;

 private:
  Counter counters_[kMost];
  int32_t count_ = 0;
  int64_t missing_ns_ = 0;
};

// The calls of one function at one place, with the same regions open.
struct CallSite : SiteKey {
  // Class 0 has the messages without bytes, class i those of 2^(i-1) to less
  // than 2^i bytes, and the last class also all larger ones.
  static constexpr int kSizeClasses = 40;

  int64_t calls = 0;
  int64_t collectives = 0;
  int64_t time_ns = 0;
  int64_t waiting_ns = 0;
  int64_t unknown_ns = 0;
  int64_t sent_bytes = 0;
  int64_t received_bytes = 0;
  int64_t comm_size = 0;
  uint64_t sizes[kSizeClasses] = {};
  LateRankCounters late;
  // The time of calls that found nothing (MPI_Test), until settle_polls() tells
  // whether they waited; and the entry that had such calls before this one.
  int64_t polled_ns = 0;
  CallSite* earlier_polled = nullptr;

  void add_message(int64_t bytes);
};

class CallSites {
 public:
  static constexpr int kMostSites = SiteTable<CallSite>::kMostSites;

  explicit CallSites(Thread& thread) : thread_(thread), table_(thread) {}

  // Whether no region was opened or closed since learn_regions().
  bool knows_regions() const { return table_.sets.know_regions(); }
  // To be called at an event of the thread.
  void learn_regions() { table_.sets.learn(); }

  // A call of `function` from the return address `code` begins and ends.
  // `function` lives as long as the process and is the same pointer in each
  // call.  A call during which a region was opened or closed counts in Global
  // only.  REQUIRES: learn_regions() was called when knows_regions() was false.
  void begin(const char* function, const void* code);
  void end();
  // The entry of the call that is under way, or null.
  CallSite* current() const { return current_; }

  // What MpiWaits knows of the present call: it has waited, or its partner's
  // clocks are not known, or it has found nothing.
  void add_waiting(int64_t ns);
  void add_unknown(int64_t ns) { call_.unknown_ns += ns; }
  void add_poll(int64_t ns);
  // All calls that have found nothing were waits, except for the last
  // `behind_ns` of them.
  void settle_polls(int64_t behind_ns);

  // Whether `all_ns` is later than the clocks ALL that have arrived in the
  // present call so far.  If so, note_latest() tells whose clock it is: `rank`
  // in MPI_COMM_WORLD, or -1.  Waits that are added from then on were for it.
  bool is_later(int64_t all_ns) const { return all_ns > call_.latest_ns; }
  void note_latest(int64_t all_ns, int rank) {
    call_.latest_ns = all_ns;
    call_.latest_rank = rank;
  }

  Thread& thread() const { return thread_; }
  const RegionSets& sets() const { return table_.sets; }
  // For the end of the run: calls visit(site) for each entry.
  template <class Visit>
  void for_each(Visit visit) const {
    table_.for_each([&](const CallSite& site) {
      if (site.name != nullptr || site.calls > 0) visit(site);
    });
  }
  void forget();

 private:
  struct Call {
    int64_t waiting_ns = 0;
    int64_t unknown_ns = 0;
    int64_t latest_ns = INT64_MIN;
    int latest_rank = -1;
    LateRankCounters late;
  };

  void waited_for_latest(LateRankCounters* late, int64_t ns) const;

  Thread& thread_;
  SiteTable<CallSite> table_;
  CallSite* current_ = nullptr;
  Call call_;
  int64_t mpi_before_ns_ = 0;
  CallSite* polled_ = nullptr;  // the last entry with `polled_ns`
};

// Whether the run keeps the places of MPI calls and OpenMP constructs, or of
// constructs only (for the longest path).  To be set before the first call.
void want_call_sites();
bool call_sites_wanted();
void want_construct_sites();
bool construct_sites_wanted();

// The tables of all threads, which live as long as the process.  Thread-safe.
CallSites& new_call_sites(Thread& thread);
void for_each_call_sites(void (*visit)(CallSites& sites, void* data),
                         void* data);

}  // namespace poprt

#endif  // POPRT_MEASURE_CALL_SITES_H_
