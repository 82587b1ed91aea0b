// Each metric is a ratio of sums of clocks and times, in which there are at
// most two clocks. So it is least and most where each clock is at one of its
// bounds, or where two are equal that cannot be in the other order.
#include "model/metric_ranges.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "model/place_of.h"

namespace poprt {
namespace {

// Raises the longer ones of clocks that contradict each other.
void raise_longer(RegionTotals* r) {
  r->cue_ns = std::max(r->cue_ns, r->pl_cue_ns);
  r->coo_ns = std::max(r->coo_ns, r->cue_ns);
  if (keeps_coow(*r)) r->coow_ns = std::max(r->coow_ns, r->cue_ns);
  r->com_ns = std::max(r->com_ns, r->cue_ns);
  r->comp_ns = std::max(r->comp_ns, r->com_ns);
  r->all_ns = std::max({r->all_ns, r->coo_ns, r->coow_ns, r->comp_ns});
}

// Or lowers the shorter ones.
void lower_shorter(RegionTotals* r) {
  r->comp_ns = std::min(r->comp_ns, r->all_ns);
  r->com_ns = std::min(r->com_ns, r->comp_ns);
  r->coo_ns = std::min(r->coo_ns, r->all_ns);
  r->coow_ns = std::min(r->coow_ns, r->all_ns);
  r->cue_ns = std::min({r->cue_ns, r->coo_ns, r->com_ns});
  if (keeps_coow(*r)) r->cue_ns = std::min(r->cue_ns, r->coow_ns);
  r->pl_cue_ns = std::min(r->pl_cue_ns, r->cue_ns);
}

}  // namespace

MetricRange metric_range(const RegionTotals& window, const Layers& layers,
                         const std::vector<ClockBounds>& bounds,
                         Metrics (*values_of)(const RegionTotals&,
                                              const Layers&)) {
  std::vector<ClockBounds> open;
  for (const ClockBounds& each : bounds) {
    if (each.least_ns < each.most_ns) open.push_back(each);
  }
  auto least = std::bit_cast<MetricValues>(values_of(window, layers));
  auto most = least;
  RegionTotals with = window;
  for (unsigned corner = 0; corner < 1U << open.size(); ++corner) {
    for (void (*const settle)(RegionTotals*) : {raise_longer, lower_shorter}) {
      for (size_t i = 0; i < open.size(); ++i) {
        const ClockBounds& each = open[i];
        with.*clock_named(each.clock) =
            (corner >> i & 1) != 0 ? each.most_ns : each.least_ns;
      }
      settle(&with);
      const auto values = std::bit_cast<MetricValues>(values_of(with, layers));
      for (size_t i = 0; i < values.size(); ++i) {
        least[i] = std::fmin(least[i], values[i]);
        most[i] = std::fmax(most[i], values[i]);
      }
    }
  }
  return {std::bit_cast<Metrics>(least), std::bit_cast<Metrics>(most)};
}

}  // namespace poprt
