#include "unit/sample_reports.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "model/device_amounts.h"
#include "model/quantities.h"
#include "unit/test_jobs.h"

namespace poprt::test {
namespace {

RunContext context() {
  RunContext context;
  context.program = "hybrid";
  context.command = {"./hybrid", "--size", "45"};
  context.start_time = "2026-01-02T03:04:05Z";
  context.mpi_library = "Open MPI v4.1.4, package: Debian OpenMPI";
  context.mpi_thread_level = "MPI_THREAD_FUNNELED";
  context.openmp_runtime = "LLVM OMP version: 5.0.20140926";
  context.clock = "tsc";
  context.environment = {{"OMP_NUM_THREADS", "4", 0}};
  context.checkout = {"0123456789abcdef0123456789abcdef01234567", "main"};
  context.measured_by = "0.1.0";
  return context;
}

}  // namespace

JobReport hybrid_report(bool rows) {
  constexpr int64_t kMs = 1000000;
  struct Part {
    const char* name;
    int64_t visits;
    int64_t serial, parallel, mpi;  // ms, of rank 0
    Clocks clocks;                  // ms
  };
  const Part parts[] = {
      {"CalcForce", 250, 20, 900, 60, {995, 1001, 1079, 1010, 1100}},
      {"CommSBN", 500, 60, 0, 340, {78, 220, 222, 400, 402}},
      {"TimeConstraints", 250, 30, 90, 20, {128, 130, 140, 141, 150}},
      {"setup", 1, 200, 0, 0, {260, 260, 261, 260, 261}},
      {"\xc3\xa9tat\tfinal", 1, 40, 10, 4, {62, 63, 65, 67, 70}},
  };
  JobTotals job;
  for (int64_t rank = 0; rank < 4; ++rank) {
    std::vector<RegionTotals> regions;
    std::vector<ThreadTimes> whole(4);
    int64_t elapsed = 0;
    int64_t parallel = 0;
    ProcessTimes process;
    process.host = rank < 2 ? "node1" : "node2";
    for (const Part& part : parts) {
      // Ranks have more to do the higher they are, threads less.
      process.visits = part.visits;
      process.threads.assign(4, {});
      process.parallel = part.parallel * kMs;
      for (int64_t t = 0; t < 4; ++t) {
        process.threads[t].useful_inside =
            part.parallel * (94 - 4 * t + rank) * kMs / 100;
      }
      ThreadTimes& primary = process.threads[0];
      primary.useful_outside = part.serial * (20 + 2 * rank) * kMs / 20;
      primary.mpi_outside = part.mpi * (20 - 3 * rank) * kMs / 20;
      process.elapsed = process.parallel + primary.useful_outside +
                        primary.mpi_outside + part.visits * 2000;
      Clocks c = part.clocks;
      for (int64_t* clock : {&c.pl_cue, &c.cue, &c.com, &c.coo, &c.all}) {
        *clock *= kMs;
      }
      regions.push_back(region_of(part.name, process, c));
      elapsed += process.elapsed;
      parallel += process.parallel;
      for (int64_t t = 0; t < 4; ++t) {
        whole[t].useful_inside += process.threads[t].useful_inside;
        whole[t].useful_outside += process.threads[t].useful_outside;
        whole[t].mpi_outside += process.threads[t].mpi_outside;
      }
    }
    process.visits = 1;
    process.threads = whole;
    process.parallel = parallel;
    // The end of the program waits for the slowest process.
    process.elapsed = 1900 * kMs;
    process.threads[0].mpi_outside += 1900 * kMs - elapsed;
    const Clocks clocks = {1520 * kMs, 1600 * kMs, 1795 * kMs, 1780 * kMs,
                           1902 * kMs};
    regions.push_back(region_of("Global", process, clocks));
    JobTotals one = job_of(process, std::move(regions));
    one.quality.overhead_ns = 7 * kMs;
    one.quality.overhead_max_ns = 4 * kMs;
    one.quality.events = 12000;
    one.quality.clock_messages = 1500;
    if (rows) add_rows(rank, &one);
    job = combine(std::move(job), one);
  }
  job.quality.stops_without_start = 2;
  job.quality.notes = {"stop of region 'solve' without a start"};
  // What only a table of more than 64 regions brings about.
  job.full_tables = 1;
  for (RegionTotals& region : job.regions) {
    region.in_full_tables = region.name == "setup" ? 0 : 1;
  }
  set_amount(kDeviceProcesses.name, 0, &job.resources);
  return make_report(context(), std::move(job));
}

JobReport small_report() {
  constexpr int64_t kMs = 1000000;
  const ProcessTimes first = {
      1000 * kMs,
      800 * kMs,
      {{100 * kMs, 760 * kMs, 90 * kMs, 0}, {0, 700 * kMs, 0, 0}},
      "node1"};
  const ProcessTimes second = {
      1000 * kMs,
      600 * kMs,
      {{80 * kMs, 570 * kMs, 310 * kMs, 0, 60 * kMs}, {0, 560 * kMs, 0, 0}},
      "node1"};
  const Clocks clocks = {880 * kMs, 890 * kMs, 930 * kMs, 950 * kMs,
                         1000 * kMs};
  JobTotals job =
      combine(job_of(first, {region_of("Global", first, clocks)}),
              job_of(second, {region_of("Global", second, clocks)}));
  job.quality.overhead_ns = 2 * kMs;
  job.quality.overhead_max_ns = 2 * kMs;
  job.quality.events = 4200;
  job.quality.clock_messages = 60;
  set_amount(kDeviceProcesses.name, 0, &job.resources);
  return make_report(context(), std::move(job));
}

JobReport accelerated_report(bool rows) {
  constexpr int64_t kMs = 1000000;
  const auto times = [](int64_t waiting, int64_t copying, int64_t launching) {
    return AcceleratorTimes{waiting * kMs, copying * kMs, launching * kMs};
  };
  const auto clocks = [](int64_t pl_cue, int64_t cue, int64_t com, int64_t coo,
                         int64_t all, int64_t coow) {
    return Clocks{pl_cue * kMs, cue * kMs, com * kMs,
                  coo * kMs,    all * kMs, coow * kMs};
  };
  const auto tell_mpi_parts = [](RegionTotals region) {
    set_amount(kMpiWaiting.name, region.mpi_sum_ns / 2, &region.amounts);
    set_amount(kMpiTransfer.name, region.mpi_sum_ns - region.mpi_sum_ns / 2,
               &region.amounts);
    return region;
  };
  JobTotals job;
  for (int64_t rank = 0; rank < 2; ++rank) {
    const int64_t in_mpi = (30 + 10 * rank) * kMs;
    ProcessTimes solve;
    solve.visits = 10;
    solve.parallel = 300 * kMs;
    solve.threads = {{40 * kMs, 200 * kMs, in_mpi, 0, 0, times(200, 80, 20),
                      times(60, 0, 10)},
                     {0, 250 * kMs, 0, 0}};
    solve.elapsed = 640 * kMs + in_mpi;
    ProcessTimes exchange;
    exchange.threads = {{60 * kMs, 0, (100 - 20 * rank) * kMs, 0}, {}};
    exchange.elapsed = 60 * kMs + exchange.threads[0].mpi_outside;
    ProcessTimes all = solve;
    all.visits = 1;
    all.elapsed = 1000 * kMs;
    all.threads[0].useful_outside += 110 * kMs;
    all.threads[0].mpi_outside = 250 * kMs;
    JobTotals one = job_of(
        all, {tell_mpi_parts(region_of("Global", all,
                                       clocks(410, 420, 900, 930, 1002, 900))),
              tell_mpi_parts(region_of("solve", solve,
                                       clocks(295, 300, 660, 660, 690, 655))),
              tell_mpi_parts(region_of("exchange", exchange,
                                       clocks(60, 62, 64, 150, 165, 100)))});
    one.has_devices = true;
    one.quality.events = 4200;
    if (rows) add_rows(rank, &one);
    job = combine(std::move(job), one);
  }
  know_all(&job.resources);
  set_amount(kDeviceProcesses.name, 0, &job.resources);
  return make_report(context(), std::move(job));
}

JobReport report_without_loss() {
  JobReport report = small_report();
  RegionTotals& totals = report.regions[0].totals;
  totals.useful_sum_ns = totals.elapsed_weighted_ns = 3'990'000'000;
  totals.mpi_sum_ns = totals.omp_sum_ns = 0;
  totals.threads = 4;
  totals.all_ns = 1'000'000'000;
  know_all(&report.totals.resources);
  return report;
}

}  // namespace poprt::test
