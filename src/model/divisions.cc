#include "model/divisions.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <utility>

namespace poprt {
namespace {

constexpr size_t kMostRegions = 12;
// Of the run: what may be outside of all its regions, how much longer they may
// be than it (they begin and end at another time in each process), and what
// rounding makes.
constexpr double kOutside = 0.05;
constexpr double kLonger = 0.02;
constexpr double kRounded = 0.001;

using Total = int64_t RegionTotals::*;
constexpr Total kAddUp[] = {
    &RegionTotals::elapsed_weighted_ns, &RegionTotals::useful_sum_ns,
    &RegionTotals::mpi_sum_ns,          &RegionTotals::omp_sum_ns,
    &RegionTotals::serial_weighted_ns,  &RegionTotals::openmp_weighted_ns};

double sum_of(const Division& regions, Total total) {
  double sum = 0;
  for (const RegionReport* const each : regions) {
    sum += static_cast<double>(each->totals.*total);
  }
  return sum;
}

bool may_follow_one_another(const Division& regions, const RegionTotals& run) {
  const double whole = static_cast<double>(run.elapsed_weighted_ns);
  return std::ranges::all_of(kAddUp,
                             [&](Total total) {
                               return sum_of(regions, total) <=
                                      static_cast<double>(run.*total) +
                                          kRounded * whole;
                             }) &&
         sum_of(regions, &RegionTotals::all_ns) <=
             (1 + kLonger) * static_cast<double>(run.all_ns);
}

bool are_all(const Division& regions, const RegionTotals& run) {
  return std::ranges::all_of(
      std::initializer_list<Total>{&RegionTotals::elapsed_weighted_ns,
                                   &RegionTotals::all_ns},
      [&](Total total) {
        return sum_of(regions, total) >=
               (1 - kOutside) * static_cast<double>(run.*total);
      });
}

Division candidates(const JobReport& report, const RegionReport& global) {
  Division list;
  for (const RegionReport& each : report.regions) {
    if (&each != &global && each.clocks_complete &&
        each.totals.processes == global.totals.processes &&
        each.totals.threads == global.totals.threads) {
      list.push_back(&each);
    }
  }
  std::ranges::sort(list, std::greater(), [](const RegionReport* each) {
    return std::pair(each->totals.all_ns, each->totals.key);
  });
  list.resize(std::min(list.size(), kMostRegions));
  return list;
}

}  // namespace

std::vector<Division> divisions_of(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr || !global->clocks_complete) return {};
  const RegionTotals& run = global->totals;
  const Division regions = candidates(report, *global);
  // Bit i: of regions[i].
  const uint32_t sets = uint32_t{1} << regions.size();
  const auto of_set = [&](uint32_t set) {
    Division division;
    for (size_t i = 0; i < regions.size(); ++i) {
      if ((set >> i & 1) != 0) division.push_back(regions[i]);
    }
    return division;
  };
  // With one region less the sums are not larger.
  std::vector<bool> may(sets, true);
  for (uint32_t set = 1; set < sets; ++set) {
    may[set] = may[set & (set - 1)] && may_follow_one_another(of_set(set), run);
  }
  std::vector<Division> divisions;
  for (uint32_t set = 1; set < sets; ++set) {
    bool is_largest = may[set];
    for (uint32_t one = 1; one < sets && is_largest; one <<= 1) {
      is_largest = (set & one) != 0 || !may[set | one];
    }
    if (!is_largest) continue;
    Division division = of_set(set);
    if (division.size() > 1 && are_all(division, run)) {
      divisions.push_back(std::move(division));
    }
  }
  return divisions;
}

}  // namespace poprt
