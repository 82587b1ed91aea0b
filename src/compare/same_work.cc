#include "compare/same_work.h"

#include <fmt/format.h>

#include "document/format.h"
#include "report/heading.h"

namespace poprt {
namespace {

const RunContext& context_of(const Configuration& configuration) {
  return configuration.runs.front().report.context;
}

// "4x1 and 9x1", "the runs of 4x1 on both sides"
std::string sides(const Configuration& a, const Configuration& b) {
  return a.name == b.name ? "the runs of " + a.name + " on both sides"
                          : a.name + " and " + b.name;
}

// "4x1 (mesh 45) and 4x1 (mesh 90)"
std::string names_of_two(const Configuration& a, const Configuration& b) {
  const std::string first = command_line(context_of(a));
  const std::string second = command_line(context_of(b));
  if (first == second) return sides(a, b);
  return fmt::format("{} ({}) and {} ({})", a.name, printable(first), b.name,
                     printable(second));
}

}  // namespace

WorkOfTwo work_of_two(const Configuration& a, const Configuration& b,
                      std::optional<Scaling> said) {
  if (said == Scaling::kStrong) return {{Scaling::kStrong, {}, "as given"}};
  if (!has_ended(a) || !has_ended(b)) {
    return {{said.value_or(Scaling::kUnknown), {}, ""},
            false,
            fmt::format("whether {} did the same work is not known: not all "
                        "runs came to their end.",
                        names_of_two(a, b))};
  }
  const bool is_in_order = a.runs.front().report.totals.threads <=
                           b.runs.front().report.totals.threads;
  const std::vector<Configuration> both =
      is_in_order ? std::vector{a, b} : std::vector{b, a};
  if (said == Scaling::kWeak) return {weak_scaling(both)};

  WorkOfTwo result = {choice_of_work(both)};
  if (result.choice.scaling != Scaling::kUnknown) return result;
  if (context_of(a).command.empty() || context_of(b).command.empty()) {
    result.note = fmt::format(
        "that {} did the same work is assumed: their command lines are not all "
        "known.",
        sides(a, b));
    return result;
  }
  result.is_comparable = false;
  result.note = fmt::format("whether {} did the same work is {}.",
                            names_of_two(a, b), result.choice.how);
  return result;
}

}  // namespace poprt
