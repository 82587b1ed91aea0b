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
  BarsOf(const JobTotals& job, const RegionTotals& region)
      : job_(job),
        region_(region),
        core_(static_cast<double>(core_ns(region))) {}

  void add_state(State state) {
    bool is_whole = true;
    size_t last = bars_.size();
    for (const StatePart& part : kStateParts) {
      if (part.state != state) continue;
      if (part.lost_by && !(job_.*flag_of(*part.lost_by))) continue;
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

  const JobTotals& job_;
  const RegionTotals& region_;
  const double core_;
  std::vector<Bar> bars_;
};

// The parts of a region's core time, before rounding.
std::vector<Bar> parts_of(const JobReport& report, const RegionTotals& region) {
  BarsOf bars(report.totals, region);
  for (const State state : kAllStates) {
    if (has_state(report.totals, state)) bars.add_state(state);
  }
  bars.add_rest();
  return bars.take();
}

std::string title_of(const JobReport& report, const RegionTotals& region) {
  const int64_t whole_ns = core_ns(region);
  if (is_unseen(report.totals, EventLayer::kOpenMp)) {
    return fmt::format("Where the measured {} went", core_seconds(whole_ns));
  }
  return fmt::format("Where {} x {} = {} went", counted(region.threads, "core"),
                     duration(whole_ns / std::max<int64_t>(1, region.threads)),
                     core_seconds(whole_ns));
}

}  // namespace

std::string core_seconds(int64_t ns) {
  std::string text = duration(ns);
  return text.insert(text.find(' ') + 1, "core-");
}

double share_of_job(const JobReport& report, int64_t ns) {
  return share_of_core_time(report, static_cast<double>(ns));
}

bool is_known_part(const JobTotals& totals, std::string_view key) {
  return std::ranges::none_of(kAllStates, [&](State state) {
    const bool is_known_state =
        is_known(totals, state) && !is_unseen(totals, entry_of(state).layer);
    return !is_known_state &&
           (key == entry_of(state).colour ||
            std::ranges::any_of(kStateParts, [&](const StatePart& part) {
              return part.state == state && key == part.key;
            }));
  });
}

Bars core_time_bars(const JobReport& report) {
  return core_time_bars(report, global_region(report)->totals);
}

Bars core_time_bars(const JobReport& report, const RegionTotals& region) {
  Bars result = {title_of(report, region), parts_of(report, region)};
  std::vector<double> parts;
  for (const Bar& bar : result.bars) parts.push_back(bar.part);
  const std::vector<int> tenths = apportioned(parts, 1000);
  for (size_t i = 0; i < tenths.size(); ++i) result.bars[i].tenths = tenths[i];
  return result;
}

}  // namespace poprt
