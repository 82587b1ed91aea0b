// The lists of the members of RegionTotals, Quality, JobTotals and others:
// name, how two values combine, and where the member is. combine(), serialise()
// and the JSON writer use it, so that none of them can forget a member.
#ifndef POPRT_MODEL_MEMBERS_H_
#define POPRT_MODEL_MEMBERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/totals.h"

namespace poprt {

enum class Combine { kSum, kMax };

template <class Totals>
struct Member {
  const char* name;
  Combine how;
  int64_t Totals::*value;
};

// All integers of CallTotals except its offset.
inline constexpr Member<CallTotals> kCallMembers[] = {
    {"calls", Combine::kSum, &CallTotals::calls},
    {"collectives", Combine::kSum, &CallTotals::collectives},
    {"time_ns", Combine::kSum, &CallTotals::time_ns},
    {"waiting_ns", Combine::kSum, &CallTotals::waiting_ns},
    {"unknown_ns", Combine::kSum, &CallTotals::unknown_ns},
    {"sent_bytes", Combine::kSum, &CallTotals::sent_bytes},
    {"received_bytes", Combine::kSum, &CallTotals::received_bytes},
    {"comm_size", Combine::kMax, &CallTotals::comm_size},
};

// All integers of ConstructSiteTotals except its offset.
inline constexpr Member<ConstructSiteTotals> kConstructSiteMembers[] = {
    {"visits", Combine::kSum, &ConstructSiteTotals::visits},
    {"iterations", Combine::kSum, &ConstructSiteTotals::iterations},
    {"time_ns", Combine::kSum, &ConstructSiteTotals::time_ns},
    {"waiting_ns", Combine::kSum, &ConstructSiteTotals::waiting_ns},
};

// All integers of ConstructTotals except those that name the construct.
inline constexpr Member<ConstructTotals> kConstructMembers[] = {
    {"visits", Combine::kSum, &ConstructTotals::visits},
    {"useful_ns", Combine::kSum, &ConstructTotals::useful_ns},
    {"mpi_ns", Combine::kSum, &ConstructTotals::mpi_ns},
    {"time_ns", Combine::kSum, &ConstructTotals::time_ns},
    {"weighted_ns", Combine::kSum, &ConstructTotals::weighted_ns},
    {"scheduling_ns", Combine::kSum, &ConstructTotals::scheduling_ns},
    {"serialised_ns", Combine::kSum, &ConstructTotals::serialised_ns},
    {"not_started_ns", Combine::kSum, &ConstructTotals::not_started_ns},
    {"all_idle_ns", Combine::kSum, &ConstructTotals::all_idle_ns},
    {"mpi_inside_ns", Combine::kSum, &ConstructTotals::mpi_inside_ns},
    {"accelerator_ns", Combine::kSum, &ConstructTotals::accelerator_ns},
    {"accelerator_inside_ns", Combine::kSum,
     &ConstructTotals::accelerator_inside_ns},
};
// Of these, what a file has that knows the state accelerator.
inline bool is_of_accelerator(const Member<ConstructTotals>& member) {
  return member.value == &ConstructTotals::accelerator_ns ||
         member.value == &ConstructTotals::accelerator_inside_ns;
}

// All integers of RegionTotals except its key.
inline constexpr Member<RegionTotals> kRegionMembers[] = {
    {"processes", Combine::kSum, &RegionTotals::processes},
    {"threads", Combine::kSum, &RegionTotals::threads},
    {"visits", Combine::kSum, &RegionTotals::visits},
    {"visits_max", Combine::kMax, &RegionTotals::visits_max},
    {"elapsed_max_ns", Combine::kMax, &RegionTotals::elapsed_max_ns},
    {"elapsed_weighted_ns", Combine::kSum, &RegionTotals::elapsed_weighted_ns},
#define POPRT_MEMBER(enumerator, key, ...) \
  {#key "_sum_ns", Combine::kSum, &RegionTotals::key##_sum_ns},
    POPRT_STATES(POPRT_MEMBER)
#undef POPRT_MEMBER
        {"useful_max_ns", Combine::kMax, &RegionTotals::useful_max_ns},
    {"useful_max_weighted_ns", Combine::kSum,
     &RegionTotals::useful_max_weighted_ns},
    {"serial_sum_ns", Combine::kSum, &RegionTotals::serial_sum_ns},
    {"serial_weighted_ns", Combine::kSum, &RegionTotals::serial_weighted_ns},
    {"openmp_weighted_ns", Combine::kSum, &RegionTotals::openmp_weighted_ns},
    {"outside_mpi_max_ns", Combine::kMax, &RegionTotals::outside_mpi_max_ns},
    {"mpi_callers", Combine::kSum, &RegionTotals::mpi_callers},
    {"mpi_callers_outside_sum_ns", Combine::kSum,
     &RegionTotals::mpi_callers_outside_sum_ns},
    {"mpi_callers_outside_max_ns", Combine::kMax,
     &RegionTotals::mpi_callers_outside_max_ns},
    {"pl_cue_ns", Combine::kMax, &RegionTotals::pl_cue_ns},
    {"cue_ns", Combine::kMax, &RegionTotals::cue_ns},
    {"com_ns", Combine::kMax, &RegionTotals::com_ns},
    {"comp_ns", Combine::kMax, &RegionTotals::comp_ns},
    {"coo_ns", Combine::kMax, &RegionTotals::coo_ns},
    {"coow_ns", Combine::kMax, &RegionTotals::coow_ns},
    {"all_ns", Combine::kMax, &RegionTotals::all_ns},
    {"talp_useful_ns", Combine::kSum, &RegionTotals::talp_useful_ns},
    {"talp_mpi_ns", Combine::kSum, &RegionTotals::talp_mpi_ns},
    {"talp_omp_serial_ns", Combine::kSum, &RegionTotals::talp_omp_serial_ns},
    {"talp_omp_load_balance_ns", Combine::kSum,
     &RegionTotals::talp_omp_load_balance_ns},
    {"talp_omp_scheduling_ns", Combine::kSum,
     &RegionTotals::talp_omp_scheduling_ns},
    {"talp_mpi_worker_idle_ns", Combine::kSum,
     &RegionTotals::talp_mpi_worker_idle_ns},
    {"talp_not_mpi_max_ns", Combine::kMax, &RegionTotals::talp_not_mpi_max_ns},
    {"in_full_tables", Combine::kSum, &RegionTotals::in_full_tables},
};

// All integers of NodeShare except its host.
inline constexpr Member<NodeShare> kNodeMembers[] = {
    {"processes", Combine::kSum, &NodeShare::processes},
    {"not_mpi_sum_ns", Combine::kSum, &NodeShare::not_mpi_sum_ns},
    {"threads", Combine::kSum, &NodeShare::threads},
    {"useful_sum_ns", Combine::kSum, &NodeShare::useful_sum_ns},
    {"useful_max_weighted_ns", Combine::kSum,
     &NodeShare::useful_max_weighted_ns},
    {"outside_mpi_weighted_ns", Combine::kSum,
     &NodeShare::outside_mpi_weighted_ns},
    {"mpi_callers_outside_sum_ns", Combine::kSum,
     &NodeShare::mpi_callers_outside_sum_ns},
};

// All integers of FileSystem.
inline constexpr Member<FileSystem> kFileSystemMembers[] = {
    {"calls", Combine::kSum, &FileSystem::calls},
    {"read_bytes", Combine::kSum, &FileSystem::read_bytes},
    {"written_bytes", Combine::kSum, &FileSystem::written_bytes},
    {"time_ns", Combine::kSum, &FileSystem::time_ns},
};

// All integers of ProcessRow.
inline constexpr Member<ProcessRow> kRowMembers[] = {
    {"rank", Combine::kMax, &ProcessRow::rank},
    {"visits", Combine::kSum, &ProcessRow::visits},
    {"elapsed_ns", Combine::kMax, &ProcessRow::elapsed_ns},
#define POPRT_MEMBER(enumerator, key, ...) \
  {#key "_ns", Combine::kSum, &ProcessRow::key##_ns},
    POPRT_STATES(POPRT_MEMBER)
#undef POPRT_MEMBER
        {"useful_max_ns", Combine::kMax, &ProcessRow::useful_max_ns},
    {"serial_ns", Combine::kSum, &ProcessRow::serial_ns},
    {"outside_mpi_ns", Combine::kMax, &ProcessRow::outside_mpi_ns},
};

// The integers of ThreadRow.
inline constexpr Member<ThreadRow> kThreadRowMembers[] = {
    {"rank", Combine::kMax, &ThreadRow::rank},
    {"thread", Combine::kMax, &ThreadRow::thread},
#define POPRT_MEMBER(enumerator, key, ...) \
  {#key "_ns", Combine::kSum, &ThreadRow::key##_ns},
    POPRT_STATES(POPRT_MEMBER)
#undef POPRT_MEMBER
        {"mpi_inside_ns", Combine::kSum, &ThreadRow::mpi_inside_ns},
    {"omp_inside_ns", Combine::kSum, &ThreadRow::omp_inside_ns},
};
// Those of them that may be ThreadRow::kNotKnown.
inline constexpr Member<ThreadRow> kThreadSourceMembers[] = {
    {"openmp_imbalance_ns", Combine::kMax, &ThreadRow::openmp_imbalance_ns},
    {"openmp_mpi_inside_ns", Combine::kMax, &ThreadRow::openmp_mpi_inside_ns},
    {"openmp_serialised_ns", Combine::kMax, &ThreadRow::openmp_serialised_ns},
    {"openmp_scheduling_ns", Combine::kMax, &ThreadRow::openmp_scheduling_ns},
    {"openmp_not_started_ns", Combine::kMax, &ThreadRow::openmp_not_started_ns},
    {"openmp_accelerator_inside_ns", Combine::kMax,
     &ThreadRow::openmp_accelerator_inside_ns},
};

// The state whose time a member is, if it is one's.
template <class Totals, int64_t Totals::* (*kTimeOf)(State)>
constexpr std::optional<State> state_with(int64_t Totals::*member) {
  for (const State state : kAllStates) {
    if (kTimeOf(state) == member) return state;
  }
  return std::nullopt;
}
constexpr std::optional<State> state_of(const Member<RegionTotals>& member) {
  return state_with<RegionTotals, sum_of>(member.value);
}
constexpr std::optional<State> state_of(const Member<ProcessRow>& member) {
  return state_with<ProcessRow, process_time_of>(member.value);
}
constexpr std::optional<State> state_of(const Member<ThreadRow>& member) {
  return state_with<ThreadRow, thread_time_of>(member.value);
}

// All integers of Quality.
inline constexpr Member<Quality> kQualityMembers[] = {
    {"overhead_ns", Combine::kSum, &Quality::overhead_ns},
    {"overhead_max_ns", Combine::kMax, &Quality::overhead_max_ns},
    {"events", Combine::kSum, &Quality::events},
    {"clock_messages", Combine::kSum, &Quality::clock_messages},
    {"lost_clocks", Combine::kSum, &Quality::lost_clocks},
    {"closure_error_ns", Combine::kMax, &Quality::closure_error_ns},
    {"foreign_threads", Combine::kSum, &Quality::foreign_threads},
    {"foreign_mpi_ns", Combine::kSum, &Quality::foreign_mpi_ns},
    {"regions_dropped", Combine::kSum, &Quality::regions_dropped},
    {"stops_without_start", Combine::kSum, &Quality::stops_without_start},
    {"starts_without_stop", Combine::kSum, &Quality::starts_without_stop},
    {"shared_starts", Combine::kSum, &Quality::shared_starts},
    {"metadata_dropped", Combine::kSum, &Quality::metadata_dropped},
    {"lost_lock_clocks", Combine::kSum, &Quality::lost_lock_clocks},
};

// The integers of JobTotals except threads_min, which an empty JobTotals does
// not have.
inline constexpr Member<JobTotals> kJobMembers[] = {
    {"processes", Combine::kSum, &JobTotals::processes},
    {"threads", Combine::kSum, &JobTotals::threads},
    {"threads_max", Combine::kMax, &JobTotals::threads_max},
    {"full_tables", Combine::kSum, &JobTotals::full_tables},
    {"unmeasured_processes", Combine::kMax, &JobTotals::unmeasured_processes},
    {"unread_programs", Combine::kSum, &JobTotals::unread_programs},
    {"devices_left_out", Combine::kSum, &JobTotals::devices_left_out},
};

// An integer that is added to a struct and missing above is a compile error.
static_assert(sizeof(RegionTotals) ==
                  sizeof(std::string) + sizeof(uint64_t) +
                      std::size(kRegionMembers) * sizeof(int64_t) +
                      sizeof(std::vector<NodeShare>) +
                      sizeof(std::vector<Amount>) +
                      sizeof(std::vector<DeviceKnown>) +
                      sizeof(std::vector<ProcessRow>) +
                      sizeof(std::vector<ThreadRow>),
              "kRegionMembers lists every integer of RegionTotals");
static_assert(sizeof(CallTotals) ==
                  3 * sizeof(std::string) + sizeof(uint64_t) +
                      std::size(kCallMembers) * sizeof(int64_t) +
                      sizeof(std::vector<SizeClass>) + sizeof(LateRanks),
              "kCallMembers lists every integer of CallTotals");
static_assert(sizeof(NodeShare) ==
                  sizeof(uint64_t) + std::size(kNodeMembers) * sizeof(int64_t),
              "kNodeMembers lists every integer of NodeShare");
static_assert(sizeof(FileSystem) ==
                  2 * sizeof(std::string) +
                      std::size(kFileSystemMembers) * sizeof(int64_t),
              "kFileSystemMembers lists every integer of FileSystem");
static_assert(sizeof(ProcessRow) == std::size(kRowMembers) * sizeof(int64_t) +
                                        sizeof(std::vector<Amount>),
              "kRowMembers lists every integer of ProcessRow");
static_assert(sizeof(ThreadRow) == (std::size(kThreadRowMembers) +
                                    std::size(kThreadSourceMembers)) *
                                       sizeof(int64_t),
              "the two lists have every integer of ThreadRow");
static_assert(sizeof(Quality) == std::size(kQualityMembers) * sizeof(int64_t) +
                                     sizeof(std::vector<std::string>),
              "kQualityMembers lists every integer of Quality");

// The sum of two integers, or the largest of its sign if there is none so
// large: the order in which the processes of a large job are combined must not
// matter, and the report names sums that are too large (plausible.h).
inline int64_t bounded_sum(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min()
               : std::numeric_limits<int64_t>::max();
}

// Adds b to a, member by member.
template <class Totals, size_t kCount>
void combine_members(const Member<Totals> (&members)[kCount], Totals* a,
                     const Totals& b) {
  for (const Member<Totals>& member : members) {
    int64_t& value = a->*member.value;
    const int64_t other = b.*member.value;
    value = member.how == Combine::kSum ? bounded_sum(value, other)
                                        : std::max(value, other);
  }
}

}  // namespace poprt

#endif  // POPRT_MODEL_MEMBERS_H_
