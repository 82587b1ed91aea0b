#include <algorithm>
#include <map>

#include "model/quantities.h"
#include "oracle/critical_path.h"
#include "oracle/expected.h"

namespace poprt::oracle {
namespace {

void raise(int64_t* maximum, int64_t value) {
  *maximum = std::max(*maximum, value);
}

void add_clocks(const ProcessShare& share, RegionTotals* totals) {
  constexpr int kProcess = static_cast<int>(Scope::kProcess);
  constexpr int kGlobal = static_cast<int>(Scope::kGlobal);
  raise(&totals->com_ns, share.com_ns);
  raise(&totals->comp_ns, share.comp_ns);
  raise(&totals->coow_ns, share.coow_ns);
  for (const ThreadShare& thread : share.lines) {
    if (!thread.member) continue;
    raise(&totals->pl_cue_ns, thread.clock_ns[kProcess][0]);
    raise(&totals->cue_ns, thread.clock_ns[kGlobal][0]);
    raise(&totals->coo_ns, thread.clock_ns[kGlobal][1]);
    raise(&totals->all_ns, thread.clock_ns[kGlobal][2]);
  }
}

void add_times(const ProcessShare& share, RegionTotals* totals) {
  const int64_t threads = share.threads;
  int64_t useful = 0;
  int64_t useful_max = 0;
  int64_t mpi = 0;
  int64_t mpi_io = 0;
  const auto add = [&](const Quantity& quantity, int64_t ns) {
    set_amount(quantity.name, amount(*totals, quantity) + ns, &totals->amounts);
  };
  for (const ThreadShare& thread : share.lines) {
    if (!thread.member) continue;
    useful += thread.useful_ns;
    raise(&useful_max, thread.useful_ns);
    mpi += thread.mpi_ns;
    mpi_io += thread.mpi_io_ns;
    totals->omp_sum_ns += thread.omp_ns;
    add(kMpiWaiting, thread.mpi_waiting_ns);
    add(kMpiTransfer, thread.mpi_ns - thread.mpi_waiting_ns);
    add(kMpiInside, thread.mpi_in_parallel_ns);
  }
  totals->useful_sum_ns += useful;
  totals->mpi_sum_ns += mpi;
  add(kMpiIo, mpi_io);
  raise(&totals->useful_max_ns, useful_max);
  totals->useful_max_weighted_ns += threads * useful_max;

  totals->serial_sum_ns += share.serial_ns;
  totals->serial_weighted_ns += threads * share.serial_ns;
  totals->openmp_weighted_ns +=
      threads * (share.outside_mpi_ns - share.serial_ns);
  raise(&totals->outside_mpi_max_ns, share.outside_mpi_ns);

  int64_t callers_outside = 0;
  for (const int64_t outside : share.callers_outside_ns) {
    callers_outside += outside;
    raise(&totals->mpi_callers_outside_max_ns, outside);
  }
  const auto callers = static_cast<int64_t>(share.callers_outside_ns.size());
  totals->mpi_callers += callers;
  totals->mpi_callers_outside_sum_ns += callers_outside / callers;

  totals->talp_useful_ns += useful / threads;
  totals->talp_mpi_ns += mpi / threads;
  totals->talp_omp_serial_ns += share.idle_serial_ns / threads;
  totals->talp_omp_load_balance_ns += share.idle_load_balance_ns / threads;
  totals->talp_omp_scheduling_ns += share.idle_scheduling_ns / threads;
  totals->talp_mpi_worker_idle_ns += share.mpi_worker_idle_ns / threads;
  raise(&totals->talp_not_mpi_max_ns, share.elapsed_ns - mpi / threads);
}

}  // namespace

RegionTotals expected_totals(const std::vector<ProcessShare>& shares) {
  RegionTotals totals;
  for (const ProcessShare& share : shares) {
    add_clocks(share, &totals);
    if (share.visits == 0) continue;
    totals.processes += 1;
    totals.threads += share.threads;
    totals.visits += share.visits;
    raise(&totals.visits_max, share.visits);
    raise(&totals.elapsed_max_ns, share.elapsed_ns);
    totals.elapsed_weighted_ns += share.threads * share.elapsed_ns;
    add_times(share, &totals);
  }
  return totals;
}

}  // namespace poprt::oracle
