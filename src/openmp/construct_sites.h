// ConstructSites: the OpenMP time of one thread by construct, place in the
// program and open regions, if the user asks for it (POPRT_CALLS).
//
// Each function is called right behind the event of the same name (tasking.h,
// locks.h), which has booked the thread's time.  The OpenMP time since the call
// before belongs to the construct that the thread was in meanwhile, so all of
// it is counted once.  What a thread does in no construct, like waiting outside
// of parallel regions for the next one, has no entry.  The runtime does not
// tell a worker when its region ends: the primary thread tells each worker in
// the join barrier when that was, and who came last.
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
  // What it is called on the longest path, see tell_path(); 0: not known yet.
  uint64_t path_key = 0;
  // Of critical sections and locks: the least and the largest of the numbers
  // that the runtime gives the locks; 0: there was none.
  uint64_t lowest_lock = 0;
  uint64_t highest_lock = 0;
  // Where they were initialised, see several_places(); null: it is not known.
  const void* made_at = nullptr;
};
// No place: the locks of a site were initialised at several ones.
const void* several_places();

class ConstructSites {
 public:
  // What a worker did before, it was waiting for its first region.  Another
  // thread may have been in OpenMP before measurement began.
  explicit ConstructSites(Thread& thread)
      : thread_(thread),
        table_(thread),
        settled_ns_(thread.kind() == ThreadKind::kWorker ? 0 : omp_ns()) {}

  // The thread has begun a parallel region; its part of it begins.
  void parallel_begin(const void* code);
  void primary_begin();
  // Of another thread; `number` is OpenMP's.
  void worker_begin(const Team& team, int32_t number);
  // The thread reaches the end of its part, where `last` came last (null: there
  // is no barrier).  Workers do not hear of the end of the region, so the
  // primary thread tells them: those in the list `joining` of the team.
  void join_begin(Team* team, LastOne* last, bool primary);
  void parallel_end(ConstructSites* joining, const LastOne::Value& last);

  // `implicit`: the barrier may be that of the construct that has ended before.
  void barrier_begin(SiteKind kind, const void* code, bool implicit,
                     LastOne* last);
  void barrier_end(const LastOne::Value& last);
  void work_begin(SiteKind kind, const void* code, int64_t iterations);
  void work_end();

  // The thread combines its part of a reduction with those of others, of which
  // the runtime does not tell the place: that of the construct around it, or of
  // the parallel region.
  void reduction_begin(const void* region);

  // All other waits.  `last`: what was waited for.
  void wait_begin(SiteKind kind, const void* code, int64_t iterations = 0);
  // Returns false if no wait for this has begun.
  bool wait_end(SiteKind kind, const LastOne::Value& last);
  // What has no begin or end of its own: the time since the last event, and
  // until the next one.
  void pass(SiteKind kind, const void* code, int64_t visits = 1);

  // The wait or pass that has begun is for this lock, which was initialised at
  // this place (null: not known).
  void lock_is(uint64_t wait_id, const void* made_at);

  // Other events: what was before them belongs to the present construct.
  void settle();
  // OpenMP's number of the thread.
  int32_t number() const { return number_; }

  // For the end of the run.
  const SiteTable<ConstructSite>& table() const { return table_; }
  // What is not in the table yet at `now_ns`.  Without name: nothing, or in no
  // entry.
  ConstructSite pending(int64_t now_ns) const;
  void forget();

 private:
  enum class Role : uint8_t { kBody, kFork, kJoin, kBarrier, kWork, kWait };
  struct Frame {
    ConstructSite* site;  // null for the body of a parallel region
    int64_t began_ns;
    int64_t spent_ns;  // in OpenMP
    uint32_t epoch;    // of the process's regions
    Role role;
    SiteKind kind;
    int32_t number;  // of the thread outside of this body
  };
  // What is deeper counts in the innermost one of these.
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

  // Written by the primary thread of the region that this thread has left.
  // When the region ended (-1: it has not), and who came last.
  std::atomic<int64_t> joined_ns_{-1};
  std::atomic<uint32_t> joined_epoch_{0};
  LastOne joined_last_;
  ConstructSites* next_joining_ = nullptr;
};

}  // namespace poprt

#endif  // POPRT_OPENMP_CONSTRUCT_SITES_H_
