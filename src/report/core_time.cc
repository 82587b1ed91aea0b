#include "report/core_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "document/apportion.h"
#include "document/format.h"
#include "model/state_parts.h"

namespace poprt {
namespace {

double in_bounds(double part) {
  return part > 0 ? std::min(part, 1.0) : 0;  // 0 for NaN
}

class BarsOf {
 public:
  BarsOf(const RegionTotals& region, bool has_mpi)
      : region_(region),
        core_(static_cast<double>(core_ns(region))),
        has_mpi_(has_mpi) {}

  void add_state(State state) {
    bool is_whole = true;
    size_t last = bars_.size();
    for (const StatePart& part : kStateParts) {
      if (part.state != state || (part.is_for_mpi && !has_mpi_)) continue;
      is_whole = false;
      const double ns = part.ns(region_);
      const double share = ns / core_;
      if (std::isnan(ns) || (part.is_seldom && !(share >= kLeastShown))) {
        continue;
      }
      if (part.is_of_last) {
        take_from(last, share);
      } else {
        last = bars_.size();
      }
      add(part.key, part.name, share);
    }
    if (is_whole) {
      add(entry_of(state).colour, entry_of(state).name,
          static_cast<double>(region_.*sum_of(state)) / core_);
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
  void take_from(size_t bar, double part) {
    for (; bar < bars_.size(); ++bar) {
      const double taken = std::min(part, bars_[bar].part);
      bars_[bar].part -= taken;
      part -= taken;
    }
  }

  void add(const char* key, const char* label, double part) {
    bars_.push_back({label, in_bounds(part), 0, key});
  }

  const RegionTotals& region_;
  const double core_;
  const bool has_mpi_;
  std::vector<Bar> bars_;
};

// The parts of a region's core time, before rounding.
std::vector<Bar> parts_of(const JobReport& report, const RegionTotals& region) {
  BarsOf bars(region, report.totals.has_mpi);
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
  return share_of_core_time(report, static_cast<double>(ns));
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
