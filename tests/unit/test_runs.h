// Small runs for tests that compare runs: only what scaling needs.
#ifndef POPRT_TESTS_UNIT_TEST_RUNS_H_
#define POPRT_TESTS_UNIT_TEST_RUNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compare/runs.h"

namespace poprt::test {

// A region on one thread per process that was useful for `useful_ns` over all.
RegionTotals region(const std::string& name, int64_t cores, int64_t run_ns,
                    int64_t useful_ns, int64_t useful_max_ns = 0,
                    int64_t cue_ns = 0);

// A run, with OpenMP if it has threads, in "app.poprt.json".
RunFile run(int64_t ranks, int64_t threads, std::vector<RegionTotals> regions,
            const std::string& program = "app", bool mpi = true);

// The configuration that these runs have.
Configuration only(std::vector<RunFile> runs);

// A run with no region but Global.
RunFile global_run(int64_t ranks, int64_t threads, int64_t run_ns,
                   int64_t useful_ns);

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_TEST_RUNS_H_
