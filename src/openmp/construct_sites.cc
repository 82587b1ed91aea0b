#include "openmp/construct_sites.h"

#include <algorithm>
#include <utility>

#include "base/bounded.h"
#include "base/memory.h"
#include "code_places/code_address.h"
#include "measure/epochs.h"
#include "measure/process.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

// How the longest path calls a construct at a place.
uint64_t path_key_of(const ConstructSite& site) {
  uint64_t key = 0;
  for (int kind = 0; site.name != nullptr && kind < kSiteKinds; ++kind) {
    const SiteKind its = static_cast<SiteKind>(kind);
    if (name_of(its) != site.name) continue;
    attempt_with_memory([&] {
      const CodeAddress code = code_address(site.code);
      key = construct_key(its, code.module, code.offset);
    });
  }
  return key == 0 ? kPathOpenMp : key;
}

}  // namespace

// Books a part of the thread's OpenMP time.  What a region was opened or closed
// in counts outside of all regions from then on.
void ConstructSites::spend(Frame* frame, int64_t ns, bool same_regions) {
  if (frame->site == nullptr || ns <= 0) return;
  if (!same_regions) frame->site = away(*frame->site);
  frame->site->time_ns += ns;
  frame->spent_ns += ns;
}

void ConstructSites::settle() {
  const int64_t omp_ns = this->omp_ns();
  const int64_t spent_ns = omp_ns - std::exchange(settled_ns_, omp_ns);
  const bool knows = table_.sets.know_regions();
  if (ConstructSite* const passing = std::exchange(passing_, nullptr)) {
    (knows ? passing : away(*passing))->time_ns += spent_ns;
    tell_path();
  } else if (Frame* const frame = top()) {
    spend(frame, spent_ns, knows && frame->epoch == table_.sets.known_epoch());
  }
  if (!knows) [[unlikely]]
    table_.sets.learn();
}

// A wait that began with the frame has ended at `left_ns`: until the last one
// came it has waited for that one.
void ConstructSites::finish(const Frame& frame, int64_t left_ns,
                            const LastOne::Value& last) {
  if (frame.site == nullptr || last.ns <= frame.began_ns) return;
  const int64_t behind_ns = std::max<int64_t>(0, left_ns - last.ns);
  const int64_t waited_ns = frame.spent_ns - behind_ns;
  if (waited_ns <= 0) return;
  frame.site->waiting_ns += waited_ns;
  if (last.who >= 0 && last.who != number_) {
    frame.site->late.add(last.who, waited_ns);
  }
}

void ConstructSites::push(Role role, SiteKind kind, ConstructSite* site) {
  if (depth_ == kMostFrames) {
    ++deeper_;
    return;
  }
  frames_[depth_++] = {
      site,   thread_.last_event_ns(), 0, table_.sets.known_epoch(), role, kind,
      number_};
  tell_path();
}

// The innermost frame of that kind in the body that the thread is in, or -1.
int ConstructSites::find_frame(Role role, SiteKind kind) const {
  for (int i = depth_ - 1; i >= 0; --i) {
    const Frame& frame = frames_[i];
    if (frame.role == role && (role != Role::kWait || frame.kind == kind)) {
      return i;
    }
    if (frame.role == Role::kBody) return -1;
  }
  return -1;
}

// Leaves the frames from this one on.  A runtime does not tell of each end.
void ConstructSites::pop_to(int depth) {
  deeper_ = 0;
  depth_ = depth;
  tell_path();
}

// On the longest path the thread's OpenMP time until the next call belongs to
// the construct that it is in now.  At that event it is booked before this
// object hears of it.
void ConstructSites::tell_path() {
  ThreadPath* const path = thread_.path();
  if (path == nullptr || !thread_.process().path_choice().constructs) [[likely]]
    return;
  ConstructSite* site = passing_;
  if (site == nullptr && depth_ > 0) site = frames_[depth_ - 1].site;
  if (site != nullptr && site->path_key == 0) {
    site->path_key = path_key_of(*site);
  }
  path->set_construct(site == nullptr ? kPathOpenMp : site->path_key);
}

// Whether what ends has no frame.
bool ConstructSites::leave_deeper() {
  if (deeper_ == 0) return false;
  --deeper_;
  return true;
}

void ConstructSites::parallel_begin(const void* code) {
  settle();
  push(Role::kFork, SiteKind::kParallel, find(SiteKind::kParallel, code));
}

