// The totals of imaginary jobs: processes of one thread, 64 per node, in Global
// and further regions.  Times vary randomly by 20 %; the same arguments give
// the same job.
#ifndef POPRT_BENCH_IMAGINARY_JOB_H_
#define POPRT_BENCH_IMAGINARY_JOB_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "model/job.h"

namespace poprt::bench {

struct ImaginaryJob {
  int regions = 1;  // Global and others
  bool rows = true;
  int64_t seconds = 100;

  static constexpr int64_t kRanksOfANode = 64;

  RegionTotals region_of(const std::string& name, uint64_t host,
                         std::mt19937_64* random) const {
    const int64_t second = 1000000000;
    const int64_t elapsed = seconds * second;
    const int64_t useful = std::uniform_int_distribution<int64_t>(
        seconds * 640'000'000, seconds * 800'000'000)(*random);
    RegionTotals r;
    r.name = name;
    r.key = text_hash(name.data(), name.size());
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
    r.cue_ns = r.com_ns = r.comp_ns = seconds * 820'000'000;
    r.coo_ns = elapsed;
    r.nodes = {{host, 1, useful}};
    return r;
  }

  JobTotals own_totals(int64_t rank) const {
    std::mt19937_64 random(static_cast<uint64_t>(rank));
    const std::string host = "node" + std::to_string(rank / kRanksOfANode);
    JobTotals own;
    own.processes = own.threads = own.threads_min = own.threads_max = 1;
    own.has_mpi = true;
    own.hosts = {{host, 1}};
    for (int i = 0; i < regions; ++i) {
      const std::string name =
          i == 0 ? kGlobalRegion : "region" + std::to_string(i);
      own.regions.push_back(
          region_of(name, text_hash(host.data(), host.size()), &random));
    }
    std::sort(own.regions.begin(), own.regions.end(),
              [](const RegionTotals& a, const RegionTotals& b) {
                return a.key < b.key;
              });
    if (rows) add_rows(rank, &own);
    return own;
  }
};

}  // namespace poprt::bench

#endif  // POPRT_BENCH_IMAGINARY_JOB_H_
