// Jobs for tests, made from what each thread did: consistent by construction,
// and the formulas can be checked against the threads themselves.
#ifndef POPRT_TESTS_UNIT_TEST_JOBS_H_
#define POPRT_TESTS_UNIT_TEST_JOBS_H_

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "model/totals.h"

namespace poprt::test {

// In calls to accelerators.
struct AcceleratorTimes {
  int64_t waiting = 0;
  int64_t copying = 0;
  int64_t launching = 0;

  int64_t all() const { return waiting + copying + launching; }
};

// What one thread did in a region; the rest of the elapsed time is omp.
struct ThreadTimes {
  int64_t useful_outside = 0;  // of parallel regions; the primary's: serial
  int64_t useful_inside = 0;
  int64_t mpi_outside = 0;
  int64_t mpi_inside = 0;
  int64_t mpi_io = 0;                   // of both
  AcceleratorTimes calls_outside = {};  // of the primary one
  AcceleratorTimes calls_inside = {};

  int64_t useful() const { return useful_outside + useful_inside; }
  int64_t mpi() const { return mpi_outside + mpi_inside; }
  int64_t accelerator() const {
    return calls_outside.all() + calls_inside.all();
  }
};

struct ProcessTimes {
  int64_t elapsed = 0;
  int64_t parallel = 0;              // inside parallel regions, on the primary
  std::vector<ThreadTimes> threads;  // the primary first
  std::string host = "node1";
  int64_t visits = 1;

  int64_t size() const { return static_cast<int64_t>(threads.size()); }
  // The process level's outside_mpi_p.
  int64_t outside_mpi() const { return elapsed - threads[0].mpi_outside; }
  // Of the primary thread, outside MPI and calls to accelerators.
  int64_t outside_both() const {
    return elapsed - threads[0].mpi() - threads[0].accelerator();
  }
};

struct Clocks {
  int64_t pl_cue = 0;
  int64_t cue = 0;
  int64_t com = 0;
  int64_t coo = 0;
  int64_t all = 0;
  int64_t coow = 0;  // 0: not kept
};

// One thread that computes and is in MPI, without parallel regions.
ProcessTimes mpi_process(int64_t useful, int64_t elapsed);

// The totals that one process has of one region.
RegionTotals region_of(const std::string& name, const ProcessTimes& process,
                       const Clocks& clocks);

// The totals of a job of this one process.
JobTotals job_of(const ProcessTimes& process,
                 std::vector<RegionTotals> regions);

// The totals of a region over several processes, by combine().
RegionTotals combined(const std::string& name,
                      const std::vector<ProcessTimes>& processes,
                      const Clocks& clocks);

// A job of one region per process in which everything is random but possible.
std::vector<ProcessTimes> random_processes(std::mt19937* random,
                                           bool accelerators = false);

// Clocks that this job could have, in the order that docs/design.md asserts.
Clocks random_clocks(const std::vector<ProcessTimes>& processes,
                     std::mt19937* random);

// Totals in which every member is random, whether that is possible or not.
JobTotals random_totals(std::mt19937* random);

// Of this name nothing is known.
void forget(std::string_view name, std::vector<Amount>* amounts);

// Byte for byte.
bool same(const JobTotals& a, const JobTotals& b);

// Nothing was unmeasured, and no thread waited for a core.
void know_all(std::vector<Amount>* resources);

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_TEST_JOBS_H_
