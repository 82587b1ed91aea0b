#include "report/incomplete.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "document/format.h"

namespace poprt {
namespace {

std::string measured(const EndedRanks& ended) {
  if (ended.measured_max_ns == 0) return "";
  const std::string least = duration(ended.measured_min_ns);
  const std::string most = duration(ended.measured_max_ns);
  return " (after " + (least == most ? most : least + " to " + most) + ")";
}

}  // namespace

std::string incomplete_note(const RunContext& context) {
  constexpr size_t kLongest = 40;  // of the numbers of ranks
  std::string line;
  for (const EndedRanks& ended : context.endings) {
    line += fmt::format("{}{} {} {}{}", line.empty() ? "" : "; ",
                        ended.processes == 1 ? "rank" : "ranks",
                        shortened(printable(ended.ranks), kLongest),
                        printable(ended.how), measured(ended));
  }
  return "incomplete run, recovered from checkpoints: " + line +
         ". Times, counts and clocks are lower bounds (>=); efficiencies are "
         "of the time until then.";
}

bool is_least(const RunContext& context, const Metric& metric) {
  if (!is_incomplete(context)) return false;
  switch (metric.unit) {
    case MetricUnit::kCount:
    case MetricUnit::kBytes:
      return true;
    case MetricUnit::kFraction:
      break;
    default:
      return false;
  }
  // The threads of a process that has left nothing are not known.
  const bool all_known = std::ranges::all_of(
      context.endings,
      [](const EndedRanks& ended) { return ended.measured_max_ns > 0; });
  return all_known && metric.key == std::string_view("parallel_efficiency") &&
         (metric.model == Model::kPop || metric.model == Model::kCriticalPath ||
          metric.model == Model::kMultiplicative ||
          metric.model == Model::kAdditive);
}

}  // namespace poprt
