#include "report/core_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "document/apportion.h"
#include "document/format.h"
#include "model/quantities.h"
#include "report/mpi_time.h"

namespace poprt {
namespace {

double in_bounds(double part) {
  return part > 0 ? std::min(part, 1.0) : 0;  // 0 for NaN
}

// The parts of the time in OpenMP: outside parallel regions, where the primary
// thread alone works or is in MPI; and inside by source.
struct OpenMpParts {
  double serial_ns = 0;
  double imbalance_ns = 0;
  double serialised_ns = 0;
  double for_mpi_ns = 0;  // the others wait for one that is in MPI
  double scheduling_ns = 0;
  double not_started_ns = 0;
};

OpenMpParts openmp_parts(const RegionTotals& t) {
  OpenMpParts parts;
  const auto omp = static_cast<double>(t.omp_sum_ns);
  if (!has_amount(t.amounts, kOpenMpSerialised.name)) {
    // What TALP tells of each process are means over its threads: exact if all
    // processes have the same number of threads.
    const auto serial = static_cast<double>(t.talp_omp_serial_ns);
    const auto imbalance = static_cast<double>(t.talp_omp_load_balance_ns);
    const auto scheduling = static_cast<double>(t.talp_omp_scheduling_ns);
    const double all = serial + imbalance + scheduling;
    if (all <= 0) return parts;
    parts.serial_ns = omp * serial / all;
    parts.imbalance_ns = omp * imbalance / all;
    parts.scheduling_ns = omp * scheduling / all;
    return parts;
  }
  const auto of = [&](const Quantity& quantity) {
    return static_cast<double>(amount(t, quantity));
  };
  const auto useful_inside =
      static_cast<double>(t.useful_sum_ns - t.serial_sum_ns);
  const double inside = std::clamp(static_cast<double>(t.openmp_weighted_ns) -
                                       useful_inside - of(kMpiInside),
                                   0.0, omp);
  parts.serial_ns = omp - inside;
  parts.serialised_ns = of(kOpenMpSerialised);
  parts.for_mpi_ns = of(kOpenMpMpiInside);
  parts.scheduling_ns = of(kOpenMpScheduling);
  parts.not_started_ns = of(kOpenMpNotStarted);
  parts.imbalance_ns = inside - parts.serialised_ns - parts.for_mpi_ns -
                       parts.scheduling_ns - parts.not_started_ns;
  return parts;
}

class BarsOf {
 public:
  explicit BarsOf(const RegionTotals& region)
      : region_(region), core_(static_cast<double>(core_ns(region))) {}

  void add_state(State state) {
    switch (state) {
      case State::kMpi:
        return add_mpi();
      case State::kOmp:
        return add_openmp();
      default:
        add(entry_of(state).colour, entry_of(state).name,
            share(region_.*sum_of(state)));
    }
  }
  // What no state has.
  void add_rest() {
    double rest = 1;
    for (const Bar& bar : bars_) rest -= bar.part;
    if (rest >= kLeastShown) {
      bars_.push_back({"not started or ended", rest, 0, "rest"});
    }
  }
  std::vector<Bar> take() { return std::move(bars_); }

 private:
  void add(const char* key, const char* label, double part) {
    bars_.push_back({label, in_bounds(part), 0, key});
  }
  void add_if_shown(const char* key, const char* label, double part) {
    if (part >= kLeastShown) add(key, label, part);
  }
  double share(int64_t ns) const { return static_cast<double>(ns) / core_; }
  double share(const Quantity& quantity) const {
    return share(amount(region_, quantity));
  }
  void add_mpi() {
    const double mpi = share(region_.mpi_sum_ns);
    const double io = share(kMpiIo) >= kLeastShown ? share(kMpiIo) : 0;
    if (tells_mpi_parts(region_)) {
      // A call of MPI-IO is transfer, or its partners' clocks are not known.
      add("mpi_waiting", "MPI waiting", share(kMpiWaiting));
      add("mpi_transfer", "MPI transfer", mpi - io - share(kMpiWaiting));
    } else {
      add(entry_of(State::kMpi).colour, "MPI", mpi - io);
    }
    add_if_shown("mpi_io", "MPI-IO", io);
  }
  void add_openmp() {
    const OpenMpParts parts = openmp_parts(region_);
    add("openmp_serial", "OpenMP serial", parts.serial_ns / core_);
    add("openmp_imbalance", "OpenMP imbalance", parts.imbalance_ns / core_);
    add_if_shown("openmp_serialised", "OpenMP serialised",
                 parts.serialised_ns / core_);
    add_if_shown("openmp_mpi_inside", "OpenMP for MPI inside",
                 parts.for_mpi_ns / core_);
    add("openmp_scheduling", "OpenMP scheduling", parts.scheduling_ns / core_);
    add_if_shown("openmp_not_started", "OpenMP not started",
                 parts.not_started_ns / core_);
  }

  const RegionTotals& region_;
  const double core_;
  std::vector<Bar> bars_;
};

// The parts of a region's core time, before rounding.
std::vector<Bar> parts_of(const JobReport& report, const RegionTotals& region) {
  BarsOf bars(region);
  for (const State state : kAllStates) {
    if (has_state(report.totals, state)) bars.add_state(state);
  }
  bars.add_rest();
  return bars.take();
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