void ConstructSites::primary_begin() {
  settle();
  worked_ = nullptr;
  const int fork = find_frame(Role::kFork, SiteKind::kParallel);
  if (fork < 0) {
    push(Role::kBody, SiteKind::kParallel, nullptr);
  } else {
    pop_to(fork + 1);
    ++frames_[fork].site->visits;
    frames_[fork].role = Role::kBody;
    frames_[fork].site = nullptr;
    tell_path();
  }
  number_ = 0;
}

// Since the thread has left its last region there was no event: until that
// region ended it was in the barrier there, then in no region, and since the
// new region began it was not started.
void ConstructSites::worker_begin(const Team& team, int32_t number) {
  const int64_t now_ns = thread_.last_event_ns();
  const int64_t omp_ns = this->omp_ns();
  const int64_t open_ns = omp_ns - settled_ns_;
  const int64_t joined_ns = joined_ns_.load(std::memory_order_relaxed);
  const int join = find_frame(Role::kJoin, SiteKind::kParallelEnd);
  int64_t joining_ns = 0;
  if (join >= 0 && joined_ns >= 0) {
    Frame& frame = frames_[join];
    joining_ns = bounded<int64_t>(joined_ns - (now_ns - open_ns), 0, open_ns);
    spend(&frame, joining_ns,
          joined_epoch_.load(std::memory_order_relaxed) == frame.epoch);
    finish(frame, joined_ns, joined_last_.get());
  }
  settled_ns_ = omp_ns;
  passing_ = worked_ = nullptr;
  pop_to(0);
  table_.sets.learn();
  ConstructSite* const site =
      find(SiteKind::kParallel, team.sited.code.load(std::memory_order_relaxed),
           program_epoch(team.begin_epoch) == table_.sets.known_epoch());
  ++site->visits;
  site->time_ns +=
      bounded<int64_t>(now_ns - team.begin_ns, 0, open_ns - joining_ns);
  number_ = number;
}

void ConstructSites::join_begin(Team* team, LastOne* last, bool primary) {
  settle();
  worked_ = nullptr;
  for (int i = depth_ - 1; i >= 0 && frames_[i].role != Role::kBody; --i) {
    pop_to(i);
  }
  ConstructSite* const site = find(
      SiteKind::kParallelEnd, team->sited.code.load(std::memory_order_relaxed));
  ++site->visits;
  push(Role::kJoin, SiteKind::kParallelEnd, site);
  if (last != nullptr) last->raise(thread_.last_event_ns(), number_);
  if (primary) return;
  joined_ns_.store(-1, std::memory_order_relaxed);
  next_joining_ = team->sited.joining.load(std::memory_order_relaxed);
  while (!team->sited.joining.compare_exchange_weak(
      next_joining_, this, std::memory_order_release,
      std::memory_order_relaxed)) {
  }
}

void ConstructSites::parallel_end(ConstructSites* joining,
                                  const LastOne::Value& last) {
  settle();
  const int64_t now_ns = thread_.last_event_ns();
  const int join = find_frame(Role::kJoin, SiteKind::kParallelEnd);
  if (join >= 0) {
    finish(frames_[join], now_ns, last);
    pop_to(join);
  }
  if (top() != nullptr && top()->role == Role::kBody) {
    number_ = top()->number;
    pop_to(depth_ - 1);
  }
  while (joining != nullptr) {
    ConstructSites& worker = *joining;
    joining = worker.next_joining_;
    if (last.ns >= 0) worker.joined_last_.raise(last.ns, last.who);
    worker.joined_epoch_.store(table_.sets.known_epoch(),
                               std::memory_order_relaxed);
    worker.joined_ns_.store(now_ns, std::memory_order_relaxed);
  }
}

void ConstructSites::leave_work() {
  const int work = find_frame(Role::kWork, SiteKind::kLoop);
  if (work < 0 || work != depth_ - 1) return;
  worked_ = frames_[work].site;
  pop_to(work);
}

void ConstructSites::barrier_begin(SiteKind kind, const void* code,
                                   bool implicit, LastOne* last) {
  settle();
  leave_work();
  ConstructSite* site = implicit ? worked_ : nullptr;
  worked_ = nullptr;
  if (site == nullptr || site->regions != table_.sets.open()) {
    site = find(kind, code);
    ++site->visits;
  }
  push(Role::kBarrier, kind, site);
  if (last != nullptr) last->raise(thread_.last_event_ns(), number_);
}

void ConstructSites::barrier_end(const LastOne::Value& last) {
  settle();
  if (leave_deeper()) return;
  const int barrier = find_frame(Role::kBarrier, SiteKind::kBarrier);
  if (barrier < 0) return;
  finish(frames_[barrier], thread_.last_event_ns(), last);
  pop_to(barrier);
}

