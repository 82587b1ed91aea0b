#include "model/situation.h"

#include <cmath>
#include <variant>

#include "model/judge.h"
#include "model/quantities.h"

namespace poprt {
namespace {

// Losses below this share of the core time are not worth a cause.
constexpr double kHardlyLost = 0.05;

// Of a region: less is not worth a sentence.
constexpr double kLittleOfJob = 0.01;

double share(const JobReport& report, int64_t ns) {
  return share_of_core_time(report, static_cast<double>(ns));
}

// How long threads waited for a core is not known of every kernel; where there
// are fewer cores than threads it may be all that was lost.
bool may_be_waits_for_cores(const JobReport& report, double lost) {
  const double waited = waited_for_core(report);
  if (std::isnan(waited)) {
    return amount(report.totals.resources, kCrowdedProcesses.name) > 0;
  }
  return is_found(report, "waited_for_core") && 2 * waited >= lost;
}

bool is_worth_a_word(const JobReport& report, const RegionReport& region) {
  return share(report, lost_core_ns(region.totals)) >= kLittleOfJob;
}

bool names_losses(const Situation& s) {
  return s.is_much_lost && !s.hides_devices && !s.hides_ends;
}

}  // namespace

std::optional<Situation> situation_of(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr || job_core_ns(report) <= 0) return std::nullopt;
  Situation s = {report, *global};
  s.is_red = is_red(report);
  if (s.is_red) return s;
  s.useful = share(report, global->totals.useful_sum_ns);
  s.is_partly_measured = is_unseen(report.totals, EventLayer::kOpenMp) ||
                         is_found(report, "missing_ranks");
  s.is_much_lost = 1 - s.useful >= kHardlyLost;
  const auto loss = largest_loss(report, *global);
  s.hides_devices = device_share(report) != 0 && !loss;
  s.hides_ends = !s.hides_devices && is_mostly_not_known(report, *global);
  if (!names_losses(s)) return s;
  s.loss = loss;
  if (loss) {
    const FoundGain found = gain_of(report, loss->metric);
    if (const Gain* const gain = std::get_if<Gain>(&found)) {
      s.gain = *gain;
    } else {
      s.no_gain = std::get<NoGain>(found);
    }
    s.is_in_doubt =
        may_be_waits_for_cores(report, loss->metric.value(global->losses));
  }
  if (report.regions.size() < 2) return s;
  const RegionReport& region = report.regions[1];
  if (!is_worth_a_word(report, region)) return s;
  s.region = &region;
  s.region_loss = named_loss(s, region);
  return s;
}

std::optional<Loss> named_loss(const Situation& s, const RegionReport& region) {
  if (&region == &s.global) return s.loss;
  if (!names_losses(s) || !is_worth_a_word(s.report, region)) {
    return std::nullopt;
  }
  return largest_loss(s.report, region);
}

}  // namespace poprt
