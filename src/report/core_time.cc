#include "report/core_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/quantities.h"
#include "report/apportion.h"
#include "report/format.h"
#include "report/mpi_time.h"

namespace poprt {
namespace {

double in_bounds(double part) {
  return part > 0 ? std::min(part, 1.0) : 0;  // 0 for NaN
}

// The parts of a region's core time, before rounding.
std::vector<Bar> parts_of(const JobReport& report, const RegionTotals& t) {
  const double core = static_cast<double>(core_ns(t));
  const double omp = static_cast<double>(t.omp_sum_ns) / core;
  // The parts of OpenMP time are known for each process as means over its
  // threads: exact if all processes have the same number of threads.
  const double omp_parts = static_cast<double>(t.talp_omp_serial_ns) +
                           static_cast<double>(t.talp_omp_load_balance_ns) +
                           static_cast<double>(t.talp_omp_scheduling_ns);
  const auto omp_part = [&](int64_t ns) {
    return omp_parts > 0 ? omp * static_cast<double>(ns) / omp_parts : 0;
  };
  std::vector<Bar> bars;
  const auto add = [&](const char* label, double part) {
    bars.push_back({label, in_bounds(part), 0});
  };
  add("useful", static_cast<double>(t.useful_sum_ns) / core);
  if (report.totals.has_mpi) {
    const auto share = [&](const Quantity& quantity) {
      return static_cast<double>(amount(t, quantity)) / core;
    };
    const double mpi = static_cast<double>(t.mpi_sum_ns) / core;
    const double io = share(kMpiIo) >= kLeastShown ? share(kMpiIo) : 0;
    if (tells_mpi_parts(t)) {
      // A call of MPI-IO is transfer, or its partners' clocks are not known.
      add("MPI waiting", share(kMpiWaiting));
      add("MPI transfer", mpi - io - share(kMpiWaiting));
    } else {
      add("MPI", mpi - io);
    }
    if (io > 0) add("MPI-IO", io);
  }
  if (report.totals.has_openmp) {
    add("OpenMP serial", omp_part(t.talp_omp_serial_ns));
    add("OpenMP imbalance", omp_part(t.talp_omp_load_balance_ns));
    add("OpenMP scheduling", omp_part(t.talp_omp_scheduling_ns));
  }
  double rest = 1;
  for (const Bar& bar : bars) rest -= bar.part;
  if (rest >= kLeastShown) bars.push_back({"not started or ended", rest, 0});
  return bars;
}

}  // namespace

std::string core_seconds(int64_t ns) {
  std::string text = duration(ns);
  return text.insert(text.find(' ') + 1, "core-");
}

double share_of_job(const JobReport& report, int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(job_core_ns(report));
}

Bars core_time_bars(const JobReport& report) {
  return core_time_bars(report, global_region(report)->totals);
}

Bars core_time_bars(const JobReport& report, const RegionTotals& region) {
  const int64_t whole_ns = core_ns(region);
  Bars result = {
      fmt::format("Where {} x {} = {} went", counted(region.threads, "core"),
                  duration(whole_ns / std::max<int64_t>(1, region.threads)),
                  core_seconds(whole_ns)),
      parts_of(report, region)};
  std::vector<double> parts;
  for (const Bar& bar : result.bars) parts.push_back(bar.part);
  const std::vector<int> tenths = apportioned(parts, 1000);
  for (size_t i = 0; i < tenths.size(); ++i) result.bars[i].tenths = tenths[i];
  return result;
}

}  // namespace poprt
