// ConstructSites: the OpenMP time of one thread by construct, place in the
// program and open regions (POPRT_CALLS=on).
//
// Each function is called directly after the event of the same name (tasking.h,
// locks.h), which has booked the thread's time.  The OpenMP time since the last
// call belongs to the construct in which the thread was, so all of it is
// counted once.  Time in no construct, like a wait for the next parallel
// region, has no entry.  The runtime does not tell a worker when its region
// ends.  So the primary thread tells each worker in the join barrier when that
// was, and who came last.
//
// Nothing is allocated and there is no lock, see SiteTable.
#ifndef POPRT_OPENMP_CONSTRUCT_SITES_H_
#define POPRT_OPENMP_CONSTRUCT_SITES_H_

#include <atomic>
#include <cstdint>

#include "measure/call_sites.h"
#include "measure/site_table.h"
#include "model/construct_kind.h"
#include "openmp/last_one.h"

namespace poprt {

struct Team;

// What a thread did at one construct, with the same regions open.
struct ConstructSite : SiteKey {
  int64_t visits = 0;
  int64_t iterations = 0;
  int64_t time_ns = 0;
  int64_t waiting_ns = 0;
  LateRankCounters late;  // by OpenMP's thread number
  // The construct's key on the longest path; 0: not known yet.
  uint64_t path_key = 0;
  // For `critical` and locks: the smallest and the largest number that the
  // runtime gives these locks; 0: there was none.
  uint64_t lowest_lock = 0;
  uint64_t highest_lock = 0;
  // Where the program initialised these; several_places(); null: not known.
  const void* made_at = nullptr;
};
// Stands for several different places.
const void* several_places();

class ConstructSites {
 public:
  // A worker's OpenMP time until now was a wait for its first region, to which
  // it belongs.  That of another thread belongs to no construct.
  explicit ConstructSites(Thread& thread)
      : thread_(thread),
        table_(thread),
        settled_ns_(thread.kind() == ThreadKind::kWorker ? 0 : omp_ns()) {}

  // The thread begins a parallel region, and then its own part of the region.
  void parallel_begin(const void* code);
  void primary_begin();
  // A worker begins its part.  `number`: OpenMP's.
  void worker_begin(const Team& team, int32_t number);
  // The thread comes to the join barrier; `last`: of the barrier, or null
  // without a barrier.  parallel_end() also tells the workers in the list
  // `joining` of the team that the region has ended.
  void join_begin(Team* team, LastOne* last, bool primary);
  void parallel_end(ConstructSites* joining, const LastOne::Value& last);

  // `implicit`: the barrier may belong to the worksharing construct before it.
  void barrier_begin(SiteKind kind, const void* code, bool implicit,
                     LastOne* last);
  void barrier_end(const LastOne::Value& last);
  void work_begin(SiteKind kind, const void* code, int64_t iterations);
  void work_end();

  // The thread begins to combine a reduction.  The runtime tells no place for
  // it, so the construct or parallel region around it is taken.
  void reduction_begin(const void* region);

  // All other waits.  `last`: the thread that was waited for.
  void wait_begin(SiteKind kind, const void* code, int64_t iterations = 0);
  // False: no wait of this kind has begun.
  bool wait_end(SiteKind kind, const LastOne::Value& last);
  // A construct of which only one event is known, and which gets the time from
  // the event before until the event after it.
  void pass(SiteKind kind, const void* code, int64_t visits = 1);

  // The wait or pass that has begun is for this lock, which the program
  // initialised at `made_at` (null: not known).
  void lock_is(uint64_t wait_id, const void* made_at);

  // For other events: the time before them belongs to the present construct.
  void settle();
  // OpenMP's number of the thread.
  int32_t number() const { return number_; }

  // For the end of the run.
  const SiteTable<ConstructSite>& table() const { return table_; }
  // The time until `now_ns` that is not in the table yet, for one construct. No
  // name: there is none, or it belongs to no construct.
  ConstructSite pending(int64_t now_ns) const;
  void forget();

 private:
  enum class Role : uint8_t { kBody, kFork, kJoin, kBarrier, kWork, kWait };
  struct Frame {
    ConstructSite* site;  // null for the body of a parallel region
    int64_t began_ns;
    int64_t spent_ns;  // in OpenMP
    uint32_t epoch;    // of the process
    Role role;
    SiteKind kind;
    int32_t number;  // OpenMP's number of the thread outside of this body
  };
  // Deeper constructs count in the innermost one that has a frame.
  static constexpr int kMostFrames = 128;

  int64_t omp_ns() const { return thread_.time_in(State::kOmp); }
  ConstructSite* away(const ConstructSite& site) {
    return table_.find(site.name, site.code, 0);
  }
  ConstructSite* find(SiteKind kind, const void* code, bool here = true) {
    return table_.find(name_of(kind), code, here ? table_.sets.open() : 0);
  }
  void spend(Frame* frame, int64_t ns, bool same_regions);
  void finish(const Frame& frame, int64_t left_ns, const LastOne::Value& last);
  void push(Role role, SiteKind kind, ConstructSite* site);
  Frame* top() { return depth_ > 0 ? &frames_[depth_ - 1] : nullptr; }
  int find_frame(Role role, SiteKind kind) const;
  void pop_to(int depth);
  void tell_path();
  bool leave_deeper();
  void leave_work();

  Thread& thread_;
  SiteTable<ConstructSite> table_;
  int64_t settled_ns_;                // of omp_ns()
  ConstructSite* passing_ = nullptr;  // see pass()
  int32_t number_ = 0;
  int depth_ = 0;
  int deeper_ = 0;
  Frame frames_[kMostFrames];
  // The worksharing construct that has ended, until the next barrier.
  ConstructSite* worked_ = nullptr;

  // Written by the primary thread of the region that this worker has left: when
  // the region ended (-1: not yet), and who came last.
  std::atomic<int64_t> joined_ns_{-1};
  std::atomic<uint32_t> joined_epoch_{0};
  LastOne joined_last_;
  ConstructSites* next_joining_ = nullptr;
};

}  // namespace poprt

#endif  // POPRT_OPENMP_CONSTRUCT_SITES_H_
