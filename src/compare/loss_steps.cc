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

// The rows directly below row `i`: those of single layers, or of all.
std::vector<size_t> rows_below(const std::vector<Metric>& metrics, size_t i,
                               bool of_layers) {
  std::vector<size_t> parts;
  for (size_t below = i + 1;
       below < metrics.size() && metrics[below].depth > metrics[i].depth;
       ++below) {
    if (metrics[below].depth == metrics[i].depth + 1 &&
        (metrics[below].layer != Layer::kAny) == of_layers) {
      parts.push_back(below);
    }
  }
  return parts;
}

void add_steps(const std::vector<Metric>& metrics, size_t i,
               const RegionReport& region, std::vector<Metric>* steps) {
  for (const bool of_layers : {true, false}) {
    const std::vector<size_t> parts = rows_below(metrics, i, of_layers);
    const bool are_known =
        !parts.empty() && std::ranges::all_of(parts, [&](size_t part) {
          return is_known(metrics[part], region);
        });
    if (!are_known) continue;
    for (const size_t part : parts) add_steps(metrics, part, region, steps);
    return;
  }
  steps->push_back(metrics[i]);
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
