// Prints the run file of an imaginary job: RANKS processes of one thread, 64
// per node, with rows, in Global and REGIONS - 1 other regions. Times vary
// randomly by 20 %; the same arguments give the same file.
//
// usage: many_ranks RANKS REGIONS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>

#include "model/job.h"
#include "report/writers.h"

namespace {

using poprt::JobTotals;
using poprt::RegionTotals;

constexpr int64_t kRanksOfANode = 64;
constexpr int64_t kSecond = 1000000000;

RegionTotals region_of(const std::string& name, uint64_t host,
                       std::mt19937_64* random) {
  const int64_t elapsed = 100 * kSecond;
  const int64_t useful = std::uniform_int_distribution<int64_t>(
      64 * kSecond, 80 * kSecond)(*random);
  RegionTotals r;
  r.name = name;
  r.key = poprt::text_hash(name.data(), name.size());
  r.processes = r.threads = r.visits = r.visits_max = r.mpi_callers = 1;
  r.elapsed_max_ns = r.elapsed_weighted_ns = r.all_ns = elapsed;
  r.mpi_sum_ns = elapsed - useful;
  r.talp_mpi_ns = r.mpi_sum_ns;
  for (int64_t* const value :
       {&r.useful_sum_ns, &r.useful_max_ns, &r.useful_max_weighted_ns,
        &r.serial_sum_ns, &r.serial_weighted_ns, &r.outside_mpi_max_ns,
        &r.mpi_callers_outside_sum_ns, &r.mpi_callers_outside_max_ns,
        &r.pl_cue_ns, &r.talp_useful_ns, &r.talp_not_mpi_max_ns}) {
    *value = useful;
  }
  r.cue_ns = r.com_ns = r.comp_ns = 82 * kSecond;
  r.coo_ns = elapsed;
  r.nodes = {{host, 1, useful}};
  return r;
}

JobTotals own_totals(int64_t rank, int regions) {
  std::mt19937_64 random(static_cast<uint64_t>(rank));
  const std::string host = "node" + std::to_string(rank / kRanksOfANode);
  JobTotals own;
  own.processes = own.threads = own.threads_min = own.threads_max = 1;
  own.has_mpi = true;
  own.hosts = {{host, 1}};
  for (int i = 0; i < regions; ++i) {
    const std::string name =
        i == 0 ? poprt::kGlobalRegion : "region" + std::to_string(i);
    own.regions.push_back(
        region_of(name, poprt::text_hash(host.data(), host.size()), &random));
  }
  std::sort(own.regions.begin(), own.regions.end(),
            [](const RegionTotals& a, const RegionTotals& b) {
              return a.key < b.key;
            });
  poprt::add_rows(rank, &own);
  return own;
}

// The totals of ranks begin to end, combined as the processes of a job do it.
JobTotals totals_of(int64_t begin, int64_t end, int regions) {
  if (end - begin == 1) return own_totals(begin, regions);
  const int64_t middle = begin + (end - begin) / 2;
  return poprt::combine(totals_of(begin, middle, regions),
                        totals_of(middle, end, regions));
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
      poprt::make_report(context, totals_of(0, ranks, regions));
  const std::string text = poprt::to_json(report);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0
                                                                         : 1;
}
