#include "compare/loss_steps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace poprt {
namespace {

bool is_known(const Metric& metric, const RegionReport& region) {
  return std::isfinite(metric.value(region.losses));
}

void add_steps(const std::vector<Metric>& metrics, size_t i,
               const RegionReport& region, std::vector<Metric>* steps) {
  std::vector<size_t> parts;
  for (size_t below = i + 1;
       below < metrics.size() && metrics[below].depth > metrics[i].depth;
       ++below) {
    if (metrics[below].depth == metrics[i].depth + 1) parts.push_back(below);
  }
  const auto is_of_layer = [&](size_t part) {
    return metrics[part].layer != Layer::kAny;
  };
  if (std::ranges::any_of(parts, is_of_layer)) {
    std::erase_if(parts, std::not_fn(is_of_layer));
  }
  const bool are_known =
      !parts.empty() && std::ranges::all_of(parts, [&](size_t part) {
        return is_known(metrics[part], region);
      });
  if (!are_known) {
    steps->push_back(metrics[i]);
    return;
  }
  for (const size_t part : parts) add_steps(metrics, part, region, steps);
}

}  // namespace

std::vector<Metric> loss_steps(const std::vector<Metric>& metrics,
                               const RegionReport& region) {
  std::vector<Metric> efficiencies = metrics;
  std::erase_if(efficiencies, std::not_fn(&Metric::is_efficiency));
  std::vector<Metric> steps;
  if (!efficiencies.empty() && is_known(efficiencies.front(), region)) {
    add_steps(efficiencies, 0, region, &steps);
  }
  return steps;
}

const char* colour_of(const Metric& step) {
  return is_of_program(step.layer) ? colour_of(event_layer(step.layer))
                                   : "rest";
}

}  // namespace poprt
