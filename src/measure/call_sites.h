// CallSites: the MPI calls of one thread by function, place in the program and
// open regions, if the user asks for them (POPRT_CALLS).
//
// Times are in ns since the start of measurement.
#ifndef POPRT_MEASURE_CALL_SITES_H_
#define POPRT_MEASURE_CALL_SITES_H_

#include <cstdint>

#include "measure/site_table.h"
#include "measure/thread.h"

namespace poprt {

struct LateRanks;

// Whom a thread has waited for: a summary with few counters (LateRanks of
// model/calls.h says what it promises).
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
  // Those of one call.
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
  // Class i has messages of 2^(i-1) to less than 2^i bytes, class 0 those of 0;
  // the last one has all that are larger.
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
  // Of calls that found nothing: it is not known yet whether they waited.
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

  // A call of `function`, a text that lives as long as the process, begins and
  // ends.  REQUIRES: knows_regions() at its begin, or nearly so: if a region is
  // opened or closed during the call, it counts in Global only.
  void begin(const char* function, const void* code);
  void end();
  // The entry of the call that is under way; null without one.
  CallSite* current() const { return current_; }

  // For MpiWaits: what the present call has waited, or might have.
  void add_waiting(int64_t ns);
  void add_unknown(int64_t ns) { call_.unknown_ns += ns; }
  // The present call has found nothing.
  void add_poll(int64_t ns);
  // Calls that found nothing have waited, but for `behind_ns` of the last ones.
  void settle_polls(int64_t behind_ns);

  // Whether clocks whose ALL is `all_ns` are the latest of the present call,
  // and that they are those of this rank in MPI_COMM_WORLD (-1: not known).
  // What is waited from now on was waited for it.
  bool is_later(int64_t all_ns) const { return all_ns > call_.latest_ns; }
  void note_latest(int64_t all_ns, int rank) {
    call_.latest_ns = all_ns;
    call_.latest_rank = rank;
  }

  // For the end of the run.
  Thread& thread() const { return thread_; }
  const RegionSets& sets() const { return table_.sets; }
  // Calls visit(site) for each entry with calls.
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
  CallSite* polled_ = nullptr;  // the last one of those that have polled
};

// Whether calls are told apart.  Set before the first of them.  OpenMP
// constructs are then told apart as well; they may also be alone, for the
// longest path.
void want_call_sites();
bool call_sites_wanted();
void want_construct_sites();
bool construct_sites_wanted();

// The tables of all threads.  They live as long as the process.
CallSites& new_call_sites(Thread& thread);
// Calls visit(sites) for each of them.
void for_each_call_sites(void (*visit)(CallSites& sites, void* data),
                         void* data);

}  // namespace poprt

#endif  // POPRT_MEASURE_CALL_SITES_H_
