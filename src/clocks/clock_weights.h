// How a thread's times count in its clocks: states/states.h by kinds of clocks.
//
// Times are kept apart by state, and by whether the process is inside a
// parallel region from this thread's view.
#ifndef POPRT_CLOCKS_CLOCK_WEIGHTS_H_
#define POPRT_CLOCKS_CLOCK_WEIGHTS_H_

#include "clocks/clock_set.h"
#include "states/states.h"

namespace poprt {

inline constexpr int kTimes = 2 * kStates;
constexpr int time_index(bool in_parallel, State state) {
  return (in_parallel ? kStates : 0) + static_cast<int>(state);
}
constexpr bool in_parallel_of(int time_index) { return time_index >= kStates; }
constexpr State state_of(int time_index) {
  return static_cast<State>(time_index % kStates);
}

constexpr Weight weight_of(int kind, State state) {
  constexpr Weight StateEntry::Weights::*kWeights[kClockKinds] = {
      &StateEntry::Weights::cue, &StateEntry::Weights::coo,
      &StateEntry::Weights::all, &StateEntry::Weights::com,
      &StateEntry::Weights::comp};
  return entry_of(state).weights.*kWeights[kind];
}

// Whether time counts in a clock of this kind: of COM and COMP as far as its
// state tells.
constexpr bool counts_in(int kind, State state, bool in_parallel) {
  const Weight weight = weight_of(kind, state);
  return weight == Weight::kInside ? in_parallel : weight != Weight::kNever;
}

// The same where nothing else has to be known.
constexpr bool counts_for_certain(int kind, State state, bool in_parallel) {
  const Weight weight = weight_of(kind, state);
  return weight != Weight::kNotWaiting && weight != Weight::kInTeam &&
         counts_in(kind, state, in_parallel);
}

// Whether a thread waits for others of its process in this state.
constexpr bool may_wait(State state) {
  return weight_of(kCom, state) == Weight::kNotWaiting;
}

// Whether what a thread waits in this state weighs nothing in COOW.  COOW is
// kept as what a thread has of COO without such waits, of which whoever knows
// them tells it (Thread::merge_coow()).
constexpr bool waits_weigh_nothing(State state) {
  return entry_of(state).weights.coow == Weight::kNotWaiting;
}
constexpr bool coow_follows_coo() {
  for (const State state : kAllStates) {
    const StateEntry::Weights& weights = entry_of(state).weights;
    if (weights.coow != weights.coo &&
        !(waits_weigh_nothing(state) && weights.coo == Weight::kAlways)) {
      return false;
    }
  }
  return true;
}
static_assert(coow_follows_coo());

// How what a thread has itself of a clock follows from its times: it is the sum
// of those that count, or all time without those that do not, whichever are
// fewer.
struct OwnTotal {
  bool is_remainder;
  int count = 0;
  int times[kTimes] = {};
};
constexpr OwnTotal own_total(int kind) {
  int counted = 0;
  for (int i = 0; i < kTimes; ++i) {
    if (counts_in(kind, state_of(i), in_parallel_of(i))) ++counted;
  }
  OwnTotal own = {2 * counted > kTimes};
  for (int i = 0; i < kTimes; ++i) {
    if (counts_in(kind, state_of(i), in_parallel_of(i)) != own.is_remainder) {
      own.times[own.count++] = i;
    }
  }
  return own;
}

}  // namespace poprt

#endif  // POPRT_CLOCKS_CLOCK_WEIGHTS_H_
