#include "measure/path_follower.h"

#include <algorithm>

#include "base/bounded.h"
#include "measure/process.h"

namespace poprt {

PathFollower::PathFollower(const Process& process, const ThreadClocks& clocks)
    : path_(process.path_choice().composition(), process.left_out()),
      process_(process),
      clocks_(clocks) {}

uint64_t PathFollower::key_at(int slot) const {
  return slot < 0 ? kGlobalKey : process_.region(slot).key();
}

// At the last event.
int64_t PathFollower::all_ns() const {
  const RegionRecord* const r =
      global_ < 0 ? nullptr : clocks_.records().find(global_);
  return r == nullptr
             ? 0
             : r->clock[kGlobalAll].get() + r->base(clocks_.own()).ns[kAll];
}

int64_t PathFollower::inside_since_event(int slot, int64_t now_ns) const {
  if (slot < 0) return 0;
  return clocks_.inside_ns(slot, process_.region(slot).elapsed(), now_ns);
}

void PathFollower::follow(int64_t now_ns, bool changed) {
  const Sequence::Change change(path_.sequence());
  const State state = clocks_.timeline().state();
  int64_t inside_ns = is_global_open_ ? now_ns - clocks_.timeline().since() : 0;
  int64_t weightless_ns[PathNote::kMostWithout] = {};
  bool fresh = false;
  if (changed) {
    const int global = process_.find_slot(kGlobalKey);
    fresh = global != global_;
    if (fresh) path_.restart();
    global_ = global;
    inside_ns = inside_since_event(global, now_ns);
    is_global_open_ = global >= 0 && process_.region(global).elapsed().open;
  }
  // What has come in other ways, without a note.
  if (!fresh && global_ >= 0) {
    const int64_t more_ns = all_ns() - path_.note().all_ns;
    constexpr int64_t kNothing[PathNote::kMostWithout] = {};
    path_.pass(more_ns, kNothing, true);
    path_.add(kPathOthers, PathPart::kAnyRank, more_ns);
  }
  for (int i = 0; i < process_.left_out(); ++i) {
    const int slot = changed ? process_.find_slot(process_.keys_left_out()[i])
                             : left_out_[i];
    left_out_[i] = slot;
    if (state == State::kUseful && slot >= 0 && inside_ns > 0) {
      weightless_ns[i] =
          bounded<int64_t>(inside_since_event(slot, now_ns), 0, inside_ns);
    }
  }
  path_.pass(inside_ns, weightless_ns, may_wait(state));
  if (process_.path_regions() != nullptr && changed) {
    return follow_changes(now_ns, inside_ns, fresh);
  }
  add(key_at(innermost_), inside_ns);
}

// Time in the present state. `useful`: what it is if it is useful.
void PathFollower::add(uint64_t useful, int64_t ns) {
  const State state = clocks_.timeline().state();
  if (may_wait(state)) return path_.add_openmp(process_.rank(), ns);
  path_.add(state == State::kUseful ? useful : path_key(state), process_.rank(),
            ns);
}

// The innermost regions may have changed any number of times since the last
// event, all in one state of the thread.
void PathFollower::follow_changes(int64_t now_ns, int64_t inside_ns,
                                  bool fresh) {
  const PathRegions& regions = *process_.path_regions();
  const int count = process_.region_count();
  words_.resize(static_cast<size_t>(count));
  const Timeline& timeline = clocks_.timeline();
  int64_t rest_ns = inside_ns;
  for (int slot = 0; slot < count; ++slot) {
    int64_t& known = words_[static_cast<size_t>(slot)];
    const int64_t word = regions.word(slot);
    if (word == known && !Elapsed::of(word).open) continue;
    const int64_t part_ns =
        Elapsed::of(word).at(now_ns) - Elapsed::of(known).at(timeline.since());
    known = word;
    const uint64_t key = key_at(slot);
    if (timeline.state() != State::kUseful || key == 0) continue;
    // Measurement has begun anew, perhaps inside of a region.
    const int64_t ns = fresh ? std::min(part_ns, rest_ns) : part_ns;
    path_.add(key, process_.rank(), ns);
    rest_ns -= ns;
  }
  innermost_ = regions.innermost();
  add(kGlobalKey, rest_ns);
}

void PathFollower::read_inside(int64_t now_ns, Reading* now) const {
  now->inside_ns = inside_since_event(process_.find_slot(kGlobalKey), now_ns);
  for (int i = 0; i < process_.left_out(); ++i) {
    const int slot = process_.find_slot(process_.keys_left_out()[i]);
    now->weightless_ns[i] = inside_since_event(slot, now_ns);
  }
}

PathNote PathFollower::unknown(const Reading& now) const {
  PathNote unknown;
  unknown.all_ns = now.all_ns;
  std::copy_n(now.path.note().without_ns, process_.left_out(),
              unknown.without_ns);
  if (process_.path_choice().composition()) {
    unknown.add(kPathOthers, PathPart::kAnyRank, now.all_ns);
  }
  return unknown;
}

PathNote PathFollower::note_of(const Reading& now,
                               bool waits_for_nobody) const {
  if (may_wait(now.state) && waits_for_nobody) {
    return now.path.before_wait(process_.rank());
  }
  PathNote note = now.path.note();
  const int64_t ns = now.all_ns - note.all_ns;
  const int64_t inside_ns = std::min(now.inside_ns, ns);
  note.all_ns = now.all_ns;
  for (int i = 0; i < process_.left_out(); ++i) {
    note.without_ns[i] += ns;
    if (now.state == State::kUseful) {
      note.without_ns[i] += -now.weightless_ns[i];
    }
  }
  if (!process_.path_choice().composition()) return note;
  const int innermost = process_.path_regions() == nullptr
                            ? PathRegions::kNone
                            : process_.path_regions()->innermost();
  const uint64_t what = now.state == State::kUseful ? key_at(innermost)
                        : may_wait(now.state)       ? now.path.construct()
                                                    : path_key(now.state);
  note.add(what, process_.rank(), inside_ns);
  note.add(kPathOthers, PathPart::kAnyRank, ns - inside_ns);
  return note;
}

void PathFollower::merge(const ClockMessage& message, int64_t time_ns,
                         const PathMoment* then) {
  PathNote note;
  read_from(message, process_.keys_left_out(), process_.left_out(), &note);
  if (note.all_ns == 0) return;
  if (then == nullptr) {
    path_.merge_call(note, time_ns, process_.rank());
  } else {
    path_.merge_late(note, *then, time_ns, process_.rank());
  }
}

}  // namespace poprt