void ConstructSites::work_begin(SiteKind kind, const void* code,
                                int64_t iterations) {
  settle();
  leave_work();  // of which the runtime has not told the end
  worked_ = nullptr;
  ConstructSite* const site = find(kind, code);
  ++site->visits;
  // Each thread hears how many there are, in all threads.
  if (number_ == 0) site->iterations += iterations;
  push(Role::kWork, kind, site);
}

void ConstructSites::work_end() {
  settle();
  if (leave_deeper()) return;
  const int work = find_frame(Role::kWork, SiteKind::kLoop);
  if (work < 0) return;
  worked_ = frames_[work].site;
  pop_to(work);
}

void ConstructSites::reduction_begin(const void* region) {
  const ConstructSite* around = worked_;
  if (around == nullptr && depth_ > 0) around = top()->site;
  wait_begin(SiteKind::kReduction, around == nullptr ? region : around->code);
}

void ConstructSites::wait_begin(SiteKind kind, const void* code,
                                int64_t iterations) {
  settle();
  ConstructSite* const site = find(kind, code);
  ++site->visits;
  site->iterations += iterations;
  push(Role::kWait, kind, site);
}

bool ConstructSites::wait_end(SiteKind kind, const LastOne::Value& last) {
  settle();
  if (leave_deeper()) return true;
  const int wait = find_frame(Role::kWait, kind);
  if (wait < 0) return false;
  finish(frames_[wait], thread_.last_event_ns(), last);
  pop_to(wait);
  return true;
}

void ConstructSites::pass(SiteKind kind, const void* code, int64_t visits) {
  // What is left of the one before is most of the time.
  if (passing_ == nullptr) passing_ = find(kind, code);
  settle();
  passing_ = find(kind, code);
  passing_->visits += visits;
  tell_path();
}

const void* several_places() {
  static constexpr char kSeveral = 0;
  return &kSeveral;
}

void ConstructSites::lock_is(uint64_t wait_id, const void* made_at) {
  ConstructSite* site = passing_;
  if (site == nullptr && deeper_ == 0 && depth_ > 0) site = top()->site;
  if (site == nullptr || wait_id == 0) return;
  const bool first = site->highest_lock == 0;
  if (first || site->made_at == nullptr) site->made_at = made_at;
  if (made_at != nullptr && site->made_at != made_at) {
    site->made_at = several_places();
  }
  site->lowest_lock = first ? wait_id : std::min(site->lowest_lock, wait_id);
  site->highest_lock = std::max(site->highest_lock, wait_id);
}

ConstructSite ConstructSites::pending(int64_t now_ns) const {
  ConstructSite rest;
  // The program may have called exit() while the thread works on.
  const int depth = __atomic_load_n(&depth_, __ATOMIC_RELAXED);
  if (depth == 0) return rest;
  Frame frame = frames_[depth - 1];
  if (frame.site == nullptr) return rest;
  rest = *frame.site;
  rest.visits = rest.iterations = rest.time_ns = rest.waiting_ns = 0;
  rest.late = {};
  int64_t until_ns = now_ns;
  bool same_regions =
      table_.sets.know_regions() && frame.epoch == table_.sets.known_epoch();
  LastOne::Value last;
  const int64_t joined_ns = joined_ns_.load(std::memory_order_relaxed);
  if (frame.role == Role::kJoin && joined_ns >= 0) {
    until_ns = std::min(now_ns, joined_ns);
    same_regions = joined_epoch_.load(std::memory_order_relaxed) == frame.epoch;
    last = joined_last_.get();
  }
  if (!same_regions) rest.regions = 0;
  const int64_t all_ns =
      omp_ns() +
      (thread_.state() == State::kOmp ? until_ns - thread_.last_event_ns() : 0);
  rest.time_ns = std::max<int64_t>(0, all_ns - settled_ns_);
  frame.spent_ns += rest.time_ns;
  if (last.ns > frame.began_ns) {
    rest.waiting_ns = std::max<int64_t>(
        0, frame.spent_ns - std::max<int64_t>(0, until_ns - last.ns));
    if (last.who >= 0 && last.who != number_) {
      rest.late.add(last.who, rest.waiting_ns);
    }
  }
  return rest;
}

void ConstructSites::forget() {
  table_.forget();
  settled_ns_ = omp_ns();
  passing_ = worked_ = nullptr;
  joined_ns_.store(-1, std::memory_order_relaxed);
  pop_to(0);
}

}  // namespace poprt
