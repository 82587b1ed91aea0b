#include "measure/com_time.h"

#include <algorithm>
#include <utility>

#include "base/bounded.h"

namespace poprt {
namespace {

// What counts of a stretch in this state, as far as it is known before its end.
int64_t tail_of(int kind, State state, bool in_parallel, bool in_team) {
  const Weight weight = weight_of(kind, state);
  const bool counts = weight == Weight::kNotWaiting ? in_team && !in_parallel
                      : weight == Weight::kInTeam
                          ? in_team
                          : counts_in(kind, state, in_parallel);
  return counts ? ComTail::kAll : 0;
}

}  // namespace

ComTail ComTime::tail(const Timeline& timeline) const {
  const State state = timeline.state();
  const bool in_parallel = timeline.in_parallel();
  return {tail_of(kCom, state, in_parallel, !in_no_team()),
          tail_of(kComp, state, in_parallel, !in_no_team())};
}

ComTime::End ComTime::end(const Timeline& timeline, const ComStart* start,
                          bool had_team, int64_t now_ns) {
  const Wait wait = std::exchange(wait_, {});
  merge_tail_ns_ = 0;
  // An event of before `start` may be told only now (ElsewhereEnd).
  if (start == nullptr || (!kept() && now_ns < start->ns)) return {{0, 0}};
  ComTail tail;
  if (!may_wait(timeline.state())) {
    tail = this->tail(timeline);
  } else if (wait.in_no_team) {
    const bool known = wait.came_ns != SyncClock::kNever;
    had_team &= known && wait.came_ns <= start->ns;
    merge_tail_ns_ = known ? std::max<int64_t>(0, now_ns - wait.came_ns) : 0;
    tail = {merge_tail_ns_, merge_tail_ns_};
  } else if (in_no_team()) {
    had_team = false;
    tail = {0, 0};
  } else if (wait.came_ns != SyncClock::kNever) {
    merge_tail_ns_ = now_ns - bounded(wait.came_ns, timeline.since(), now_ns);
    tail.com_ns = merge_tail_ns_;
  }
  // A worker may also begin after `start`, in a team that began before.
  const bool takes_over = !kept() || (wait.in_no_team && had_team);
  // What was before `start` is in the process's clocks.
  return {takes_over ? tail.after(*start, now_ns) : tail, had_team, takes_over};
}

void ComTime::count(const Timeline& timeline, int64_t now_ns,
                    const ComTail& tail) {
  if (!kept()) return;
  const int64_t ns = now_ns - timeline.since();
  const bool in_parallel = timeline.in_parallel();
  if (counts_in(kCom, timeline.state(), in_parallel)) {
    not_com_.add(ns - std::min(ns, tail.com_ns));
  }
  if (counts_in(kComp, timeline.state(), in_parallel)) {
    not_comp_.add(ns - std::min(ns, tail.comp_ns));
  }
}

}  // namespace poprt
