// Prints the run file of an imaginary job: RANKS processes with rows, in Global
// and REGIONS - 1 other regions.
//
// usage: many_ranks RANKS REGIONS
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "imaginary_job.h"
#include "run_file/writer.h"

namespace {

using poprt::JobTotals;
using poprt::bench::ImaginaryJob;

// The totals of ranks begin to end, combined as the processes of a job do it.
JobTotals totals_of(const ImaginaryJob& job, int64_t begin, int64_t end) {
  if (end - begin == 1) return job.own_totals(begin);
  const int64_t middle = begin + (end - begin) / 2;
  return poprt::combine(totals_of(job, begin, middle),
                        totals_of(job, middle, end));
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t ranks = argc > 1 ? std::atoll(argv[1]) : 0;
  const int regions = argc > 2 ? std::atoi(argv[2]) : 0;
  if (ranks < 1 || regions < 1) {
    std::fputs("usage: many_ranks RANKS REGIONS\n", stderr);
    return 2;
  }
  poprt::RunContext context;
  context.program = "many_ranks";
  context.command = {argv[0], argv[1], argv[2]};
  context.mpi_library = "none";
  context.clock = "tsc";
  const poprt::JobReport report =
      poprt::make_report(context, totals_of({.regions = regions}, 0, ranks));
  const std::string text = poprt::to_json(report);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0
                                                                         : 1;
}
