// The rows of threads in the totals of a process (POPRT_ROWS=thread).
#include <utility>
#include <vector>

#include "base/bounded.h"
#include "measure/passed_amounts.h"
#include "measure/process_totals.h"
#include "model/quantities.h"

namespace poprt {
namespace {

// Moves time between `source` and imbalance until the rows' sum of `source` is
// the process's `sum_ns`.  The sums may differ, because a thread's loss in a
// region is only an estimated share of its loss.
void close_source(int64_t sum_ns, int64_t ThreadRow::*source,
                  std::vector<ThreadRow>* rows) {
  int64_t missing_ns = sum_ns;
  int64_t room_ns = 0;
  for (const ThreadRow& row : *rows) missing_ns -= row.*source;
  int64_t ThreadRow::*from = &ThreadRow::openmp_imbalance_ns;
  int64_t ThreadRow::*to = source;
  if (missing_ns < 0) {
    std::swap(from, to);
    missing_ns = -missing_ns;
  }
  for (const ThreadRow& row : *rows) room_ns += row.*from;
  const double share = room_ns > missing_ns ? static_cast<double>(missing_ns) /
                                                  static_cast<double>(room_ns)
                                            : 1;
  for (ThreadRow& row : *rows) {
    const auto part_ns =
        static_cast<int64_t>(static_cast<double>(row.*from) * share);
    row.*from -= part_ns;
    row.*to += part_ns;
  }
}

}  // namespace

// One row for each member, without the rank.  None if the process never entered
// the region.  `totals`: of the process in the region with this slot.
std::vector<ThreadRow> ProcessTotals::thread_rows(
    int slot, const View& view, const RegionTotals& totals) const {
  std::vector<ThreadRow> rows;
  if (view.visits == 0) return rows;
  for (const View::Member& member : view.members) {
    const ThreadRegion& part = member.region;
    ThreadRow& row = rows.emplace_back();
    row.thread = static_cast<int64_t>(rows.size()) - 1;
    for (const State state : kAllStates) {
      row.*thread_time_of(state) = part.all_of(state);
    }
    row.mpi_inside_ns = part.mpi_ns(true);
    row.omp_inside_ns = part.time_ns[time_index(true, State::kOmp)];
  }
  // Losses by thread are not known, or were passed to threads without rows.
  if (works_off_the_line(totals) || process_.forgets_openmp()) return rows;

  // In the process's parallel regions a thread loses all that is not useful.
  const int64_t openmp_ns = totals.openmp_weighted_ns / totals.threads;
  int64_t outside_ns = 0;  // the primary thread's OpenMP time outside of these
  for (const View::Member& member : view.members) {
    if (member.thread != process_.primary()) continue;
    outside_ns = member.region.time_ns[time_index(false, State::kOmp)];
  }
  // In the order of set_losses().
  struct Source {
    const Quantity& quantity;
    const Quantity& lacking;
    int64_t ThreadRow::*part;
    int64_t each_ns;  // that each thread loses
  } sources[] = {{kOpenMpMpiInside, kLackingQuantities[0],
                  &ThreadRow::openmp_mpi_inside_ns, 0},
                 {kOpenMpAcceleratorInside, kLackingQuantities[4],
                  &ThreadRow::openmp_accelerator_inside_ns, 0},
                 {kOpenMpSerialised, kLackingQuantities[1],
                  &ThreadRow::openmp_serialised_ns, 0},
                 {kOpenMpNotStarted, kLackingQuantities[3],
                  &ThreadRow::openmp_not_started_ns, 0},
                 {kOpenMpScheduling, kLackingQuantities[2],
                  &ThreadRow::openmp_scheduling_ns, outside_ns}};
  for (Source& source : sources) {
    for (const View::Member& member : view.members) {
      source.each_ns += amount_of(member, source.lacking);
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const View::Member& member = view.members[i];
    ThreadRow& row = rows[i];
    const int64_t useful_ns =
        member.thread == process_.primary()
            ? member.region.time_ns[time_index(true, State::kUseful)]
            : row.useful_ns;
    int64_t rest_ns = bounded<int64_t>(
        openmp_ns - useful_ns - row.mpi_inside_ns -
            member.region.time_ns[time_index(true, State::kAccelerator)],
        0, row.omp_ns);
    for (const Source& source : sources) {
      const int account = account_if_any(source.quantity);
      const int64_t passed_ns = member.thread->passed()->at(slot, account);
      const int64_t part_ns = bounded<int64_t>(
          amount_of(member, source.quantity) + passed_ns + source.each_ns, 0,
          rest_ns);
      row.*source.part = part_ns;
      rest_ns -= part_ns;
    }
    row.openmp_imbalance_ns = rest_ns;
  }
  for (const Source& source : sources) {
    close_source(amount(totals, source.quantity), source.part, &rows);
  }
  return rows;
}

}  // namespace poprt
