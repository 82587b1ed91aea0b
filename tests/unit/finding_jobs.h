// Jobs of known shape for the main finding.
#ifndef POPRT_TESTS_UNIT_FINDING_JOBS_H_
#define POPRT_TESTS_UNIT_FINDING_JOBS_H_

#include <string>
#include <utility>
#include <vector>

#include "model/device_amounts.h"
#include "model/job.h"
#include "model/quantities.h"
#include "unit/test_jobs.h"

namespace poprt::test {

inline constexpr int64_t kMs = 1000000;

struct Job {
  std::vector<ProcessTimes> processes;
  Clocks clocks;
  bool mpi = true;
  bool openmp = true;
  bool unseen = false;
  int64_t io_ns = 0;
  int64_t waiting_ns = -1;  // in MPI; -1: not measured
  std::vector<RegionTotals> others = {};
  Quality quality = {};
  std::string imported = "";
};

inline JobReport report_of(const Job& job) {
  JobTotals totals;
  for (const ProcessTimes& process : job.processes) {
    totals =
        combine(std::move(totals),
                job_of(process, {region_of("Global", process, job.clocks)}));
  }
  totals.has_mpi = job.mpi;
  totals.has_openmp = job.openmp;
  totals.has_unseen_openmp = job.unseen;
  totals.quality = job.quality;
  set_amount(kMpiIo.name, job.io_ns, &totals.regions.front().amounts);
  if (job.waiting_ns >= 0) {
    RegionTotals& global = totals.regions.front();
    set_amount(kMpiWaiting.name, job.waiting_ns, &global.amounts);
    set_amount(kMpiTransfer.name, global.mpi_sum_ns - job.waiting_ns,
               &global.amounts);
  }
  for (const RegionTotals& region : job.others) {
    totals.regions.push_back(region);
  }
  if (job.imported.empty()) {
    test::know_all(&totals.resources);
    set_amount(kDeviceProcesses.name, 0, &totals.resources);
  }
  RunContext context;
  context.imported_from = job.imported;
  return make_report(std::move(context), std::move(totals));
}

inline ProcessTimes process(int64_t elapsed, int64_t useful, int64_t mpi) {
  ProcessTimes result;
  result.elapsed = elapsed * kMs;
  result.threads = {{useful * kMs, 0, mpi * kMs, 0}};
  return result;
}

inline Clocks clocks_of(int64_t pl_cue, int64_t cue, int64_t com, int64_t coo,
                        int64_t all) {
  return {pl_cue * kMs, cue * kMs, com * kMs, coo * kMs, all * kMs};
}

// One rank waits in MPI_Barrier for the OpenMP overhead of the other: the wait
// is in G-COO, and so the critical path blames MPI.
inline Job waiting_for_openmp() {
  return {{process(100, 43, 57), process(100, 43, 0)},
          clocks_of(43, 43, 100, 100, 100)};
}

// Both ranks move data for half of the time.
inline Job moving_data() {
  return {{process(100, 50, 50), process(100, 50, 50)},
          clocks_of(50, 50, 50, 100, 100)};
}

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_FINDING_JOBS_H_
