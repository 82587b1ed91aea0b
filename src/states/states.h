// The states of a thread, and the layers that put it into them: a line for
// each.  What is told of a state elsewhere follows from its line: enumerator,
// members of totals, weight in the clocks, keys in files, columns, colours.
//
// A thread is in one state at each time, so the times in all states add up to
// the elapsed time.  A state that no layer ever books is 0 everywhere.
//
// The lists are macros because enumerators and members are made from them:
// POPRT_STATES(X) is X(...) for each state.  All else reads the tables.
#ifndef POPRT_STATES_STATES_H_
#define POPRT_STATES_STATES_H_

#include <array>
#include <cstdint>

namespace poprt {

// How the time in a state counts in a clock.
enum class Weight : uint8_t {
  kNever,
  kAlways,
  kInside,      // inside parallel regions only
  kInTeam,      // while the thread is in a team
  kNotWaiting,  // always, less the time in which it waits for another one
};

// clang-format off

// Enumerator, key, name; of a program without the layer: what is said of it,
// and whether lists have columns of its states nevertheless.
#define POPRT_LAYERS(X) \
  X(kMpi, mpi, "MPI", "ran without MPI", true) \
  X(kOpenMp, openmp, "OpenMP", "ran without OpenMP", true) \
  X(kDevices, devices, "accelerators", "used no accelerator that was measured", false) \
  /* the last line */

// Enumerator; key: of members, in run files and CSV; name; layer; key of its
// colour, which is that in figures, too; the minor version of the run file that
// has it first (docs/file_format.md); weights in the clocks (docs/edges.md):
//   CUE, COM, COMP, COO, COOW, ALL.
// COM and COMP of a process follow the state of its primary thread, until they
// are kept for each thread.  Into which parts reports split the time in a
// state: model/state_parts.h.
// A thread is in the state accelerator while it is in a call to a device; in
// MPI inside of such a call it is in MPI.
#define POPRT_STATES(X) \
  X(kUseful, useful, "useful", kProgram, "useful", 0, kAlways, kAlways, kAlways, kAlways, kAlways, kAlways) \
  X(kMpi, mpi, "MPI", kMpi, "mpi", 0, kNever, kNever, kInside, kAlways, kNotWaiting, kAlways) \
  X(kOmp, omp, "OpenMP", kOpenMp, "openmp", 0, kNever, kNotWaiting, kInTeam, kNever, kNever, kAlways) \
  X(kAccelerator, accelerator, "accelerator", kDevices, "accelerator", 1, kNever, kAlways, kAlways, kAlways, kAlways, kAlways) \
  /* the last line */

// clang-format on

#define POPRT_ENUMERATOR(enumerator, ...) enumerator,
enum class EventLayer : uint8_t {
  POPRT_LAYERS(POPRT_ENUMERATOR) kProgram  // no layer: the program's own code
};
enum class State : uint8_t { POPRT_STATES(POPRT_ENUMERATOR) };
#undef POPRT_ENUMERATOR

struct LayerEntry {
  const char* key;
  const char* name;
  const char* without;
  bool has_columns;
};

struct StateEntry {
  const char* key;
  const char* name;
  EventLayer layer;
  const char* colour;
  unsigned since;
  struct Weights {
    Weight cue;
    Weight com;
    Weight comp;
    Weight coo;
    Weight coow;
    Weight all;
  } weights;
};

#define POPRT_ENTRY(enumerator, key, ...) LayerEntry{#key, __VA_ARGS__},
inline constexpr std::array kLayerTable = {POPRT_LAYERS(POPRT_ENTRY)};
#undef POPRT_ENTRY

#define POPRT_ENTRY(enumerator, key, name, layer, colour, since, ...) \
  StateEntry{#key, name, EventLayer::layer, colour, since, {__VA_ARGS__}},
inline constexpr std::array kStateTable = [] {
  using enum Weight;
  return std::array{POPRT_STATES(POPRT_ENTRY)};
}();
#undef POPRT_ENTRY

#define POPRT_ENTRY(enumerator, ...) State::enumerator,
inline constexpr std::array kAllStates = {POPRT_STATES(POPRT_ENTRY)};
#undef POPRT_ENTRY
#define POPRT_ENTRY(enumerator, ...) EventLayer::enumerator,
inline constexpr std::array kAllLayers = {POPRT_LAYERS(POPRT_ENTRY)};
#undef POPRT_ENTRY

inline constexpr int kLayers = kLayerTable.size();
inline constexpr int kStates = kStateTable.size();

constexpr const LayerEntry& entry_of(EventLayer layer) {
  return kLayerTable[static_cast<size_t>(layer)];
}
constexpr const StateEntry& entry_of(State state) {
  return kStateTable[static_cast<size_t>(state)];
}
// The state of a core while no thread is at work on it.
inline constexpr State kIdle = State::kOmp;

// The first minor version of the run file that has a state of the layer.
constexpr unsigned since_of(EventLayer layer) {
  unsigned first = static_cast<unsigned>(-1);
  for (const StateEntry& state : kStateTable) {
    if (state.layer == layer && state.since < first) first = state.since;
  }
  return first;
}
// The last one that has added a state.
constexpr unsigned last_since() {
  unsigned last = 0;
  for (const StateEntry& state : kStateTable) {
    if (state.since > last) last = state.since;
  }
  return last;
}
// The key of the colour of what is a layer's: that of its first state.
constexpr const char* colour_of(EventLayer layer) {
  for (const StateEntry& state : kStateTable) {
    if (state.layer == layer) return state.colour;
  }
  return "";
}
// Whether lists have a column of it also where it is 0.
constexpr bool has_column(State state) {
  const EventLayer layer = entry_of(state).layer;
  return layer == EventLayer::kProgram || entry_of(layer).has_columns;
}

}  // namespace poprt

#endif  // POPRT_STATES_STATES_H_
