// Random programs: correct MPI + OpenMP programs that are generated while they
// run, by simulated processes and threads that wait as the standards say (a
// receive ends after the send, a barrier when all have come and no task is
// left).
#ifndef POPRT_TESTS_ORACLE_RANDOM_PROGRAM_H_
#define POPRT_TESTS_ORACLE_RANDOM_PROGRAM_H_

#include <cstdint>
#include <vector>

#include "oracle/history.h"

namespace poprt::oracle {

struct ProgramOptions {
  uint64_t seed = 0;
  int processes = 3;
  int threads = 6;      // at most, of one process
  int regions = 5;      // with Global
  int actions = 400;    // about
  int operations = 8;   // collectives and messages that the whole job agrees on
  int64_t unit_ns = 1;  // every duration is a multiple of it
  bool openmp = true;
  // Processes begin within this many units of each other.
  int start_spread = 50;
  // MPI starts late: what was measured before does not count.
  bool restart = false;
  // Regions are also opened and closed inside parallel regions, by any thread.
  bool regions_in_parallel = true;
  // A clock that comes late may come after a region was opened or closed.
  bool late_across_regions = false;
  // In one instance of a parallel region threads only send or only receive,
  // or only one of them calls MPI.
  bool one_way = false;
};

// All options, determined by the seed alone.
ProgramOptions random_options(uint64_t seed);

struct RandomProgram {
  History history;
  // Zero of each process's time on one common clock.
  std::vector<int64_t> origin_ns;
};

RandomProgram run_random_program(const ProgramOptions& options);

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_RANDOM_PROGRAM_H_
