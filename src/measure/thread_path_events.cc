// How a thread follows the longest path (POPRT_PATH): at each event, and where
// its clocks are given to others or taken from them.
#include <algorithm>
#include <optional>
#include <vector>

#include "measure/path_view.h"
#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {
namespace {

uint64_t key_at(const Process& process, int slot) {
  return slot < 0 ? kGlobalKey : process.region(slot).key();
}

}  // namespace

void Thread::begin_path() {
  path_ = std::make_unique<ThreadPath>(process_.path_choice().composition(),
                                       process_.left_out());
  path_view_ = std::make_unique<PathView>();
  accounts().obtain_further().at_each_event = true;
  choose_quiet_epoch();
}

// `ns` have passed in the present state until the event at `now_ns`. `changed`:
// regions have been opened or closed since the last event.
void Thread::follow_path(int64_t ns, int64_t now_ns, bool changed) {
  const Sequence::Change change(path_->sequence());
  PathView& view = *path_view_;
  const bool is_useful = state() == State::kUseful;
  int64_t inside_ns = view.is_global_open ? ns : 0;
  int64_t weightless_ns[PathNote::kMostWithout] = {};
  bool fresh = false;
  if (changed) {
    records_.need(process_.region_count());
    const int global = process_.find_slot(kGlobalKey);
    fresh = global != view.global;
    if (fresh) path_->restart();
    view.global = global;
    inside_ns = inside_since_event(global, now_ns);
    view.is_global_open = global >= 0 && process_.region(global).elapsed().open;
  }
  // What has come in other ways, without a note.
  if (!fresh && view.global >= 0) {
    const int64_t more_ns = all_ns() - path_->note().all_ns;
    constexpr int64_t kNothing[PathNote::kMostWithout] = {};
    path_->pass(more_ns, kNothing, true);
    path_->add(kPathOthers, PathPart::kAnyRank, more_ns);
  }
  for (int i = 0; i < process_.left_out(); ++i) {
    const int slot = changed ? process_.find_slot(process_.keys_left_out()[i])
                             : view.left_out[i];
    view.left_out[i] = slot;
    if (is_useful && slot >= 0 && inside_ns > 0) {
      weightless_ns[i] =
          std::clamp<int64_t>(inside_since_event(slot, now_ns), 0, inside_ns);
    }
  }
  path_->pass(inside_ns, weightless_ns, may_wait(state()));
  if (process_.path_regions() != nullptr && changed) {
    return follow_changes(now_ns, inside_ns, fresh);
  }
  add_to_path(key_at(process_, view.innermost), inside_ns);
}

// Time in the present state. `useful`: what it is if it is useful.
void Thread::add_to_path(uint64_t useful, int64_t ns) {
  const State state = this->state();
  if (may_wait(state)) return path_->add_openmp(process_.rank(), ns);
  path_->add(state == State::kUseful ? useful : path_key(state),
             process_.rank(), ns);
}

// The innermost regions may have changed any number of times since the last
// event, all in one state of the thread.
void Thread::follow_changes(int64_t now_ns, int64_t inside_ns, bool fresh) {
  PathView& view = *path_view_;
  const PathRegions& regions = *process_.path_regions();
  const int count = process_.region_count();
  view.words.resize(static_cast<size_t>(count));
  int64_t rest_ns = inside_ns;
  for (int slot = 0; slot < count; ++slot) {
    int64_t& known = view.words[static_cast<size_t>(slot)];
    const int64_t word = regions.word(slot);
    if (word == known && !Elapsed::of(word).open) continue;
    const int64_t part_ns =
        Elapsed::of(word).at(now_ns) - Elapsed::of(known).at(timeline_.since());
    known = word;
    const uint64_t key = key_at(process_, slot);
    if (state() != State::kUseful || key == 0) continue;
    // Measurement has begun anew, perhaps inside of a region.
    const int64_t ns = fresh ? std::min(part_ns, rest_ns) : part_ns;
    path_->add(key, process_.rank(), ns);
    rest_ns -= ns;
  }
  view.innermost = regions.innermost();
  add_to_path(kGlobalKey, rest_ns);
}

// Of the time since the last event.
int64_t Thread::inside_since_event(int slot, int64_t now_ns) const {
  const RegionRecord* const r = slot < 0 ? nullptr : records_.find(slot);
  if (slot < 0) return 0;
  Elapsed known;
  if (r != nullptr) {
    known = {r->is_open(), r->elapsed.get()};
  }
  return process_.region(slot).elapsed().at(now_ns) -
         known.at(timeline_.since());
}

// What the thread has at one moment.  If it is in an event, its clocks may be
// ahead of its path, or the other way round; what differs are others.
struct Thread::PathReading {
  ThreadPath path;
  State state;
  int64_t all_ns;     // at the time asked for
  int64_t inside_ns;  // of it, since the last event
  int64_t weightless_ns[PathNote::kMostWithout] = {};
};

PathNote Thread::path_at(int64_t now_ns) const {
  const int global = path_ == nullptr ? -1 : process_.find_slot(kGlobalKey);
  if (global < 0) return {};
  PathReading now{ThreadPath(false, 0), State::kOmp, 0, 0};
  const auto read = [&] {
    now.path = *path_;
    now.state = state();
    now.all_ns = region_at(global, now_ns).clocks.ns[kGlobalAll];
    now.inside_ns = inside_since_event(global, now_ns);
    for (int i = 0; i < process_.left_out(); ++i) {
      const int slot = process_.find_slot(process_.keys_left_out()[i]);
      now.weightless_ns[i] = inside_since_event(slot, now_ns);
    }
  };
  if (path_->sequence().read_settled(read)) return path_of(now);
  // It is in the middle of a change: only how long its path is, is known.
  read();
  PathNote unknown;
  unknown.all_ns = now.all_ns;
  std::copy_n(now.path.note().without_ns, process_.left_out(),
              unknown.without_ns);
  if (process_.path_choice().composition()) {
    unknown.add(kPathOthers, PathPart::kAnyRank, now.all_ns);
  }
  return unknown;
}

PathNote Thread::path_of(const PathReading& now) const {
  // At the end of the run workers wait for nothing.
  if (may_wait(now.state) && process_.primary() != this) {
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
  const uint64_t what = now.state == State::kUseful
                            ? key_at(process_, innermost)
                        : may_wait(now.state) ? now.path.construct()
                                              : path_key(now.state);
  note.add(what, process_.rank(), inside_ns);
  note.add(kPathOthers, PathPart::kAnyRank, ns - inside_ns);
  return note;
}

void Thread::merge_path(const ClockMessage& message, int64_t time_ns,
                        const PathMoment* then) {
  PathNote note;
  read_from(message, process_.keys_left_out(), process_.left_out(), &note);
  if (note.all_ns == 0) return;
  if (then == nullptr) {
    path_->merge_call(note, time_ns, process_.rank());
  } else {
    path_->merge_late(note, *then, time_ns, process_.rank());
  }
}

}  // namespace poprt
