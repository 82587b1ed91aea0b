#include "unit/test_runs.h"

#include <utility>

namespace poprt::test {

RegionTotals region(const std::string& name, int64_t cores, int64_t run_ns,
                    int64_t useful_ns, int64_t useful_max_ns, int64_t cue_ns) {
  RegionTotals r;
  r.name = name;
  r.key = text_hash(name.data(), name.size());
  r.processes = r.threads = cores;
  r.all_ns = r.elapsed_max_ns = run_ns;
  r.useful_sum_ns = r.elapsed_weighted_ns = useful_ns;
  r.useful_max_ns = useful_max_ns;
  r.cue_ns = cue_ns;
  return r;
}

RunFile run(int64_t ranks, int64_t threads, std::vector<RegionTotals> regions,
            const std::string& program, bool mpi) {
  JobTotals totals;
  totals.processes = ranks;
  totals.threads = ranks * threads;
  totals.threads_min = totals.threads_max = threads;
  totals.has_mpi = mpi;
  totals.has_openmp = threads > 1;
  totals.regions = std::move(regions);
  RunContext context;
  context.program = program;
  return {program + ".poprt.json",
          make_report(std::move(context), std::move(totals))};
}

Configuration only(std::vector<RunFile> runs) {
  return configurations_of(std::move(runs)).front();
}

RunFile global_run(int64_t ranks, int64_t threads, int64_t run_ns,
                   int64_t useful_ns) {
  return run(ranks, threads,
             {region("Global", ranks * threads, run_ns, useful_ns)});
}

}  // namespace poprt::test
