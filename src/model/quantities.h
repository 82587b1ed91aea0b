// Quantities: what is measured per thread and region besides the times and
// clocks that every report has. A measuring module declares its own in
// kQuantities; its place in the totals, the reduction over processes, the run
// file, the schema and CSV follow from that.
#ifndef POPRT_MODEL_QUANTITIES_H_
#define POPRT_MODEL_QUANTITIES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/totals.h"
#include "states/states.h"

namespace poprt {

struct Quantity {
  // In the totals of a region, with its unit at the end. "_sum" is a sum over
  // threads and processes, "_max" the largest of one thread. In the row of one
  // process the name lacks "_sum".
  const char* name;
  const char* title;  // "MPI-IO"
  // The state of which it is a part, if it is (see also model/state_parts.h).
  std::optional<State> part_of;
  // Known only while the program runs, in no totals.
  bool internal = false;
  // The minor version of the run file that has it first, if that is not the one
  // of its state.
  unsigned since = 0;
};
constexpr unsigned since_of(const Quantity& quantity) {
  return quantity.part_of && quantity.since == 0
             ? entry_of(*quantity.part_of).since
             : quantity.since;
}

// Inside calls of MPI-IO. Waiting for an I/O request (MPI_Wait) is not in it.
inline constexpr Quantity kMpiIo = {"mpi_io_sum_ns", "MPI-IO", State::kMpi};

// What those calls were asked to read and write, in bytes, and their number.
inline constexpr Quantity kMpiIoRead = {"mpi_io_read_sum_bytes", "read",
                                        std::nullopt};
inline constexpr Quantity kMpiIoWritten = {"mpi_io_written_sum_bytes",
                                           "written", std::nullopt};
inline constexpr Quantity kMpiIoCalls = {"mpi_io_calls_sum", "calls",
                                         std::nullopt};

// Inside calls of POSIX I/O to files, in useful time; only if the user asks for
// it (JobTotals::has_posix_io). Bytes are those that were read and written.
inline constexpr Quantity kPosixIo = {"posix_io_sum_ns", "POSIX I/O",
                                      State::kUseful};
inline constexpr Quantity kPosixIoRead = {"posix_io_read_sum_bytes", "read",
                                          std::nullopt};
inline constexpr Quantity kPosixIoWritten = {"posix_io_written_sum_bytes",
                                             "written", std::nullopt};
inline constexpr Quantity kPosixIoCalls = {"posix_io_calls_sum", "calls",
                                           std::nullopt};

// The parts of the time in MPI, which they add up to: waiting for a partner
// that was late, transfer, and calls whose partner's clock is not known.
inline constexpr Quantity kMpiWaiting = {"mpi_waiting_sum_ns", "waiting",
                                         State::kMpi};
inline constexpr Quantity kMpiTransfer = {"mpi_transfer_sum_ns", "transfer",
                                          State::kMpi};
inline constexpr Quantity kMpiUnknown = {"mpi_unknown_sum_ns", "unknown",
                                         State::kMpi};

// The sources of what parallel regions lose (docs/metrics.md, `additive`); what
// is none of these is imbalance.  Those that are parts of OpenMP time have also
// what others wait for because of them.
inline constexpr Quantity kMpiInside = {"mpi_inside_sum_ns", "in parallel",
                                        State::kMpi};
// Waiting for a thread that has been in MPI there.
inline constexpr Quantity kOpenMpMpiInside = {
    "openmp_mpi_inside_sum_ns", "waiting for MPI inside", State::kOmp};
// Waiting for a lock, or in a critical or ordered region or for a dependence.
inline constexpr Quantity kOpenMpSerialised = {"openmp_serialised_sum_ns",
                                               "serialised", State::kOmp};
// In the OpenMP runtime, or all threads wait.
inline constexpr Quantity kOpenMpScheduling = {"openmp_scheduling_sum_ns",
                                               "scheduling", State::kOmp};
// Waiting for a thread that has been in calls to accelerators there.
inline constexpr Quantity kOpenMpAcceleratorInside = {
    "openmp_accelerator_inside_sum_ns", "waiting for accelerators inside",
    State::kOmp, false, 1};
// The threads of a team that begin later than its primary thread.
inline constexpr Quantity kOpenMpNotStarted = {"openmp_not_started_sum_ns",
                                               "not started", State::kOmp};

// Useful time in parallel regions that another thread than the primary one has
// begun, and of such a thread outside: the additive model has none.
inline constexpr Quantity kOpenMpOtherTeams = {
    "openmp_other_teams_sum_ns", "in other threads' parallel regions",
    State::kUseful};
// Whether that is more than a share of the core time that could not be seen in
// a report.  The additive model's process is the primary thread's line, so what
// is lost in OpenMP is not known.
bool works_off_the_line(const RegionTotals& region);

// The parts of the time in the state accelerator, which they add up to: until
// an operation of the device has ended, in copies that block meanwhile, and all
// else, as launching, allocating and compiling.  The last one is what is left.
inline constexpr Quantity kAcceleratorWaiting = {
    "accelerator_waiting_sum_ns", "waiting for device", State::kAccelerator};
inline constexpr Quantity kAcceleratorCopying = {
    "accelerator_copying_sum_ns", "blocking copies", State::kAccelerator};
inline constexpr Quantity kAcceleratorLaunching = {
    "accelerator_launching_sum_ns", "launching", State::kAccelerator};
// While a thread is inside a parallel region it books these two instead; in the
// totals they are in those above.
inline constexpr Quantity kAcceleratorWaitingInside = {
    "accelerator/waiting_inside", "", State::kAccelerator, true};
inline constexpr Quantity kAcceleratorCopyingInside = {
    "accelerator/copying_inside", "", State::kAccelerator, true};
// The part of the state inside parallel regions.
inline constexpr Quantity kAcceleratorInside = {
    "accelerator_inside_sum_ns", "in parallel", State::kAccelerator};
// The core time that these three cost: inside parallel regions that of the
// thread; of what the primary thread does outside, that of all threads of the
// process (docs/metrics.md, `additive`).
inline constexpr Quantity kLostWaiting = {"accelerator_waiting_lost_sum_ns",
                                          "lost waiting for device",
                                          std::nullopt, false, 1};
inline constexpr Quantity kLostCopying = {"accelerator_copying_lost_sum_ns",
                                          "lost in blocking copies",
                                          std::nullopt, false, 1};
inline constexpr Quantity kLostLaunching = {"accelerator_launching_lost_sum_ns",
                                            "lost launching", std::nullopt,
                                            false, 1};
// As RegionTotals::mpi_callers_outside_sum_ns and _max_ns, but also outside
// the state accelerator.
inline constexpr Quantity kCallersOutsideBoth = {"callers_outside_both_sum_ns",
                                                 "outside MPI and accelerator",
                                                 std::nullopt, false, 1};
inline constexpr Quantity kCallersOutsideBothMax = {
    "callers_outside_both_max_ns", "outside MPI and accelerator, largest",
    std::nullopt, false, 1};
// The mean over a process's threads, summed over processes.
inline constexpr Quantity kTalpAccelerator = {
    "talp_accelerator_ns", "accelerator, mean", std::nullopt, false, 1};

// Of what threads wait for in parallel regions, the part of each of these
// sources that one thread loses that is in no team (openmp/interval.h).
inline constexpr Quantity kLackingQuantities[] = {
    {"lacking/mpi", "", std::nullopt, true},
    {"lacking/serialised", "", std::nullopt, true},
    {"lacking/scheduling", "", std::nullopt, true},
    {"lacking/not_started", "", std::nullopt, true},
    {"lacking/accelerator", "", std::nullopt, true}};
// Waiting for others in a barrier interval that is not over.
inline constexpr Quantity kWaitingForOthers = {"waiting", "", std::nullopt,
                                               true};

// The totals of a process have each of these, 0 where nothing measured it.
inline constexpr const Quantity* kQuantities[] = {&kMpiIo,
                                                  &kMpiInside,
                                                  &kOpenMpMpiInside,
                                                  &kOpenMpSerialised,
                                                  &kOpenMpScheduling,
                                                  &kOpenMpNotStarted,
                                                  &kOpenMpAcceleratorInside,
                                                  &kOpenMpOtherTeams,
                                                  &kMpiIoRead,
                                                  &kMpiIoWritten,
                                                  &kMpiIoCalls,
                                                  &kPosixIo,
                                                  &kPosixIoRead,
                                                  &kPosixIoWritten,
                                                  &kPosixIoCalls,
                                                  &kMpiWaiting,
                                                  &kMpiTransfer,
                                                  &kMpiUnknown,
                                                  &kAcceleratorWaiting,
                                                  &kAcceleratorCopying,
                                                  &kAcceleratorLaunching,
                                                  &kAcceleratorInside,
                                                  &kLostWaiting,
                                                  &kLostCopying,
                                                  &kLostLaunching,
                                                  &kCallersOutsideBoth,
                                                  &kCallersOutsideBothMax,
                                                  &kTalpAccelerator};

// Of the process for which it is longest, in a region's totals only: how long
// the run would take if no process waited for another.  What a process does not
// wait for others in MPI, of its threads that which waits longest, is its
// occupied time.
struct ProcessMaximum {
  const char* name;
};
inline constexpr ProcessMaximum kOccupied = {"occupied_max_ns"};
// Of that what is not useful time of its busiest thread: it stays if processes
// share their work in another way.
inline constexpr ProcessMaximum kBesidesWork = {"besides_work_max_ns"};
// The occupied time if its threads had equal useful time.
inline constexpr ProcessMaximum kBalanced = {"balanced_max_ns"};
// The same if, besides, no thread waited for the work of another one.
inline constexpr ProcessMaximum kUnchained = {"unchained_max_ns"};
inline constexpr const ProcessMaximum* kProcessMaxima[] = {
    &kOccupied, &kBesidesWork, &kBalanced, &kUnchained};

// Counters that the user has chosen are quantities, too, whose names are known
// only at run time: in the totals "counter/PAPI_TOT_INS", sums over threads of
// what was counted in useful time.  "counter/useful_ns" is the useful time in
// which the counters ran.
inline constexpr std::string_view kCountedUseful = "useful_ns";
// Whether any counter ran.
bool has_counters(const std::vector<Amount>& amounts);
// The count; NaN where it was not counted.
double counted(const std::vector<Amount>& amounts, std::string_view counter);
// "counter/PAPI_TOT_INS" for "PAPI_TOT_INS".
std::string counter_amount(std::string_view counter);
// "PAPI_TOT_INS" for "counter/PAPI_TOT_INS"; empty for another quantity.
std::string_view counter_in(std::string_view name);
// Calls visit(counter, value) for each counter.
template <class Visit>
void for_each_counter(const std::vector<Amount>& amounts, Visit visit) {
  for (const Amount& amount : amounts) {
    const std::string_view counter = counter_in(amount.name);
    if (!counter.empty()) visit(counter, amount.value);
  }
}

// What a process takes of its host, read at the start and at the end; the
// difference, summed over processes, or the largest where the name says "max".
struct Resource {
  const char* name;  // with its unit at the end
};
// Time on a core, in the program's and in the kernel's code.
inline constexpr Resource kUserTime = {"cpu_user_sum_ns"};
inline constexpr Resource kSystemTime = {"cpu_system_sum_ns"};
// Time in which a thread that still lived at the end could have run, but had no
// core.
inline constexpr Resource kWaitedForCore = {"waited_for_core_sum_ns"};
// Times at which a thread gave its core away because it had to wait, and at
// which another thread took it.
inline constexpr Resource kVoluntarySwitches = {"voluntary_switches_sum"};
inline constexpr Resource kInvoluntarySwitches = {"involuntary_switches_sum"};
// The resident memory at the end.
inline constexpr Resource kMemorySum = {"memory_sum_bytes"};
inline constexpr Resource kMemoryMax = {"memory_max_bytes"};
// The largest resident memory.
inline constexpr Resource kPeakMemorySum = {"peak_memory_sum_bytes"};
inline constexpr Resource kPeakMemoryMax = {"peak_memory_max_bytes"};
// Processes with more threads than cores that they may use.
inline constexpr Resource kCrowdedProcesses = {"crowded_processes_sum"};
// Threads that neither OpenMP nor the program has told of: those that worked
// and still lived at the end, and the time on a core of all of them.
inline constexpr Resource kUnknownThreads = {"unknown_threads_sum"};
inline constexpr Resource kUnknownThreadsCpu = {"unknown_threads_cpu_sum_ns"};
// Time on a core of child processes that have ended and were waited for.
inline constexpr Resource kChildrenCpu = {"child_processes_cpu_sum_ns"};
// Memory of the process itself (no files) at the end: what the kernel has told
// where it is, and what would have to be on another NUMA node to be spread over
// them as the processors of the process's threads are. Only where a host has
// several NUMA nodes.
inline constexpr Resource kPlacedMemory = {"placed_memory_sum_bytes"};
inline constexpr Resource kMisplacedMemory = {"misplaced_memory_sum_bytes"};
// Threads of the program that were measured as cores, because the user asked
// for it (POPRT_THREADS=all); not there if nobody did.
inline constexpr Resource kProgramThreads = {"program_threads_sum"};
inline constexpr const Resource* kResources[] = {
    &kUserTime,          &kSystemTime,          &kWaitedForCore,
    &kVoluntarySwitches, &kInvoluntarySwitches, &kMemorySum,
    &kMemoryMax,         &kPeakMemorySum,       &kPeakMemoryMax,
    &kCrowdedProcesses,  &kUnknownThreads,      &kUnknownThreadsCpu,
    &kChildrenCpu,       &kPlacedMemory,        &kMisplacedMemory,
    &kProgramThreads};
// Whether the row of a process has it, as row_name().
bool is_of_one_process(const Resource& resource);

// "mpi_io_ns" for "mpi_io_sum_ns".
std::string row_name(std::string_view name);
// How two values of the quantity become one.
bool is_maximum(std::string_view name);

// Whether the totals have the quantity. Those of imported runs may not.
bool has_amount(const std::vector<Amount>& amounts, std::string_view name);
// The value of a quantity; NaN where it is not known.
double known_amount(const std::vector<Amount>& amounts, std::string_view name);
// The value of a quantity, or 0.
int64_t amount(const std::vector<Amount>& amounts, std::string_view name);
inline int64_t amount(const RegionTotals& region, const Quantity& quantity) {
  return amount(region.amounts, quantity.name);
}
// REQUIRES: `amounts` is sorted, and stays so.
void set_amount(std::string_view name, int64_t value,
                std::vector<Amount>* amounts);

}  // namespace poprt

#endif  // POPRT_MODEL_QUANTITIES_H_
