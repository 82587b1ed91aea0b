// The parts into which reports split the time in a state: a line for each, in
// the order in which they are shown.  A state without a line is one part.
//
// The amounts of which the parts are made say themselves of which state they
// are (Quantity::part_of).
#ifndef POPRT_MODEL_STATE_PARTS_H_
#define POPRT_MODEL_STATE_PARTS_H_

#include <cstdint>
#include <optional>

#include "model/ratio.h"
#include "model/totals.h"
#include "states/states.h"

namespace poprt {

struct StatePart {
  State state;
  const char* key;  // of its bar, and of its colour
  const char* name;
  // The time, in ns summed over threads; NaN where the region does not tell
  // this part.
  double (*ns)(const RegionTotals&);
  // Bars leave it out where it would be 0 %.
  bool is_seldom = false;
  // It is time of the parts before it, from the last one without this mark on:
  // they have what it leaves.
  bool is_of_last = false;
  // The threads wait for one that is in this layer: it is its loss.
  std::optional<EventLayer> lost_by = std::nullopt;
  // In the list of threads: heading and what it means, and the time of one
  // thread, NaN if not known.  Without it the list does not have the part.
  const char* column = nullptr;
  const char* meaning = "";
  double (*of_thread)(const ThreadRow&) = nullptr;
};

// The core time that calls to accelerators cost: inside parallel regions that
// of the thread, outside that of all threads of the process.
double accelerator_lost_ns(const RegionTotals& region);

// Whether the parts of the time in MPI were measured.
bool tells_mpi_parts(const RegionTotals& region);

namespace state_parts {
double mpi_waiting(const RegionTotals& region);
double mpi_transfer(const RegionTotals& region);  // all that is not waiting
double mpi_unknown(const RegionTotals& region);
double mpi_whole(const RegionTotals& region);  // where parts are not known
double mpi_io(const RegionTotals& region);
double openmp_serial(const RegionTotals& region);
double openmp_idle_in_mpi(const RegionTotals& region);  // parts of it
double openmp_idle_in_accelerator(const RegionTotals& region);
double openmp_imbalance(const RegionTotals& region);
double openmp_serialised(const RegionTotals& region);
double openmp_for_mpi(const RegionTotals& region);
double openmp_for_accelerator(const RegionTotals& region);
double openmp_scheduling(const RegionTotals& region);
double openmp_not_started(const RegionTotals& region);
double accelerator_waiting(const RegionTotals& region);
double accelerator_copying(const RegionTotals& region);
double accelerator_launching(const RegionTotals& region);
double accelerator_whole(const RegionTotals& region);

template <int64_t ThreadRow::*kMember>
double of_thread(const ThreadRow& row) {
  return row.*kMember == ThreadRow::kNotKnown
             ? kUndefined
             : static_cast<double>(row.*kMember);
}
double outside_of_thread(const ThreadRow& row);
}  // namespace state_parts

inline constexpr StatePart kStateParts[] = {
    {State::kMpi, "mpi_waiting", "waiting in MPI", state_parts::mpi_waiting},
    {State::kMpi, "mpi_transfer", "transfer in MPI", state_parts::mpi_transfer},
    {State::kMpi, entry_of(State::kMpi).colour, entry_of(State::kMpi).name,
     state_parts::mpi_whole},
    // Calls whose partner's clock is not known, where they are more than 1 %.
    {.state = State::kMpi,
     .key = "mpi_unknown",
     .name = "unknown in MPI",
     .ns = state_parts::mpi_unknown,
     .is_seldom = true,
     .is_of_last = true},
    // A call of MPI-IO is transfer, or one of those.
    {.state = State::kMpi,
     .key = "mpi_io",
     .name = "MPI-IO",
     .ns = state_parts::mpi_io,
     .is_seldom = true,
     .is_of_last = true},
    // Outside parallel regions, where the primary thread alone works or is in
    // MPI; the others inside, by source.
    {.state = State::kOmp,
     .key = "openmp_serial",
     .name = "idle outside parallel regions",
     .ns = state_parts::openmp_serial,
     .column = "outside",
     .meaning = "waits outside parallel regions",
     .of_thread = state_parts::outside_of_thread},
    {.state = State::kOmp,
     .key = "openmp_idle_in_mpi",
     .name = "idle while rank is in MPI",
     .ns = state_parts::openmp_idle_in_mpi,
     .is_seldom = true,
     .is_of_last = true,
     .lost_by = EventLayer::kMpi},
    {.state = State::kOmp,
     .key = "openmp_idle_in_accelerator",
     .name = "idle while rank is in accelerator calls",
     .ns = state_parts::openmp_idle_in_accelerator,
     .is_seldom = true,
     .is_of_last = true,
     .lost_by = EventLayer::kDevices},
    {.state = State::kOmp,
     .key = "openmp_imbalance",
     .name = "OpenMP imbalance",
     .ns = state_parts::openmp_imbalance,
     .column = "imb.",
     .meaning = "imbalance: this and the rest are lost in parallel regions",
     .of_thread = state_parts::of_thread<&ThreadRow::openmp_imbalance_ns>},
    {.state = State::kOmp,
     .key = "openmp_serialised",
     .name = "OpenMP serialised",
     .ns = state_parts::openmp_serialised,
     .is_seldom = true,
     .column = "ser.",
     .meaning = "serialised",
     .of_thread = state_parts::of_thread<&ThreadRow::openmp_serialised_ns>},
    {.state = State::kOmp,
     .key = "openmp_mpi_inside",
     .name = "OpenMP for MPI inside",
     .ns = state_parts::openmp_for_mpi,
     .is_seldom = true,
     .lost_by = EventLayer::kMpi,
     .column = "for MPI",
     .meaning = "waits for other threads' MPI",
     .of_thread = state_parts::of_thread<&ThreadRow::openmp_mpi_inside_ns>},
    {.state = State::kOmp,
     .key = "openmp_accelerator_inside",
     .name = "OpenMP for accelerators inside",
     .ns = state_parts::openmp_for_accelerator,
     .is_seldom = true,
     .lost_by = EventLayer::kDevices,
     .column = "for acc.",
     .meaning = "waits for other threads' calls to accelerators",
     .of_thread =
         state_parts::of_thread<&ThreadRow::openmp_accelerator_inside_ns>},
    {.state = State::kOmp,
     .key = "openmp_scheduling",
     .name = "OpenMP scheduling",
     .ns = state_parts::openmp_scheduling,
     .column = "sched.",
     .meaning = "scheduling",
     .of_thread = state_parts::of_thread<&ThreadRow::openmp_scheduling_ns>},
    {.state = State::kOmp,
     .key = "openmp_not_started",
     .name = "OpenMP not started",
     .ns = state_parts::openmp_not_started,
     .is_seldom = true,
     .column = "late",
     .meaning = "not started",
     .of_thread = state_parts::of_thread<&ThreadRow::openmp_not_started_ns>},
    {State::kAccelerator, "accelerator_waiting", "waiting for device",
     state_parts::accelerator_waiting},
    {State::kAccelerator, "accelerator_copying", "blocking copies",
     state_parts::accelerator_copying},
    {State::kAccelerator, "accelerator_launching", "launching",
     state_parts::accelerator_launching},
    {State::kAccelerator, entry_of(State::kAccelerator).colour,
     "accelerator calls", state_parts::accelerator_whole},
};

// Whether the list of threads has parts in place of the state.
constexpr bool has_parts_of_threads(State state) {
  for (const StatePart& part : kStateParts) {
    if (part.state == state && part.of_thread != nullptr) return true;
  }
  return false;
}

}  // namespace poprt

#endif  // POPRT_MODEL_STATE_PARTS_H_
